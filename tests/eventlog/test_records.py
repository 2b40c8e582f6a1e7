"""Records refuse what the log could not hold, in words that say which value and what would be right."""

from typing import Any

import pytest

from services.eventlog.records import Append, NewEvent
from tests.support import log_events

STREAM = log_events.stream()


@pytest.mark.parametrize(
    "type_", ["", "ActionTaken", "ActionTaken.v0", "Action Taken.v1", "1.v1", "x.v1\n", "a" * 99 + ".v1"]
)
def test_an_event_type_is_a_name_and_a_version(type_: str) -> None:
    """A type without name or version is refused."""
    with pytest.raises(ValueError, match=r"such as ActionTaken\.v1"):
        NewEvent(type_, "{}")


@pytest.mark.parametrize("text", ["", "[]", "null", '{"a": "\0"}', "{" + " " * (1 << 20) + "}"])
def test_data_and_metadata_are_json_objects(text: str) -> None:
    """Data and metadata that are no object, too long, or hold a zero character are refused."""
    for fields in ({"data": text}, {"data": "{}", "metadata": text}):
        with pytest.raises(ValueError, match="must be a JSON object"):
            NewEvent("Made.v1", **fields)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"stream_id": STREAM.upper()}, "lower case"),
        ({"stream_id": "table 7"}, "lower case"),
        ({"expected": -1}, "version -1"),
        ({"events": ()}, "0 events"),
        ({"events": (log_events.event(),) * 257}, "257 events"),
        ({"events": (), "request_key": "k", "request_digest": bytes(32)}, "0 events"),
        ({"events": (), "request_key": "k", "request_digest": bytes(32), "expected": 1, "mark": ""}, "0 events"),
        ({"request_key": "", "request_digest": bytes(32)}, "request key"),
        ({"request_key": "k"}, "digest of 32 bytes"),
        ({"request_key": "k", "request_digest": b"short"}, "digest of 32 bytes"),
        ({"request_key": "k" * 513, "request_digest": bytes(32)}, "request key"),
        ({"rebuild": 1}, "no event is number 1"),
        ({"rebuild": -1}, "no event is number -1"),
        ({"answer": bytes((1 << 20) + 1)}, "too long"),
        ({"summary": " " * ((1 << 20) + 1)}, "too long"),
    ],
)
def test_an_append_that_cannot_be_stored_is_refused(fields: dict[str, Any], message: str) -> None:
    """Each bound of an append is held, and the message names the stream and the value."""
    sound: dict[str, Any] = {"stream_id": STREAM, "expected": 0, "events": (log_events.event(),)}
    Append(**sound)
    with pytest.raises(ValueError, match=message):
        Append(**{**sound, **fields})
