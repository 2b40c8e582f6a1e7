"""The sweep of unsettled rounds: whatever fails, the others are settled, and a stuck round is reported."""

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from services.ledger import accounts, books
from services.ledger.records import Entry
from services.livestate.store import LiveState
from services.runtime import metrics
from services.settlement import significant_events, sweep
from services.settlement.rounds import Rounds
from services.settlement.sweep import Sweep
from services.table import public_table
from tests.support import pools, served
from tests.support.served import Connection
from tests.support.sittings import Sitting

FAILING = 120
"""More tables than one page of the sweep holds."""
AGE_MS = 30_000


class Clock:
    """The clock of a sweep, put forward by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return its time, in seconds."""
        return self.now


@pytest.fixture
async def rounds(postgres_url: str, redis_url: str) -> AsyncIterator[tuple[Any, Rounds]]:
    """Return settlement's connections and what settles rounds, with no process beside that sweeps too."""
    live = LiveState(redis_url, call_seconds=1)
    async with pools.make_pool(postgres_url, "pitboss_settlement") as pool:
        yield pool, Rounds(pool, live, None)
    await live.close()


def ended(number: int) -> Sitting:
    """Return a table whose round has ended with a winner."""
    sitting = Sitting("tongbi_san_gong", table_id=f"{number:08x}-0000-4000-8000-00000000abcd")
    sitting.sit({0: 500, 1: 500})
    sitting.start()
    sitting.finish(Random(number), lapses=0.0)
    assert sitting.table.core.phase == public_table.SETTLING
    return sitting


async def publish_failing(conn: Connection, count: int) -> list[Sitting]:
    """Put tables into the log whose losers have no chips in the ledger: their rounds cannot be settled."""
    made = [ended(number) for number in range(count)]
    for sitting in made:
        await served.publish(conn, sitting, together=True)
    return made


async def publish_sound(conn: Connection, number: int) -> Sitting:
    """Put a table into the log whose chips are in the ledger: its round can be settled."""
    sitting = ended(number)
    await served.publish(conn, sitting, together=True)
    seats = {accounts.seat(sitting.table_id, seat): 500 for seat in (0, 1)}
    entry = Entry(
        entry_id=served.table_id(),
        kind="buy_in",
        currency="XTS",
        legs=accounts.legs({**seats, accounts.cashier("XTS", "p0"): -1000}),
        reason="test",
        actor="nobody",
    )
    assert (await books.post(conn, entry)).outcome == "posted"
    return sitting


def gauge(name: str) -> float:
    """Return the value of a gauge of this process."""
    value = metrics.REGISTRY.get_sample_value(name)
    assert value is not None
    return value


async def told(conn: Connection) -> list[str]:
    """Return the tables that were reported as stuck."""
    query = "SELECT subject FROM significant_events WHERE kind = %s ORDER BY number"
    return [row[0] for row in await (await conn.execute(query, (significant_events.STUCK,))).fetchall()]


async def test_a_hundred_tables_that_fail_hide_no_later_one(rounds: tuple[Any, Rounds], conn: Connection) -> None:
    """The one table that can be settled stands behind all pages of failing ones, and one look settles it."""
    pool, settles = rounds
    await publish_failing(conn, FAILING)
    last = await publish_sound(conn, 0xFFFFFFFF)
    await Sweep(pool, settles.settle).once()
    await served.catch_up(conn, last)
    assert last.table.core.phase == public_table.OPEN
    assert gauge("pitboss_unsettled_rounds") == FAILING + 1
    await Sweep(pool, settles.settle).once()
    assert gauge("pitboss_unsettled_rounds") == FAILING


async def test_what_keeps_failing_is_tried_ever_more_rarely_and_told_of_once(
    rounds: tuple[Any, Rounds], conn: Connection
) -> None:
    """Each table waits for itself; it counts as stuck after some failures, and one event names it for good."""
    pool, settles = rounds
    made = await publish_failing(conn, 3)
    tried: list[str] = []

    async def settle(table_id: str) -> Any:
        tried.append(table_id)
        return await settles.settle(table_id)

    clock = Clock()
    swept = Sweep(pool, settle, clock)
    pause, times = sweep.SHORTEST_PAUSE_SECONDS, []
    for failure in range(1, 12):
        await swept.once()
        assert len(tried) == 3 * failure
        assert gauge("pitboss_stuck_rounds") == (3 if failure >= sweep.STUCK_AFTER else 0)
        clock.now += pause * 0.99
        await swept.once()
        assert len(tried) == 3 * failure, "it is not tried before its pause is over"
        clock.now += pause * 0.02
        times.append(pause)
        pause = min(2 * pause, sweep.LONGEST_PAUSE_SECONDS)
    assert times[-1] == sweep.LONGEST_PAUSE_SECONDS
    subjects = [f"table {sitting.table_id} round 1" for sitting in made]
    assert sorted(await told(conn)) == sorted(subjects)
    another = Sweep(pool, settle, clock)
    for _ in range(sweep.STUCK_AFTER):
        await another.once()
        clock.now += sweep.LONGEST_PAUSE_SECONDS
    assert gauge("pitboss_stuck_rounds") == 3
    assert len(await told(conn)) == 3, "a process that starts again tells nothing twice"


async def test_a_stuck_round_that_is_voided_is_stuck_no_more(rounds: tuple[Any, Rounds], conn: Connection) -> None:
    """Staff void it: the gauges fall, and the next round of the table is settled without delay."""
    pool, settles = rounds
    [sitting] = await publish_failing(conn, 1)
    clock = Clock()
    swept = Sweep(pool, settles.settle, clock)
    for _ in range(sweep.STUCK_AFTER):
        await swept.once()
        clock.now += sweep.LONGEST_PAUSE_SECONDS
    assert gauge("pitboss_stuck_rounds") == 1
    sitting.void()
    await served.publish(conn, sitting)
    await swept.once()
    assert (gauge("pitboss_stuck_rounds"), gauge("pitboss_unsettled_rounds")) == (0, 0)


async def test_the_age_of_the_oldest_unsettled_round_is_shown(rounds: tuple[Any, Rounds], conn: Connection) -> None:
    """The gauge that pages is made from the log: of several rounds the oldest one counts, and it falls to 0 with it."""
    pool, settles = rounds
    sittings = [await publish_sound(conn, number) for number in (1, 2, 3)]
    await conn.execute("SET session_replication_role = replica")
    for sitting, age_ms in zip(sittings, (1000, AGE_MS, 0), strict=True):
        await conn.execute(
            "UPDATE streams SET changed_at = clock_timestamp() - %s * interval '1 millisecond' WHERE stream_id = %s",
            (age_ms, sitting.table_id),
        )
    swept = Sweep(pool, settles.settle)
    await swept.once()
    assert AGE_MS / 1000 <= gauge("pitboss_unsettled_oldest_seconds") < AGE_MS / 1000 + 60
    await swept.once()
    assert gauge("pitboss_unsettled_oldest_seconds") == 0
