"""Refusals as statuses: the closed list is whole, a status is bounded, another service's refusal passes on."""

import ast
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import psycopg
import pytest
from google.protobuf.message import DecodeError
from google.protobuf.wrappers_pb2 import StringValue
from google.rpc import error_details_pb2

from services.rules.refusals import Reason, Refused
from services.runtime import channels, errors, reasons, server, service_token, wordings
from services.runtime.identity import Caller, Identity, Role
from tests.support import echo


def test_every_reason_has_a_code_and_a_text() -> None:
    """The closed list is complete: UPPER_SNAKE names, a code, three languages."""
    assert set(reasons.CODES) == set(wordings.TEXTS) == set(Reason)
    for reason in Reason:
        assert re.fullmatch(r"[A-Z][A-Z0-9_]{2,62}", reason)
        assert reason.name == reason.value
        text = wordings.TEXTS[reason]
        assert len({text.en, text.zh_hant, text.zh_hans}) >= 2, reason


def test_every_reason_is_raised_somewhere() -> None:
    """No reason is in the list that nothing in the house ever refuses for: each is an argument of some call."""
    raised = {Reason.INVALID_ARGUMENT, *(reason for _, reason, _ in errors.MEANT)}
    for path in Path(errors.__file__).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            given = node.args if isinstance(node, ast.Call) else []
            raised |= {
                Reason[arg.attr]
                for arg in given
                if isinstance(arg, ast.Attribute) and isinstance(arg.value, ast.Name) and arg.value.id == "Reason"
            }
    assert raised == set(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_reaches_the_caller_as_it_was_raised(reason: Reason) -> None:
    """What rules, tables and services raise is one error; nothing makes another one of it on its way out."""
    raised = Refused(reason, "seat 1: because", metadata={"seat": 1}, fields=[("seat", "because")])
    assert errors.from_exception(raised) is raised
    status = errors.to_status(raised)
    assert (status.code, status.message) == (reasons.CODES[reason].value[0], "seat 1: because")


def test_what_libraries_raise_has_the_figures_of_its_reason_and_no_others() -> None:
    """A sum beyond what is kept names the greatest one; bytes that are no message have no figure."""
    beyond = errors.from_exception(psycopg.errors.NumericValueOutOfRange())
    assert beyond is not None
    assert (beyond.reason, beyond.metadata) == (Reason.AMOUNT_OUT_OF_RANGE, {"greatest": str(errors.MOST_KEPT)})
    odd = errors.from_exception(DecodeError())
    assert odd is not None
    assert (odd.reason, dict(odd.metadata or {})) == (Reason.MALFORMED_REQUEST, {})


def test_what_nobody_took_is_retried_and_nothing_else() -> None:
    """The lost race is ABORTED, the wrong moment FAILED_PRECONDITION, the wrong shape INVALID_ARGUMENT."""
    assert reasons.CODES[Reason.STALE_VERSION] is grpc.StatusCode.ABORTED
    assert reasons.CODES[Reason.OUT_OF_TURN] is grpc.StatusCode.FAILED_PRECONDITION
    assert reasons.CODES[Reason.MALFORMED_REQUEST] is grpc.StatusCode.INVALID_ARGUMENT
    retried = {reason for reason, code in reasons.CODES.items() if code is grpc.StatusCode.UNAVAILABLE}
    assert retried == {Reason.UNAVAILABLE, Reason.SHUTTING_DOWN}
    assert channels.RETRY["retryableStatusCodes"] == ["UNAVAILABLE", "CANCELLED"]
    assert grpc.StatusCode.CANCELLED not in reasons.CODES.values()


def test_a_status_stays_below_what_peers_take() -> None:
    """However much a refusal holds, in whatever letters, the status is below the 8 kB of trailing metadata."""
    huge = Refused(
        Reason.INVALID_ARGUMENT,
        "龍" * 5000,
        metadata={f"k{n}": "龍" * 500 for n in range(99)},
        fields=[("龍" * 500, "鳳" * 500) for _ in range(99)],
    )
    status = errors.to_status(huge, "zh-Hant")
    size, message = len(status.SerializeToString()), len(status.message.encode())
    assert size * 4 / 3 + message * 3 < 8000, f"{size} bytes, a third more as base64, and {message} percent-encoded"


def test_figures_go_along_as_far_as_there_is_room() -> None:
    """Pairs that fill the room to the last byte are all there; of one byte more the last pair is left out, whole."""
    pairs = {f"k{n:03}": "x" * 96 for n in range(errors.LONGEST_PAIRS // 100)}
    for more, kept in (({}, 10), ({"k": ""}, 10)):
        status = errors.to_status(Refused(Reason.TABLE_FULL, "full", metadata=pairs | more))
        told = error_details_pb2.ErrorInfo()
        assert status.details[0].Unpack(told)
        assert dict(told.metadata) == pairs
        assert len(told.metadata) == kept


def test_a_reason_outside_the_list_cannot_be_raised() -> None:
    """The list is closed."""
    with pytest.raises(ValueError, match="WHATEVER"):
        Refused(Reason("WHATEVER"), "x")


@pytest.mark.parametrize(
    ("accept", "spoken"),
    [
        ("zh-TW", "zh-Hant"),
        ("zh-Hant-TW,en", "zh-Hant"),
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("zh-Hans", "zh-Hans"),
        ("en-GB", "en"),
        ("fr, en;q=0.5", "en"),
        ("fr", ""),
        ("", ""),
        ("zh", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        (",;,", ""),
    ],
)
def test_a_language_is_chosen_from_what_the_caller_accepts(accept: str, spoken: str) -> None:
    """The first language of the list that the house speaks, by script or by region."""
    assert reasons.language(accept) == spoken


@asynccontextmanager
async def front(process: server.Process) -> AsyncIterator[Sequence[server.Service]]:
    """Serve an echo that asks another echo, whose address stands in the settings."""
    token = service_token.ServiceToken(process.settings, process.identity, "front")
    async with channels.to_service(process.settings.settlement_address, process.settings, token) as channel:

        async def ask(request: StringValue, _: object) -> StringValue:
            answer: StringValue = await echo.say_on(channel)(request)
            return answer

        yield [echo.service(ask)]


async def test_another_service_s_refusal_reaches_the_caller_unchanged() -> None:
    """A refusal passes through the service between; a crash behind it becomes INTERNAL without detail."""
    async with (
        server.running("back", echo.given(), echo.build) as back,
        server.running("front", echo.given(settlement_address=f"127.0.0.1:{back.port}"), front) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        say = echo.say_on(channel)
        assert (await say(StringValue(value="hi"), metadata=[echo.bearer(Role.PLAYER)])).value == "front: hi"
        for failure, code, reason in (
            ("problem", grpc.StatusCode.NOT_FOUND, "TABLE_NOT_FOUND"),
            ("refused", grpc.StatusCode.FAILED_PRECONDITION, "OUT_OF_TURN"),
            ("crash", grpc.StatusCode.INTERNAL, "INTERNAL"),
            ("away", grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE"),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await say(StringValue(value=f"fail {failure}"), metadata=[echo.bearer()])
            status, info = errors.status_of(caught.value), error_details_pb2.ErrorInfo()
            assert status is not None
            assert status.details[0].Unpack(info)
            assert (caught.value.code(), info.reason) == (code, reason)


@pytest.mark.parametrize(("role", "seconds"), [(Role.SERVICE, -60.0), (Role.AUDITOR, 60.0)], ids=["expired", "role"])
async def test_a_service_that_is_refused_itself_does_not_tell_its_caller_to_sign_in(role: Role, seconds: float) -> None:
    """A token of the service between that has expired, or may not call that, is the house's error, not the player's."""
    identity = Identity(echo.given())
    own = identity.mint(Caller("front", role), 60.0, time.time() - 60 + seconds)
    async with (
        server.running("back", echo.given(), echo.build) as back,
        server.running(
            "front", echo.given(settlement_address=f"127.0.0.1:{back.port}", service_token=own), front
        ) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say_on(channel)(StringValue(value="hi"), metadata=[echo.bearer()])
        assert caught.value.code() is grpc.StatusCode.INTERNAL
        assert "token" not in (caught.value.details() or "")
