"""Rounds of the past as a player saw them, step by step and marked as a replay [R2]."""

from collections.abc import Iterator
from typing import Final

from google.protobuf import json_format
from pitboss.v1 import audit_pb2 as pb

from services.audit import spans
from services.audit.narrating import Narrator
from services.audit.unsealing import Reveals
from services.contract import requests, stored, wire_tables
from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.runtime.errors import Problem
from services.runtime.pools import Pool
from services.table import events
from services.table.replay import Replay

MOST_ROUNDS: Final = 20
MOST_LOOKED_AT: Final = 200
"""Rounds that one call goes back through, looking for those that the player took part in."""


async def recall(
    pool: Pool, ring: KeyRing, table_id: str, player: str, size: int, token: str, language: str
) -> pb.RecallRoundsResponse:
    """Give a page of a player's rounds at a table, newest first. Raises Problem for a token that no page gave."""
    version = requests.page_number(token, 0) or await spans.head_version(pool, table_id)
    answer = pb.RecallRoundsResponse()
    for _ in range(MOST_LOOKED_AT):
        start = await _start_before(pool, table_id, version)
        if start is None:
            return answer
        version = start.version - 1
        if len(answer.rounds) == size:
            answer.next_page_token = str(start.version)
            return answer
        shown = await _round(pool, ring, table_id, start, player, language)
        if shown is not None:
            answer.rounds.append(shown)
    answer.next_page_token = str(version) if version else ""
    return answer


async def _start_before(pool: Pool, table_id: str, version: int) -> StoredEvent | None:
    if version < 1:
        return None
    async with pool.connection() as conn:
        return await log.first_of_types(conn, table_id, version, spans.STARTS, backwards=True)


async def _round(
    pool: Pool, ring: KeyRing, table_id: str, start: StoredEvent, player: str, language: str
) -> pb.RecalledRound | None:
    started = stored.from_stored(start)
    assert isinstance(started, events.RoundStarted), "asked for starts"
    seat = next((seat.seat for seat in started.table.seats if seat.player == player), None)
    if seat is None or seat not in started.carry:
        return None
    try:
        recorded = await spans.round_events(pool, table_id, started.round_number)
    except Problem:
        return None  # the round is not over
    shown = pb.RecalledRound(replay=True, round_number=started.round_number)
    shown.steps.extend(steps(ring, table_id, recorded, seat, language))
    return shown


def steps(
    ring: KeyRing, table_id: str, recorded: list[StoredEvent], seat: int, language: str
) -> Iterator[pb.RecalledStep]:
    """Go through an ended round with the eyes of one seat; a round that no seed can be opened of has words alone."""
    reveals = Reveals(ring, table_id)
    reveals.learn(recorded)
    started = stored.from_stored(recorded[0])
    assert isinstance(started, events.RoundStarted), "a round begins with its start"
    narrator = Narrator(language)
    again = None if reveals.hidden(started.round_number) else Replay(table_id, reveals, compare=False)
    for one in recorded:
        event = stored.from_stored(one)
        step = pb.RecalledStep(version=one.version, words="\n".join(narrator.event(event)))
        step.event_time.CopyFrom(wire_tables.timestamp(event.at_ms))
        if again is not None:
            again.take(one.version, event)
            assert again.table is not None, "a replay has a table"
            seen = wire_tables.view(again.table, seat)
            step.view.update(json_format.MessageToDict(seen, preserving_proto_field_name=True))
        yield step
