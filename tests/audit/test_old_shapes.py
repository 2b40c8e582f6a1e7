"""Logs of an older house: stored under older types, replayed and exported by today's house."""

import json
from collections.abc import AsyncIterator
from typing import Any

import psycopg_pool
import pytest

from services.audit import chains, documents, log_segments, offline, replay_service
from services.eventlog import log, upcast
from services.eventlog.records import NewEvent
from services.journal import log_rows
from services.table.events import ActionTaken
from tests.support import audit_rows, pools, sittings
from tests.support.log_events import one

Pool = psycopg_pool.AsyncConnectionPool[Any]


def named_seats(data: dict[str, Any]) -> dict[str, Any]:
    """Convert an invented first shape, in which an action's seat was ``place``, to today's."""
    return {("seat" if key == "place" else key): value for key, value in data.items()}


def in_milliseconds(data: dict[str, Any]) -> dict[str, Any]:
    """Convert an invented second shape of a start, whose deadline was in seconds, to today's."""
    return {**data, "deadline_ms": data["deadline_s"] * 1000 + data["deadline_rest"]}


def whole(data: dict[str, Any]) -> dict[str, Any]:
    """Drop the extra fields of the invented second shape."""
    return {key: value for key, value in data.items() if key not in {"deadline_s", "deadline_rest"}}


STEPS: dict[tuple[str, int], upcast.Step] = {
    ("ActionTaken", 1): named_seats,
    ("RoundStarted", 1): in_milliseconds,
    ("RoundStarted", 2): whole,
}


def older(event: NewEvent) -> NewEvent:
    """Write an event as the older house did."""
    fields = json.loads(event.data)
    if event.type.startswith("ActionTaken"):
        fields = {("place" if key == "seat" else key): value for key, value in fields.items()}
        return NewEvent("ActionTaken.v1", json.dumps(fields), event.metadata)
    if event.type.startswith("RoundStarted"):
        fields["deadline_s"], fields["deadline_rest"] = divmod(fields.pop("deadline_ms"), 1000)
        return NewEvent("RoundStarted.v1", json.dumps(fields), event.metadata)
    return event


@pytest.fixture(autouse=True)
def _newer_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the house with actions at their second shape and starts at their third."""
    newer = upcast.Upcasts(STEPS)

    def shape(stored_type: str) -> tuple[str, bool]:
        name, _ = upcast.split(stored_type)
        return name, newer.newest(name) == stored_type

    monkeypatch.setattr(log_rows, "_UPCASTS", newer)
    monkeypatch.setattr(log_rows, "_shape", shape)


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Yield connections as the owner of the database."""
    async with pools.make_pool(postgres_url, None, most=2) as made:
        yield made


@pytest.mark.parametrize("game", ["texas_holdem", "loo"])
async def test_a_log_of_older_shapes_is_replayed_and_exported(pool: Pool, game: str) -> None:
    """A stream of old and new events is replayed, its chain holds, and its exports pass offline."""
    table_id = sittings.TABLE
    nights = (sittings.random_sitting(game, f"old shapes {number}") for number in range(20))
    sitting = next(one for one in nights if sum(isinstance(event, ActionTaken) for event in one.log) > 1)
    events = [log_rows.to_new(event, audit_rows.METADATA) for event in sitting.log]
    acted = [at for at, event in enumerate(events) if event.type.startswith("ActionTaken.")]
    half = acted[len(acted) // 2]  # actions of the old shape and of the new one
    written = [*map(older, events[:half]), *events[half:]]
    assert {event.type for event in written} >= {"RoundStarted.v1", "ActionTaken.v1", "ActionTaken.v2"}
    async with pool.connection() as conn:
        for at, event in enumerate(written):
            await log.append(conn, [one(table_id, at, event)])
    report = await replay_service.replay(pool, sittings.AUDIT, table_id, 0, 0)
    assert (report.differences, report.events_read, report.in_progress) == ([], len(written), 0)
    started = sum(event.type.startswith("RoundStarted") for event in written)
    assert report.rounds == started > 0
    count, _, found = await chains.check(pool, table_id)
    assert (count, found) == (len(written), [])
    exported = []
    for number in range(1, started + 1):
        recorded = await log_segments.round_events(pool, table_id, number)
        async with pool.connection() as conn:
            before = await log.read(conn, table_id, recorded[0].version - 2, 1)
        previous = documents.previous_hash(recorded, before[0])
        exported.append(json.loads(documents.write(documents.of_round(sittings.AUDIT, table_id, recorded, previous))))
    assert [findings for _, findings in offline.check(exported)] == [[]] * started


async def test_an_edit_in_an_older_shape_is_found(pool: Pool) -> None:
    """An old event is checked against the rules after its conversion."""
    table_id = sittings.TABLE
    sitting = sittings.random_sitting("texas_holdem", "old shapes")
    written = [older(log_rows.to_new(event, audit_rows.METADATA)) for event in sitting.log]
    at = next(at for at, event in enumerate(written) if event.type == "RoundStarted.v1")
    fields = json.loads(written[at].data)
    written[at] = NewEvent("RoundStarted.v1", json.dumps(fields | {"deadline_s": fields["deadline_s"] + 1}))
    async with pool.connection() as conn:
        for place, event in enumerate(written):
            await log.append(conn, [one(table_id, place, event)])
    report = await replay_service.replay(pool, sittings.AUDIT, table_id, 0, 0)
    assert [(one.version, one.field) for one in report.differences] == [(at + 1, "deadline_ms")]
