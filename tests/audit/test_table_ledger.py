"""A table's entries beside its events: real nights pass, and every changed, added or removed entry is reported."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from services.audit import table_ledger
from services.contract import movements
from tests.support import pools, served
from tests.support.served import Connection
from tests.support.settlement_floor import GAMES, Floor, RealSitting


@pytest.fixture
async def conn(postgres_url: str) -> AsyncIterator[Connection]:
    """Yield a connection as superuser for which no trigger fires."""
    async with await served.connect(postgres_url) as connection:
        yield connection


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Any]:
    """Yield an auditor's pool."""
    async with pools.make_pool(postgres_url, "pitboss_audit") as found:
        yield found


@pytest.fixture
async def floor(postgres_url: str, redis_url: str, conn: Connection) -> AsyncIterator[Floor]:
    """Serve settlement for a night."""
    async with served.serve("settlement", served.given(postgres_url, redis_url)) as settlement:
        yield Floor(settlement, conn, Random(7))


async def found(pool: Any, sitting: RealSitting) -> list[tuple[int, str, str, str]]:
    """Return version, field, expected and found value of each fault in a table's entries."""
    return [
        (one.version, one.field, one.expected, one.found) for one in await table_ledger.compare(pool, sitting.table_id)
    ]


async def test_real_nights_hold(floor: Floor, pool: Any) -> None:
    """In many games every entry of buy-ins, top-ups, rounds, voids, departures and closings matches its events."""
    for game in GAMES:
        sitting = await floor.night_at(game)
        assert await found(pool, sitting) == [], game
        versions = [number for number, event in enumerate(sitting.log, 1) if type(event).__name__ in movements.NAMES]
        for version in versions[:: max(1, len(versions) // 4)]:
            assert await table_ledger.compare(pool, sitting.table_id, version, version) == []


async def test_each_change_of_an_entry_is_named(floor: Floor, pool: Any, conn: Connection) -> None:
    """Every change of a settled round is reported: moved chips, other words, another actor, a row removed or added."""
    sitting = await floor.open("tongbi_san_gong", 3, 1000)
    for _ in range(3):
        await floor.round(sitting)
    await conn.execute("SET session_replication_role = replica")
    cursor = await conn.execute(
        "SELECT e.entry_id::text, array_agg(l.account ORDER BY line), array_agg(l.amount ORDER BY line) FROM entries e"
        " JOIN legs l ON l.entry_id = e.entry_id WHERE e.\"table\" = %s AND e.kind = 'round' GROUP BY 1",
        (sitting.table_id,),
    )
    entry_id, accounts, amounts = (await cursor.fetchall())[0]
    version = next(n for n in range(1, 1000) if movements.entry_id(sitting.table_id, n) == entry_id)
    leg = "UPDATE legs SET amount = amount + %s WHERE entry_id = %s AND account = %s"
    for by, account in ((3, accounts[0]), (-3, accounts[1])):
        await conn.execute(leg, (by, entry_id, account))
    assert await found(pool, sitting) == [
        (version, f"amount of {account}", str(amount), str(amount + by))
        for account, amount, by in zip(accounts[:2], amounts[:2], (3, -3), strict=True)
    ]
    for by, account in ((-3, accounts[0]), (3, accounts[1])):
        await conn.execute(leg, (by, entry_id, account))
    for column, value in (
        ("actor", "nobody"),
        ("reason", "none"),
        ("kind", "void"),
        ("round", 99),
        ("currency", "XTS"),
    ):
        await conn.execute("CREATE TEMP TABLE kept AS SELECT * FROM entries WHERE entry_id = %s", (entry_id,))
        await conn.execute(f"UPDATE entries SET {column} = %s WHERE entry_id = %s".encode(), (value, entry_id))
        [(at, field, _, said)] = await found(pool, sitting)
        assert (at, field, said) == (version, column, str(value))
        await conn.execute("DELETE FROM entries WHERE entry_id = %s", (entry_id,))
        assert await found(pool, sitting) == [(version, "entry", "one of kind round", "it is missing")]
        await conn.execute("INSERT INTO entries SELECT * FROM kept")
        await conn.execute("DROP TABLE kept")
    assert await found(pool, sitting) == []
    await conn.execute(
        'INSERT INTO entries SELECT gen_random_uuid(), kind, currency, reason, "table", round, NULL, digest, actor, at,'
        " size FROM entries WHERE entry_id = %s",
        (entry_id,),
    )
    assert await found(pool, sitting) == [(0, "entry", "no entry without an event", "it was posted")]
