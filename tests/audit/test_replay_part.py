"""A log with another spelling, or with values of another kind, yields one finding and no error."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from services.audit import replay_part
from services.audit.replay_part import Part
from services.eventlog.records import StoredEvent
from services.table.replay import Difference
from tests.support import audit_rows, sittings

GAMES = ("texas_holdem", "suit_betting", "war")
KINDS: tuple[Any, ...] = ("another", 7, None, {"more": 1}, ["more"])


def segments(game: str) -> list[list[StoredEvent]]:
    """Return the log of a table in its segments: the opening, then a round each."""
    sitting = sittings.random_sitting(game, "spelling", rounds=2)
    whole, rounds = audit_rows.of_sitting(sitting), audit_rows.rounds(sitting)
    return [whole[: rounds[0][0].version - 1], *rounds]


def differences(parts: list[list[StoredEvent]]) -> list[Difference]:
    """Replay a log."""
    return replay_part.replay(sittings.AUDIT, Part(sittings.TABLE, parts, [])).differences


def rewritten(parts: list[list[StoredEvent]], version: int, data: str) -> list[list[StoredEvent]]:
    """Return a log in which one event differs."""
    return [
        [msgspec.structs.replace(one, data=data) if one.version == version else one for one in part] for part in parts
    ]


SPELLINGS: dict[str, Callable[[dict[str, Any]], str]] = {
    "blanks": json.dumps,
    "the order of keys": lambda fields: json.dumps(dict(reversed(fields.items())), separators=(",", ":")),
    "escapes": lambda fields: json.dumps(fields, separators=(",", ":")).replace('"at_ms"', '"\\u0061t_ms"'),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_another_spelling_of_the_same_values_is_exactly_one_finding(game: str, spelling: str) -> None:
    """Each event in another spelling is one difference of kind ``spelling``."""
    parts = segments(game)
    for one in (event for part in parts[1:] for event in part):
        data = SPELLINGS[spelling](json.loads(one.data))
        assert data != one.data
        found = differences(rewritten(parts, one.version, data))
        assert [(each.version, each.field) for each in found] == [(one.version, "spelling")], one.type


@pytest.mark.parametrize("game", GAMES)
def test_a_value_of_another_kind_is_a_finding_at_its_event(game: str) -> None:
    """A value of another kind is reported at its event or the next one, and never raises."""
    parts = segments(game)
    for one in (event for part in parts[1:] for event in part):
        fields = json.loads(one.data)
        for at, key in enumerate(fields):
            value = KINDS[at % len(KINDS)]
            if type(value) is type(fields[key]):
                value = KINDS[(at + 1) % len(KINDS)]
            found = differences(rewritten(parts, one.version, json.dumps(fields | {key: value}, separators=(",", ":"))))
            assert found, f"{one.type} {key}: {fields[key]!r} became {value!r}"
            assert min(each.version for each in found) <= one.version
