"""Redis is flushed, stopped and started again in mid-round: play goes on from the log."""

import asyncio

import pytest
import redis.asyncio
from pitboss.v1 import table_pb2

from services.contract import wire_tables
from services.table import events, public_table
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support.people import Crowd


async def _opened(crowd: Crowd, games: tuple[str, ...]) -> list[Played]:
    tables = [await Played.open(crowd, game) for game in games]
    for table in tables:
        await table.start()
        await table.play(1)
    return tables


async def _flush(house: Broken) -> None:
    async with redis.asyncio.Redis.from_url(house.redis_url) as client:
        await client.flushall()


async def test_a_flush_in_mid_round_loses_nothing(house: Broken, crowd: Crowd) -> None:
    """Flushed between any two actions, Redis is filled again from the log, and rounds end as they would have."""
    tables = await _opened(crowd, (*floor.CORE, *floor.others(5, 4)))
    playing = [asyncio.create_task(table.finish()) for table in tables]
    while not all(task.done() for task in playing):
        await _flush(house)
        await asyncio.wait(playing, timeout=0.05)
    await asyncio.gather(*playing)
    await proofs.hold(house, crowd, *tables)
    for table in tables:
        await proofs.settled_in_time(house, table)


def _without_clock(view: table_pb2.TableView) -> bytes:
    """Return what a view shows, the moment of showing aside."""
    view.ClearField("clock")
    return view.SerializeToString(deterministic=True)


@pytest.mark.parametrize("game", floor.CORE)
async def test_hidden_cards_are_the_same_after_a_flush(house: Broken, crowd: Crowd, game: str) -> None:
    """A dealer that has forgotten a round and finds Redis empty shows every player the same hand as before."""
    (table,) = await _opened(crowd, (game,))
    before = [_without_clock(await table.view(seat)) for seat in range(len(table.players))]
    doomed, *rest = await house.up()
    await _flush(house)
    await asyncio.to_thread(house.dealer(doomed).kill)
    house.revive(house.dealer(doomed))
    await house.until_up(house.dealer(doomed))
    after = [_without_clock(await table.view(seat, (doomed,))) for seat in range(len(table.players))]
    assert after == before
    await table.finish(rest)
    await proofs.hold(house, crowd, table)


async def test_play_goes_on_while_redis_is_away(house: Broken, crowd: Crowd) -> None:
    """Stopped in mid-round, Redis is not missed: rounds go on, end, are settled and begin; back, it is used again."""
    tables = await _opened(crowd, (*floor.CORE, *floor.others(6, 2)))
    running = house.running.redis
    assert running is not None, "the house has a Redis of its own"
    await asyncio.to_thread(running.stop, immediate=True)
    for table in tables:
        await table.play(2)
    await asyncio.gather(*(table.finish() for table in tables))
    for table in tables:
        await proofs.settled_in_time(house, table)
        await table.start()
        await table.play(1)
    await asyncio.to_thread(running.start)
    await asyncio.gather(*(table.finish() for table in tables))
    await proofs.hold(house, crowd, *tables)
    for table in tables:
        recorded = await house.events(table.table_id)
        assert [event.round_number for event in recorded if isinstance(event, events.RoundSettled)] == [1, 2]
        assert (await _state(table)) == public_table.OPEN


async def _state(table: Played) -> str:
    shown = (await table.view()).table.state
    return next(phase for phase, state in wire_tables.STATES.items() if state == shown)
