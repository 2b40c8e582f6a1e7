"""Bounds of a field in the words of players: beside the field and in the whole text, in each language."""

import ast
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from google.rpc import error_details_pb2
from pitboss.v1 import dealer_pb2

import services
from services.contract import requests
from services.rules import moments
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import errors, request_text


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_a_player_reads_the_bounds_of_a_field(language: str) -> None:
    """A number of chips and the length of a text are given with both ends and the field's name."""
    for field, least, greatest in (("amount", "1", "1000000000000"), ("title", "0", "60")):
        with pytest.raises(Refused) as caught:
            requests.amount(0, field) if field == "amount" else requests.text("x" * 99, field, 60)
        whole, bad = error_details_pb2.LocalizedMessage(), error_details_pb2.BadRequest()
        for detail in errors.to_status(caught.value, language).details:
            detail.Unpack(whole)
            detail.Unpack(bad)
        own = bad.field_violations[0].localized_message.message
        assert least in own
        assert greatest in own
        assert own in whole.message
        assert whole.message.startswith(field)


def refusal(call: Callable[[], object]) -> Refused:
    """Return what a call is refused with."""
    with pytest.raises(Refused) as caught:
        call()
    return caught.value


FAULTS: dict[str, tuple[Refused, tuple[str, ...]]] = {
    "unknown": (invalid("colour", "red is no colour"), ("colour",)),
    "entries": (invalid("template_ids", "11 are named", entries=10), ("template_ids", "10")),
    "NUL": (
        refusal(lambda: request_text.refuse(dealer_pb2.AcceptInvitationRequest(code="a\0"))),
        ("code", "U+0000"),
    ),
    "currency": (refusal(lambda: requests.currency("ZZZ", ("CHIPS", "XTS"))), ("currency", "CHIPS, XTS")),
    "capitals": (refusal(lambda: requests.currency("chips")), ("currency", "3", "8")),
    "request id": (
        refusal(lambda: requests.command("ann", dealer_pb2.StopWaitingRequest())),
        ("request_id", "1", "64"),
    ),
    "moment": (
        invalid("until_time", "too late", between_ms=(1_796_075_104_318, 1_796_161_504_317)),
        ("until_time", "2026-11-30 21:45:05 UTC", "2026-12-01 21:45:04 UTC"),
    ),
    "several": (
        Refused(Reason.INVALID_ARGUMENT, "title, stake", fields=[("title", "fixed"), ("stake", "fixed")]),
        ("title", "stake"),
    ),
}
"""Refusals of requests, and what a player reads of each in every language."""


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
@pytest.mark.parametrize("name", FAULTS)
def test_a_player_reads_which_field_is_wrong_and_what_is_right(name: str, language: str) -> None:
    """The text names the field, what it takes where that is known, and no moment in milliseconds.

    The same is read of a refusal that another service passed on.
    """
    refused, wanted = FAULTS[name]
    status = errors.to_status(refused, language)
    whole, info, bad = (
        error_details_pb2.LocalizedMessage(),
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
    )
    for detail in status.details:
        for kind in (whole, info, bad):
            detail.Unpack(kind)
    assert all(words in whole.message for words in wanted), whole.message
    assert not re.search(r"[0-9]{11}", whole.message)
    passed_on = Refused(
        refused.reason,
        status.message,
        metadata=info.metadata,
        fields=[(one.field, one.description) for one in bad.field_violations],
    )
    again = error_details_pb2.LocalizedMessage()
    for detail in errors.to_status(passed_on, language).details:
        detail.Unpack(again)
    assert again.message == whole.message


def test_no_text_for_players_holds_a_moment_in_milliseconds() -> None:
    """No place of a text is filled from a name that ends in ``_ms``, neither in f-strings nor in figures."""
    for path in Path(services.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Text":
                assert not re.search(r"_ms\b[^{}]*\}", ast.unparse(node)), f"{path}: {ast.unparse(node)}"


def test_moments_are_written_as_the_calendar_has_them() -> None:
    """Days from 1970 to 9999, each at another second."""
    for day in range(0, 2_932_897, 29):
        second = 86_400 * day + day * 7919 % 86_400
        assert moments.utc(second) == f"{datetime.fromtimestamp(second, UTC).replace(tzinfo=None).isoformat()}Z"
