"""What it costs to settle a round: its statements in one trip beside the same statements sent one by one.

Both ways take turns on the same server, each over tables of its own; the tables of a turn are all of one shard.
"""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any, Final

import msgspec
import psutil

from services.database import statements
from services.database.statements import Statement
from services.ledger import accounts, books
from services.ledger.records import Entry
from services.settlement import money_commands
from services.settlement.rounds import SettleRound
from tests.support import log_events, pools, served
from tests.support.served import Connection
from tests.support.sittings import Sitting

TURNS: Final = 4
ROUNDS: Final = 120
CALLERS: Final = 8


class Speed(msgspec.Struct):
    """Rounds settled a second by several callers, the median of one caller, and this process's time for each."""

    per_second: float
    p50_ms: float
    cpu_us: float


async def one_by_one(conn: Connection, sent: Sequence[Statement]) -> list[list[Any]]:
    """Run statements as ``together`` does, each in a round trip of its own."""
    found: list[list[Any]] = []
    for one in sent:
        async with conn.cursor(binary=True) as cursor:
            await cursor.execute(one.query, one.parameters, prepare=True)
            found.append([] if cursor.description is None else await cursor.fetchall())
    return found


@contextmanager
def _way(*, singly: bool) -> Iterator[None]:
    really = statements.together
    if singly:
        statements.together = one_by_one
    try:
        yield
    finally:
        statements.together = really


async def measure(url: str) -> tuple[Speed, Speed]:
    """Return the speeds together and one by one: medians over turns that alternate."""
    turns: dict[bool, list[Speed]] = {True: [], False: []}
    async with pools.make_pool(url, "pitboss_settlement", least=CALLERS, most=CALLERS) as pool, _owner(url) as conn:
        for turn in range(TURNS + 1):
            for singly in (True, False) if turn % 2 else (False, True):
                tables = [await _ended(conn, turn) for _ in range(2 * ROUNDS)]
                with _way(singly=singly):
                    turns[singly].append(await _settled(pool, tables))
    return _median(turns[False][1:]), _median(turns[True][1:])


def lines(url: str) -> list[tuple[str, str, str, str, str]]:
    """Measure, and return the lines of the table."""
    together, singly = asyncio.run(measure(url))
    what = "settlement, statements together, beside one by one"
    return [
        (f"{what}: {name}", f"{ours:,.2f}", f"{other:,.2f}", f"{ours / other:.2f}", "")
        for name, ours, other in (
            (f"rounds of one shard a second, {CALLERS} callers", together.per_second, singly.per_second),
            ("p50 in ms, one caller", together.p50_ms, singly.p50_ms),
            ("settlement's time in µs, one caller", together.cpu_us, singly.cpu_us),
        )
    ]


async def _settled(pool: Any, tables: list[str]) -> Speed:
    alone, shared = tables[:ROUNDS], iter(tables[ROUNDS:])
    before, took = psutil.Process().cpu_times(), []
    for table in alone:
        began = time.perf_counter()
        await money_commands.run(pool, SettleRound(table), None)
        took.append(time.perf_counter() - began)
    after = psutil.Process().cpu_times()

    async def caller() -> None:
        for table in shared:
            await money_commands.run(pool, SettleRound(table), None)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    return Speed(
        ROUNDS / (time.perf_counter() - began),
        statistics.median(took) * 1000,
        (after.user + after.system - before.user - before.system) / ROUNDS * 1e6,
    )


@asynccontextmanager
async def _owner(url: str) -> AsyncIterator[Connection]:
    async with await served.connect(url) as conn:
        await conn.execute("SET synchronous_commit = off")
        yield conn


async def _ended(conn: Connection, shard: int) -> str:
    """Put a table of a shard whose round has ended into log and ledger; return its id."""
    sitting = Sitting("tongbi_san_gong", table_id=log_events.stream(shard))
    sitting.sit({0: 500, 1: 500})
    chips = {accounts.seat(sitting.table_id, seat): 500 for seat in (0, 1)}
    entry = Entry(
        entry_id=served.table_id(),
        kind="buy_in",
        currency="XTS",
        legs=accounts.legs({**chips, accounts.cashier("XTS", "p0"): -1000}),
        reason="bench",
        actor="nobody",
    )
    await books.post(conn, entry)
    sitting.start()
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    return sitting.table_id


def _median(turns: list[Speed]) -> Speed:
    return Speed(*(statistics.median(getattr(one, name) for one in turns) for name in Speed.__struct_fields__))
