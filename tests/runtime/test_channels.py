"""Channels to other services: token, deadline, request id, retries of UNAVAILABLE only, TLS and mutual TLS."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from services.rules.refusals import Reason, Refused
from services.runtime import channels, context, metrics, server, service_token, settings
from services.runtime.identity import Caller, Identity, Role
from tests.support import echo
from tests.support.certificates import certify


def token(given: settings.Settings) -> service_token.ServiceToken:
    """Return the token of a service."""
    return service_token.ServiceToken(given, Identity(given), "dealer")


def failing(times: int, refusal: Refused, seen: list[str]) -> Callable[..., AbstractAsyncContextManager[Any]]:
    """Build an echo that fails so many times, then answers; what it saw goes into a list."""

    @asynccontextmanager
    async def build(_: server.Process) -> AsyncIterator[Sequence[server.Service]]:
        async def saying(request: StringValue, _: object) -> StringValue:
            seen.append(context.current().request_id)
            if len(seen) <= times:
                raise refusal
            return StringValue(value=f"{context.caller().role}: {request.value}")

        yield [echo.service(saying)]

    return build


@pytest.mark.parametrize(
    ("refusal", "calls"),
    [
        (Refused(Reason.SHUTTING_DOWN, "stopping"), 3),
        (Refused(Reason.UNAVAILABLE, "the database is away"), 1),
        (Refused(Reason.STALE_VERSION, "lost race"), 1),
        (Refused(Reason.ILLEGAL_ACTION, "no"), 1),
        (Refused(Reason.INTERNAL, "broken"), 1),
    ],
)
async def test_a_call_that_nobody_took_is_retried(refusal: Refused, calls: int) -> None:
    """A service that stops twice is asked a third time; any other refusal is final, for it took its time already."""
    seen: list[str] = []
    async with (
        server.running("echo", echo.given(), failing(2, refusal, seen)) as run,
        channels.to_service(f"127.0.0.1:{run.port}", echo.given(), token(echo.given())) as channel,
    ):
        if calls == 3:
            assert (await echo.say_on(channel)(StringValue(value="x"))).value == "service: x"
        else:
            with pytest.raises(grpc.aio.AioRpcError):
                await echo.say_on(channel)(StringValue(value="x"))
    assert len(seen) == calls


async def test_calls_carry_the_id_of_the_call_that_is_answered() -> None:
    """The id by which logs are searched goes along to the next service."""
    seen: list[str] = []
    context.enter(context.Call(method="X/Y", request_id="call-42", stopping=asyncio.Event()))
    async with (
        server.running("echo", echo.given(), failing(0, Refused(Reason.INTERNAL, ""), seen)) as run,
        channels.to_service(f"127.0.0.1:{run.port}", echo.given(), token(echo.given())) as channel,
    ):
        await echo.say_on(channel)(StringValue(value="x"))
    assert seen == ["call-42"]


async def test_a_call_without_a_deadline_gets_one() -> None:
    """A service that does not answer in time ends the call, although the caller named no deadline."""
    async with (
        server.running("echo", echo.given(), echo.build) as run,
        channels.to_service(f"127.0.0.1:{run.port}", echo.given(), token(echo.given()), seconds=0.3) as channel,
    ):
        started = time.monotonic()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await echo.say_on(channel)(StringValue(value="wait 9"))
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert time.monotonic() - started < 2


async def test_streams_of_other_services_are_read_with_the_token() -> None:
    """A stream opens with the service's token and gives its messages."""
    async with (
        server.running("echo", echo.given(), echo.build) as run,
        channels.to_service(f"127.0.0.1:{run.port}", echo.given(), token(echo.given())) as channel,
    ):
        call = echo.watch_on(channel)(StringValue(value="count 5"))
        assert [message.value async for message in call] == ["0", "1", "2", "3", "4"]


def test_a_token_given_by_settings_is_used_as_it_is() -> None:
    """A process that cannot make tokens uses the one that it was given; without one it does not start."""
    assert token(echo.given(service_token="given"))() == "given"
    keyless = settings.load(jwt_algorithm="EdDSA", jwt_public_key="-----BEGIN PUBLIC KEY-----")
    with pytest.raises(settings.SettingsRefused, match="PITBOSS_SERVICE_TOKEN"):
        service_token.ServiceToken(keyless, Identity(keyless), "dealer")


def test_a_given_token_is_read_again_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A token that its issuer renews is used without a restart; a metric tells when the one that is used ends."""
    who, file = Identity(echo.given()), tmp_path / "token"

    def issue(seconds: float) -> str:
        made = who.mint(Caller("dealer", Role.SERVICE), seconds)
        file.write_text(made + "\n", encoding="utf-8")
        return made

    def ends_at() -> float | None:
        return metrics.REGISTRY.get_sample_value("pitboss_service_token_expiry_timestamp_seconds")

    monkeypatch.setenv("PITBOSS_SERVICE_TOKEN_FILE", str(file))
    first = issue(86_400 * 30)
    given = service_token.ServiceToken(echo.given(), who, "dealer")
    assert (given(), ends_at()) == (first, service_token.expiry(first))
    second = issue(86_400 * 60)
    assert given() == first
    later = time.monotonic() + service_token.LOOK_SECONDS + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert (given(), ends_at()) == (second, service_token.expiry(second))
    file.write_text("\n", encoding="utf-8")
    monkeypatch.setattr(time, "monotonic", lambda: later + 60)
    assert given() == second
    file.unlink()
    monkeypatch.setattr(time, "monotonic", lambda: later + 120)
    assert given() == second


def test_a_token_of_its_own_is_renewed_before_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same token is used for half its life, then a new one is made."""
    given = echo.given()
    own, who = token(given), Identity(given)
    first = own()
    assert own() == first
    assert who.verify(first) == Caller("dealer", Role.SERVICE)
    later = time.time() + service_token.TOKEN_SECONDS / 2 + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert own() != first


# -- TLS


async def greet(run: server.Running, given: settings.Settings) -> str:
    """Call ``Say`` once on a channel with these settings, without retries."""
    async with channels.to_service(f"127.0.0.1:{run.port}", given, token(given), seconds=3) as channel:
        answer: StringValue = await echo.say_on(channel)(StringValue(value="hello"))
        return answer.value


async def test_tls_and_mutual_tls_by_settings(tmp_path: Path) -> None:
    """A server with mutual TLS takes clients of its authority, and none without a certificate or in plain text."""
    authority, other = certify(tmp_path, "authority"), certify(tmp_path, "other")
    server_pair, client_pair = certify(tmp_path, "server", authority), certify(tmp_path, "client", authority)
    stranger = certify(tmp_path, "stranger", other)
    trust = {"tls_server_ca_file": authority.certificate_file}
    serving = echo.given(
        tls_certificate_file=server_pair.certificate_file,
        tls_key_file=server_pair.key_file,
        tls_client_ca_file=authority.certificate_file,
    )
    async with server.running("echo", serving, echo.build) as run:
        good = echo.given(**trust, tls_certificate_file=client_pair.certificate_file, tls_key_file=client_pair.key_file)
        assert await greet(run, good) == "dealer: hello"
        strange = echo.given(**trust, tls_certificate_file=stranger.certificate_file, tls_key_file=stranger.key_file)
        wrong_authority = echo.given(tls_server_ca_file=other.certificate_file)
        for bad in (echo.given(**trust), strange, wrong_authority, echo.given()):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await greet(run, bad)
            assert caught.value.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


async def test_tls_without_client_certificates(tmp_path: Path) -> None:
    """A server with TLS alone accepts any client that trusts its authority and has a token."""
    authority = certify(tmp_path, "authority")
    pair = certify(tmp_path, "server", authority)
    serving = echo.given(tls_certificate_file=pair.certificate_file, tls_key_file=pair.key_file)
    async with server.running("echo", serving, echo.build) as run:
        assert await greet(run, echo.given(tls_server_ca_file=authority.certificate_file)) == "dealer: hello"


async def test_a_certificate_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The sentence names the path."""
    missing = tmp_path / "nowhere.pem"
    with pytest.raises(settings.SettingsRefused, match=r"nowhere\.pem: No such file"):
        async with server.running("echo", echo.given(tls_certificate_file=missing, tls_key_file=missing), echo.build):
            pass
