"""What it costs to settle a round: its statements in one trip beside the same statements sent one by one.

Both ways take turns on one connection, from round to round, so that both meet the same machine.
"""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from random import Random
from typing import Any, Final

import msgspec

from services.database import statements
from services.database.statements import Statement
from services.ledger import accounts, books
from services.ledger.records import Entry
from services.settlement import money_commands
from services.settlement.rounds import SettleRound
from tests.support import pools, served
from tests.support.served import Connection
from tests.support.sittings import Sitting

WARM: Final = 20
ROUNDS: Final = 300


class Cost(msgspec.Struct):
    """Medians over rounds that one caller settles: its wait, and the processor time of this process."""

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


async def measure(url: str) -> tuple[Cost, Cost]:
    """Return the costs together and one by one; the two ways alternate from round to round."""
    took: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    async with pools.make_pool(url, "pitboss_settlement", most=1) as pool, _owner(url) as conn:
        tables = [await _ended(conn) for _ in range(2 * (WARM + ROUNDS))]
        for place, table in enumerate(tables):
            singly = place % 2 == 1
            with _way(singly=singly):
                began, worked = time.perf_counter(), time.process_time()
                await money_commands.run(pool, SettleRound(table), None)
                took[singly].append((time.perf_counter() - began, time.process_time() - worked))
    return _cost(took[False][WARM:]), _cost(took[True][WARM:])


def lines(url: str) -> list[tuple[str, str, str, str, str]]:
    """Measure, and return the lines of the table."""
    together, singly = asyncio.run(measure(url))
    what = "settlement of a round, statements together, beside one by one"
    return [
        (f"{what}: {name}", f"{ours:,.2f}", f"{other:,.2f}", f"{ours / other:.2f}", "")
        for name, ours, other in (
            ("p50 in ms", together.p50_ms, singly.p50_ms),
            ("settlement's processor time in µs", together.cpu_us, singly.cpu_us),
        )
    ]


def _cost(took: list[tuple[float, float]]) -> Cost:
    return Cost(
        statistics.median(wait for wait, _ in took) * 1000, statistics.median(worked for _, worked in took) * 1e6
    )


@asynccontextmanager
async def _owner(url: str) -> AsyncIterator[Connection]:
    async with await served.connect(url) as conn:
        await conn.execute("SET synchronous_commit = off")
        yield conn


async def _ended(conn: Connection) -> str:
    """Put a table whose round has ended into log and ledger; return its id."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id())
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
