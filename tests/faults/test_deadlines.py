"""Deadlines fire without any client, once, whatever is away."""

import asyncio
import signal
import time
import uuid
from functools import partial

import pytest
import redis.asyncio

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import waits
from tests.support.people import Crowd

SOON = {"turn_seconds": 1, "bet_seconds": 1, "claim_seconds": 1}
LATE_MS = 5000
"""A deadline that fires so late has been lost; what Redis has lost is found by the sweep, every two seconds."""


async def until_settled(house: Broken, table: Played, seconds: float = 60.0) -> list[events.Event]:
    """Wait until a round that nobody plays is settled, without asking any dealer; return what happened."""

    async def settled() -> list[events.Event]:
        recorded = await house.events(table.table_id)
        return recorded if any(isinstance(event, events.RoundSettled) for event in recorded) else []

    return await waits.eventually(settled, f"{table.game}: the end by deadlines", seconds=seconds, pause=0.1)


def lags_of(recorded: list[events.Event]) -> list[int]:
    """Return by how many ms each deadline fired late; check that each fired once and none early."""
    lags, clock, due = [], -1, 0
    for event in recorded:
        if isinstance(event, events.DeadlinePassed):
            assert event.passed == clock, f"deadline {event.passed} fired while {clock} ran"
            assert event.at_ms >= due, "a deadline fired before its time"
            lags.append(event.at_ms - due)
        if isinstance(event, events.RoundStarted | events.ActionTaken | events.DeadlinePassed):
            clock, due = event.clock, event.deadline_ms
    return lags


async def start(crowd: Crowd, game: str) -> Played:
    """Start a round; nothing is asked of the house for it any more."""
    table = await Played.open(crowd, game, SOON)
    await table.start()
    return table


def is_past(due_ms: int) -> bool:
    """Return whether a deadline passed long enough ago that a dealer would have fired it."""
    return time.time() * 1000 > due_ms + 200


async def test_deadlines_fire_once_with_several_dealers(house: Broken, crowd: Crowd) -> None:
    """Nobody acts: every dealer sees each deadline, one fires it, rounds end by themselves and are settled."""
    games = (*floor.CORE, *floor.others(11, 6))
    tables = [await start(crowd, game) for game in games]
    for table in tables:
        lags = lags_of(await until_settled(house, table))
        assert lags, f"{table.game}: a round that nobody plays ends by deadlines"
        assert max(lags) <= LATE_MS
        await proofs.settled_in_time(house, table)
    await proofs.hold(house, crowd, *tables)


async def test_deadlines_that_passed_while_all_dealers_were_down_fire_on_return(house: Broken, crowd: Crowd) -> None:
    """All dealers are killed before the deadline and come back after it: it fires then, once."""
    tables = [await start(crowd, game) for game in floor.CORE]
    for number in range(len(house.running.dealers)):
        await asyncio.to_thread(house.dealer(number).kill)
    for table in tables:
        due_ms = max(getattr(event, "deadline_ms", 0) for event in await house.events(table.table_id))
        await waits.eventually(partial(is_past, due_ms), "the deadline")
        assert not lags_of(await house.events(table.table_id)), "there is nobody to fire it"
    for number in range(len(house.running.dealers)):
        house.revive(house.dealer(number))
    await house.up(2)
    for table in tables:
        assert lags_of(await until_settled(house, table))
    await proofs.hold(house, crowd, *tables)


async def test_deadlines_fire_after_a_flush(house: Broken, crowd: Crowd) -> None:
    """A deadline that Redis has lost is found in the log."""
    tables = [await start(crowd, game) for game in floor.CORE]
    async with redis.asyncio.Redis.from_url(house.redis_url) as client:
        await client.flushall()
    for table in tables:
        assert max(lags_of(await until_settled(house, table))) <= LATE_MS
    await proofs.hold(house, crowd, *tables)


async def test_deadlines_fire_while_redis_is_away(house: Broken, crowd: Crowd) -> None:
    """Without Redis the dealers know the deadlines from the log, those of rounds that began without it too."""
    running = house.running.redis
    assert running is not None, "the house has a Redis of its own"
    before = await start(crowd, floor.CORE[0])
    await asyncio.to_thread(running.stop, immediate=True)
    after = await start(crowd, floor.CORE[1])
    for table in (before, after):
        assert max(lags_of(await until_settled(house, table))) <= LATE_MS
    await asyncio.to_thread(running.start)
    await proofs.hold(house, crowd, before, after)


@pytest.mark.parametrize("step", ["dealer.received", "dealer.decided", "dealer.appended"])
async def test_a_deadline_whose_dealer_dies_on_it_fires_once(house: Broken, crowd: Crowd, step: str) -> None:
    """The dealers that are fastest die on the deadline; it has fired once when the last one has seen to it."""
    tables = [await Played.open(crowd, game, SOON) for game in floor.CORE]
    *doomed, last = await house.up(len(house.running.dealers))
    for table in tables:
        await table.start([last])
    house.signal(house.dealer(last), signal.SIGSTOP)
    for number in doomed:
        house.doom(house.dealer(number), step)
    await waits.eventually(
        lambda: not all(house.dealer(number).running() for number in doomed), "a dealer meets the deadline"
    )
    house.absolve()
    house.signal(house.dealer(last), signal.SIGCONT)
    for table in tables:
        assert lags_of(await until_settled(house, table))
    house.revive_the_dead()
    await proofs.hold(house, crowd, *tables)


async def test_a_table_that_cannot_be_read_keeps_no_other_waiting(house: Broken, crowd: Crowd) -> None:
    """A stream that no release can read, marked as in a round or unsettled, stops neither deadlines nor settlement."""
    poison = [uuid.UUID(int=number) for number in (1, 2)]
    async with await house.connect() as conn:
        for stream, mark in zip(poison, ("in_round", "unsettled"), strict=True):
            await conn.execute(
                "SELECT * FROM append_one(%s::uuid, 0::bigint, NULL, NULL, NULL, 0, %s::text, %s::text, %s, %s, %s)",
                (stream, mark, '{"family": "poker"}', ["Unheard.v9"], ["{}"], ["{}"]),
            )
        try:
            await asyncio.to_thread(house.dealer(0).kill)  # what a dealer does first is to look for such tables
            house.revive(house.dealer(0))
            await house.until_up(house.dealer(0))
            async with redis.asyncio.Redis.from_url(house.redis_url) as client:
                table = await start(crowd, floor.CORE[0])
                await client.flushall()
            assert max(lags_of(await until_settled(house, table))) <= LATE_MS
            await proofs.settled_in_time(house, table)
        finally:
            await conn.execute("UPDATE streams SET mark = '' WHERE stream_id = ANY(%s)", (poison,))
    await proofs.hold(house, crowd, table)


async def test_a_deadline_fires_in_time_where_redis_holds_a_later_one(house: Broken, crowd: Crowd) -> None:
    """The dealer died between log and Redis, where the deadline before, which is later, stands: the log is right."""
    table = await Played.open(crowd, "tongbi_san_gong", {"bet_seconds": 60, "turn_seconds": 1})
    await table.start()
    while len((await table.view()).round.waiting_for) > 1:
        await table.step()
    chosen = await table.next_action()
    assert chosen is not None
    doomed, *rest = await house.up()
    house.doom(house.dealer(doomed), "dealer.saving")
    await table.act(*chosen, (doomed, *rest))
    await house.died(house.dealer(doomed))
    house.revive(house.dealer(doomed))
    assert max(lags_of(await until_settled(house, table, 20.0))) <= LATE_MS
    await proofs.hold(house, crowd, table)
