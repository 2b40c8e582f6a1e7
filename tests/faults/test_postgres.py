"""Postgres is stopped as if the power failed, while rounds run: commands are refused, nothing acknowledged is lost."""

import asyncio

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2, wallet_pb2

from services.localhouse.embedded import EmbeddedPostgres
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import log_events, people, waits
from tests.support.people import Crowd


def _postgres(house: Broken) -> EmbeddedPostgres:
    assert house.running.postgres is not None, "the house has a Postgres of its own"
    return house.running.postgres


async def _played_on(tables: list[Played]) -> None:
    """Wait until some more actions are acknowledged, or the rounds are over."""

    def acknowledged() -> int:
        return sum(len(table.acknowledged) for table in tables)

    before = acknowledged()
    await waits.eventually(lambda: acknowledged() >= before + 8, "play goes on")


async def test_a_restart_under_load_loses_nothing_acknowledged(house: Broken, crowd: Crowd) -> None:
    """Restarted again and again while tables play, the log holds every acknowledged action and no other."""
    tables = [await Played.open(crowd, game) for game in (*floor.CORE, *floor.others(7, 2))]
    for table in tables:
        await table.start()
    playing = [asyncio.create_task(_rounds(table, 2)) for table in tables]
    for _ in range(2):
        await _played_on(tables)
        await asyncio.to_thread(_postgres(house).stop, immediate=True)
        await asyncio.to_thread(_postgres(house).start)
    await asyncio.gather(*playing)
    await proofs.hold(house, crowd, *tables)


async def _rounds(table: Played, count: int) -> None:
    for _ in range(count - 1):
        await table.finish()
        await table.start()
    await table.finish()


async def test_commands_are_refused_while_postgres_is_away(house: Broken, crowd: Crowd) -> None:
    """Without the database every command is UNAVAILABLE and moves no chip; the same requests are done afterwards."""
    tables = [await Played.open(crowd, game) for game in floor.CORE]
    for table in tables:
        await table.start()
    stranger = await crowd.player("stranger")
    waiting = [(table, await table.next_action()) for table in tables]
    seat = dealer_pb2.TakeSeatRequest(
        request_id=client.request_id(),
        table_id=(await crowd.operator.house.create_table("san_gong", **people.ANY_BUY_IN)).table_id,
        buy_in=floor.BUY_IN,
    )
    deposit = wallet_pb2.DepositRequest(request_id=client.request_id(), player=stranger.subject, amount=5)
    before = await house.counts()
    await asyncio.to_thread(_postgres(house).stop, immediate=True)
    for table, chosen in waiting:
        assert chosen is not None
        for dealer in (0, 1):
            call = floor.once(table.players[chosen[0]], dealer, "Act", chosen[1])
            assert (await people.refused("UNAVAILABLE", call)).code.name == "UNAVAILABLE"
    await people.refused("UNAVAILABLE", floor.once(stranger, 0, "TakeSeat", seat))
    await people.refused(
        "UNAVAILABLE", floor.once(stranger, 1, "GetTable", dealer_pb2.GetTableRequest(table_id=tables[0].table_id))
    )
    await people.refused("UNAVAILABLE", crowd.operator.house.call(crowd.operator.house.wallets.Deposit, deposit))
    await asyncio.to_thread(_postgres(house).start)
    assert await house.counts() == before, "something was written by a refused command"
    for table, chosen in waiting:
        assert chosen is not None
        assert await table.act(*chosen), "the same request is done when the database is back"
        await table.finish()
    await floor.insist(stranger, (0, 1), "TakeSeat", seat)
    assert await house.wallet(stranger.subject) == people.WALLET - floor.BUY_IN
    await proofs.hold(house, crowd, *tables)


@pytest.mark.parametrize("game", floor.CORE)
async def test_an_append_whose_answer_was_lost_is_answered_once(house: Broken, crowd: Crowd, game: str) -> None:
    """The connection breaks while an append waits for its table's row: the request is repeated, and done once."""
    table = await Played.open(crowd, game)
    await table.start()
    chosen = await table.next_action()
    assert chosen is not None
    holding = await house.connect()
    await holding.execute("BEGIN")
    await holding.execute("SELECT 1 FROM streams WHERE stream_id = %s FOR UPDATE", (table.table_id,))
    acting = asyncio.create_task(table.act(*chosen))
    async with await house.connect() as watcher:
        await log_events.wait_for_waiting(watcher)
    await asyncio.to_thread(_postgres(house).stop, immediate=True)
    await holding.close()
    await asyncio.to_thread(_postgres(house).start)
    assert await acting
    await proofs.every_acknowledgement_is_in_the_log(house, table)
    await table.finish()
    await proofs.hold(house, crowd, table)
