"""Deadlines fire together, and none that cannot be served keeps others waiting."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest
import structlog

from services.dealer import deadlines
from services.dealer.backoff import LEAST_SECONDS, LINES, MOST_SECONDS, Backoff
from services.dealer.deadlines import Deadlines
from services.eventlog import log
from services.fairness.seal import KeyRing
from services.livestate import slots
from services.runtime.clock import HouseClock
from services.table import events
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_tables import running
from tests.support import served, waits
from tests.support.served import Connection
from tests.support.sittings import Sitting

SHOWDOWN = "showdown"


class Moments:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


class Watch:
    """The deadlines of one dealer, and what has become of them."""

    def __init__(self, dealer: Dealer, families: list[str] | None = None) -> None:
        self.dealer, self.moments = dealer, Moments()
        self.ended: list[str] = []
        self.starts: list[str] = []
        self.first = asyncio.Event()
        self.served = Deadlines(
            dealer.tables,
            dealer.commands,
            dealer.live,
            dealer.pool,
            frozenset(families or [SHOWDOWN]),
            self._appended,
            self._start,
            HouseClock(),
            self.moments,
        )

    def _appended(self, table_id: str, _: list[events.Event]) -> None:
        self.ended.append(table_id)
        self.first.set()

    async def _start(self, table_id: str, _: int) -> list[events.Event]:
        self.starts.append(table_id)
        return []

    async def turn(self) -> int:
        """Fire what is due once, and wait for its end; return how many were left."""
        left = await self.served.fire_due()
        await self.served.settle_down()
        return left


async def fired(conn: Connection, table_id: str) -> int:
    """Return how many deadlines passed at a table."""
    return sum(one.type.startswith("DeadlinePassed") for one in await log.read(conn, table_id))


async def strangers(dealer: Dealer, many: int, family: str = SHOWDOWN) -> None:
    """Put deadlines of tables that the log lacks before all others."""
    for number in range(many):
        await dealer.live.save(served.table_id(), 1, b"nothing", number + 1, family)


async def due(conn: Connection, dealer: Dealer) -> Sitting:
    """Write a table whose deadline has passed."""
    sitting = await running(conn)
    await dealer.saved(sitting.table_id)
    return sitting


async def test_deadlines_of_unknown_tables_stop_none_and_are_forgotten(open_dealer: Open, conn: Connection) -> None:
    """Behind 120 members of tables that the log lacks a table's deadline fires, and Redis is rid of them."""
    dealer = open_dealer()
    await strangers(dealer, 120)
    healthy = await due(conn, dealer)
    watch = Watch(dealer)
    turns = 0
    while await watch.turn():
        turns += 1
        assert turns <= 120 // deadlines.TOGETHER
    assert await fired(conn, healthy.table_id) == 1
    assert watch.ended == [healthy.table_id]
    assert await dealer.live.due(SHOWDOWN, 1_000_000_000, 1000) == []
    assert len(watch.served._backoff) == 0


async def test_a_table_of_another_family_is_forgotten_there(open_dealer: Open, conn: Connection) -> None:
    """A deadline that stands under a family which is not its table's is taken out of that family's only."""
    dealer = open_dealer(families=["poker"])
    sitting = await due(conn, open_dealer())
    await dealer.live.save(sitting.table_id, 1000, b"nothing", 5, "poker")
    watch = Watch(dealer, ["poker"])
    await watch.turn()
    assert await dealer.live.deadline(sitting.table_id, "poker") is None
    assert await dealer.live.deadline(sitting.table_id, SHOWDOWN) == sitting.table.core.deadline_ms
    assert await fired(conn, sitting.table_id) == 0


async def test_tables_that_fail_wait_and_let_others_pass(open_dealer: Open, conn: Connection) -> None:
    """Tables whose rounds this dealer cannot open are tried once each, then again after their pause."""
    failing = [await running(conn) for _ in range(5)]
    dealer = open_dealer(deal=KeyRing("deal", {"deal-2": bytes(32)}, "deal-2"))
    for at_ms, sitting in enumerate(failing, start=1):
        await dealer.live.save(sitting.table_id, 1, b"nothing", at_ms, SHOWDOWN)
    watch = Watch(dealer)
    tried: list[str] = []
    run = dealer.commands.run

    async def counted(job: object) -> object:
        tried.append(job.table_id)  # type: ignore[attr-defined]  # a job
        return await run(job)  # type: ignore[arg-type]  # as above

    dealer.commands.run = counted  # type: ignore[assignment,method-assign]  # counts and hands on
    await watch.turn()
    await watch.turn()
    assert sorted(tried) == sorted(one.table_id for one in failing)
    watch.moments.now += LEAST_SECONDS
    await watch.turn()
    assert len(tried) == 2 * len(failing)
    watch.moments.now += LEAST_SECONDS
    await watch.turn()
    assert len(tried) == 2 * len(failing), "the second pause is twice the first"
    assert len(await dealer.live.due(SHOWDOWN, 1000, 100)) == len(failing), "they are not forgotten"


async def test_families_take_turns(open_dealer: Open, conn: Connection) -> None:
    """A family with more deadlines than fire at once takes half of the places, the other family the rest it needs."""
    dealer = open_dealer()
    await strangers(dealer, 3 * deadlines.TOGETHER, "poker")
    healthy = await due(conn, dealer)
    watch = Watch(dealer, ["poker", SHOWDOWN])
    assert await watch.turn() > 0
    assert await fired(conn, healthy.table_id) == 1


async def test_a_table_that_somebody_holds_keeps_no_other_waiting(open_dealer: Open, conn: Connection) -> None:
    """While a command holds one table the deadlines of others fire, and that table is not tried twice at once."""
    dealer = open_dealer()
    held, free = await due(conn, dealer), await due(conn, dealer)
    watch = Watch(dealer)
    async with dealer.tables.checkout(held.table_id):
        await watch.served.fire_due()

        async def only_the_free_one_has_ended() -> bool:
            await watch.served.fire_due()
            return watch.ended == [free.table_id]

        await waits.eventually(only_the_free_one_has_ended, "the deadline of the free table")
        assert list(watch.served._firing) == [held.table_id]
    await watch.served.settle_down()
    assert sorted(watch.ended) == sorted([held.table_id, free.table_id])
    assert await fired(conn, held.table_id) == 1


async def test_deadlines_that_are_due_together_share_commits(open_dealer: Open, conn: Connection) -> None:
    """Forty deadlines take a few commits, not forty."""
    dealer = open_dealer()
    tables = [await due(conn, dealer) for _ in range(40)]
    batches: list[int] = []
    dealer.commands._appender._on_commit = batches.append
    watch = Watch(dealer)
    assert await watch.turn() == 0
    assert sum(batches) == len(watch.ended) == len(tables)
    assert len(batches) <= 5
    for sitting in tables:
        kinds = [type(one) for one in await served.catch_up(conn, sitting)]
        assert kinds[0] is events.DeadlinePassed


async def test_a_process_with_a_wrong_clock_fires_nothing(open_dealer: Open, conn: Connection) -> None:
    """While the machine's clock is off the loop looks at no deadline; once it is right it fires."""
    dealer = open_dealer()
    sitting = await due(conn, dealer)
    watch = Watch(dealer)
    clock = HouseClock()
    clock._ahead -= 30
    watch.served._clock = clock
    asked = asyncio.Event()
    due_by_family = dealer.live.due_by_family

    async def seen(*given: object) -> object:
        asked.set()
        return await due_by_family(*given)  # type: ignore[arg-type]  # handed on

    dealer.live.due_by_family = seen  # type: ignore[assignment,method-assign]  # counts and hands on
    async with serving(watch.served.serve):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asked.wait(), 3 * deadlines.PAUSE_SECONDS)
        clock._ahead += 30
        await asyncio.wait_for(asked.wait(), 60)
        await asyncio.wait_for(watch.first.wait(), 60)
    assert await fired(conn, sitting.table_id) == 1


@asynccontextmanager
async def serving(work: Callable[[], Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Run a loop within a block."""
    task = asyncio.create_task(work())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_failing_deadlines_hide_no_others_of_their_group() -> None:
    """Each group is read past its own failing tables, and all groups together past a bounded number of them."""
    backoff = Backoff(Moments())
    failing = [f"t{number}" for number in range(1_000)]
    for table_id in failing:
        backoff.failed(table_id, 5, "Error", "")
    counted = [sum(slots.of_table(one) == group for one in failing) for group in range(slots.COUNT)]
    assert deadlines._limits(backoff.waiting_by_group()) == [deadlines.SHARE + count for count in counted]
    many = [4 * deadlines.MOST_LOOKED_AT, *[0] * (slots.COUNT - 1)]
    assert deadlines._limits(many) == [
        deadlines.SHARE + deadlines.MOST_LOOKED_AT,
        *[deadlines.SHARE] * (slots.COUNT - 1),
    ]


def test_pauses_double_up_to_half_a_minute() -> None:
    """A table that keeps failing waits longer each time, up to the bound; a success or another deadline ends it."""
    moments = Moments()
    backoff = Backoff(moments)
    pause = LEAST_SECONDS
    for _ in range(12):
        backoff.failed("t", 5, "Error", "")
        moments.now += pause - 0.01
        assert backoff.waits("t", 5)
        assert not backoff.waits("t", 6), "another deadline has not failed"
        moments.now += 0.01
        assert not backoff.waits("t", 5)
        pause = min(2 * pause, MOST_SECONDS)
    backoff.failed("t", 5, "Error", "")
    backoff.succeeded("t")
    assert not backoff.waits("t", 5)
    backoff.failed("gone", 5, "Error", "")
    moments.now += 4 * MOST_SECONDS
    backoff.tidy()
    assert len(backoff) == 0


def test_failures_are_logged_in_a_bounded_number_of_lines() -> None:
    """A thousand failing tables make twenty lines in half a minute, then one that says how many more there were."""
    moments = Moments()
    backoff = Backoff(moments)
    with structlog.testing.capture_logs() as lines:
        for number in range(1000):
            backoff.failed(f"t{number}", 5, "Error", "")
        moments.now += MOST_SECONDS
        backoff.failed("t0", 5, "Error", "")
    said = [line for line in lines if "could not be served" in line["event"]]
    assert len(said) == LINES + 2
    assert [line["failures"] for line in said if "more deadlines" in line["event"]] == [980]
