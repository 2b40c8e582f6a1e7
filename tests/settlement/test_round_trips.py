"""A money command is three round trips: read, write, commit; the append is the last that it writes."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from pitboss.v1 import settlement_pb2 as pb
from psycopg import sql

from services.ledger import accounts, books, checks
from services.ledger.records import Entry
from services.ledger.signatures import EntryKey
from services.rules.refusals import Refused
from services.settlement import money_commands, seat_commands, voids
from services.settlement.rounds import SettleRound
from services.table import public_table
from tests.support import pools, served, traced
from tests.support.served import LEDGER_SEED, Connection, on_behalf, request_id
from tests.support.settlement_floor import voiding
from tests.support.sittings import Sitting

KEY = EntryKey(LEDGER_SEED)


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Any]:
    """Return one connection of settlement."""
    async with pools.make_pool(postgres_url, "pitboss_settlement", most=1) as opened:
        yield opened


async def seated(conn: Connection, *, absence: bool = False) -> Sitting:
    """Return a table of two seats with chips, in log and ledger; no process is there that settles its rounds.

    ``absence``: its seats may sit out for so long only.
    """
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id(), absence=absence)
    sitting.sit({0: 500, 1: 500})
    await served.publish(conn, sitting, together=True)
    chips = {accounts.seat(sitting.table_id, seat): 500 for seat in (0, 1)}
    entry = Entry(
        entry_id=served.table_id(),
        kind="buy_in",
        currency="XTS",
        legs=accounts.legs({**chips, accounts.cashier("XTS", "p0"): -1000}),
        reason="test",
        actor="nobody",
    )
    assert (await books.post(conn, entry, KEY)).outcome == "posted"
    return sitting


async def ended(conn: Connection) -> Sitting:
    """Return a table whose round waits for its settlement."""
    sitting = await seated(conn)
    sitting.start()
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    assert sitting.table.core.phase == public_table.SETTLING
    return sitting


async def test_a_round_is_settled_in_three_round_trips_and_its_append_comes_last(conn: Connection, pool: Any) -> None:
    """Begin and read; post, figures and append; commit: a shard is locked for the last of the three alone."""
    tables = [await ended(conn) for _ in range(2)]
    async with pool.connection() as own:
        pass
    for sitting in tables:
        with traced.of(own) as trace:
            await money_commands.run(pool, SettleRound(sitting.table_id), KEY)
        assert trace.trips() == 3
        if sitting is tables[0]:
            order = ["BEGIN", "SELECT s.stream_id", "post_entry", "configurations", "whole", "append_one", "COMMIT"]
            assert all(word in one for word, one in zip(order, trace.statements(), strict=True)), trace.statements()
        await served.catch_up(conn, sitting)
        assert sitting.table.core.phase == public_table.OPEN
    assert await checks.imbalance(conn) == 0


async def test_a_void_records_its_significant_event_before_it_appends(conn: Connection, pool: Any) -> None:
    """Whatever is recorded beside the events comes before them."""
    sitting = await ended(conn)
    request = pb.VoidOutRequest(
        request_id=request_id(),
        table_id=sitting.table_id,
        on_behalf=on_behalf("operator", "operator"),
        reason="malfunction",
        **voiding(sitting),
    )
    async with pool.connection() as own:
        pass
    with traced.of(own) as trace:
        await money_commands.run(pool, voids.VoidRound(request, 10_000), KEY)
    *_, significant, append, commit = trace.statements()
    assert "significant_events" in significant
    assert "append_one" in append
    assert commit == "COMMIT"


async def test_a_leave_and_its_repetition_take_as_few(conn: Connection, pool: Any) -> None:
    """The look for the request goes with the first read; a repetition writes nothing and gets the first answer."""
    sitting = await seated(conn)
    request = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    async with pool.connection() as own:
        pass
    with traced.of(own) as trace:
        first = await money_commands.run(pool, seat_commands.CashOut(request), KEY)
    assert trace.trips() == 3
    with traced.of(own) as trace:
        again = await money_commands.run(pool, seat_commands.CashOut(request), KEY)
    assert trace.trips() == 2
    assert again == first
    assert await books.balance(conn, accounts.wallet("XTS", "p0")) == 500


async def test_a_movement_that_the_ledger_refuses_leaves_nothing_of_the_trip(conn: Connection, pool: Any) -> None:
    """The figures and the events that were sent behind it are undone with it."""
    sitting = await ended(conn)
    await conn.execute("SET session_replication_role = replica")
    for seat in (0, 1):
        await conn.execute(
            "UPDATE accounts SET balance = 0 WHERE account = %s", (accounts.seat(sitting.table_id, seat),)
        )
    before = await tables_of(conn)
    with pytest.raises(Refused) as caught:
        await money_commands.run(pool, SettleRound(sitting.table_id), KEY)
    assert caught.value.reason == "INTERNAL"
    assert await tables_of(conn) == before
    assert await books.balance(conn, accounts.wallet("XTS", "p0")) == 0


async def tables_of(conn: Connection) -> list[tuple[str, int]]:
    """Return how many rows each table of a settlement's writes has."""
    names = ("events", "requests", "entries", "legs", "configurations", "rounds", "round_seats", "significant_events")
    counted = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT {}, count(*) FROM {}").format(name, sql.Identifier(name)) for name in names
    )
    return list(await (await conn.execute(counted)).fetchall())
