"""Deadlines against actions, other dealers and deaths: the order is held by hand, through locks of the database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from services.eventlog.log import Appender
from services.rules.refusals import Refused
from services.runtime import pools
from services.table import events
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_commands import multiple, run
from tests.dealer.test_deadlines import SHOWDOWN, Watch, due, fired
from tests.support import served, waits
from tests.support.served import Connection
from tests.support.sittings import Sitting

MANY = 12
"""Deadlines of one batch."""


class Apart:
    """A dealer with connections and a group commit of its own, as a process of its own has them."""

    def __init__(self, dealer: Dealer, pool: pools.Pool, appender: Appender) -> None:
        self.dealer, self.appender = dealer, appender
        dealer.commands._appender, dealer.commands._pool = appender, pool
        self.watch = Watch(dealer)

    async def fire(self) -> None:
        """Fire what is due, and wait for its end."""
        await self.watch.turn()

    async def die(self) -> None:
        """End all that it does, as a kill does; nothing is saved or answered any more."""
        tasks = [task for task in (*self.watch.served._firing.values(), self.appender._worker) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
async def pair(postgres_url: str, redis_url: str, open_dealer: Open) -> AsyncIterator[tuple[Apart, Apart]]:
    """Yield two dealers that share nothing but the database and Redis."""
    async with AsyncExitStack() as stack:
        made = []
        for number in range(2):
            settings = served.given(postgres_url, redis_url)
            pool = await stack.enter_async_context(pools.opened(settings, "pitboss_dealer", f"dealer-{number}"))
            made.append(Apart(open_dealer(), pool, await stack.enter_async_context(Appender(pool))))
        yield made[0], made[1]


@asynccontextmanager
async def held(url: str, table_id: str) -> AsyncIterator[None]:
    """Hold a table's row in the database, so that appends to it wait, in the order in which they came."""
    async with await served.connect(url) as holder, holder.transaction():
        await holder.execute("SELECT 1 FROM streams WHERE stream_id = %s FOR UPDATE", (table_id,))
        yield


async def waiting(conn: Connection, count: int) -> None:
    """Wait until so many connections wait for a lock."""

    async def all_wait() -> bool:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        [found] = await (await conn.execute(query)).fetchall()
        return bool(found[0] == count)

    await waits.eventually(all_wait, f"{count} connections that wait")


def kinds(made: Sequence[events.Event]) -> list[type[events.Event]]:
    """Return the types of events."""
    return [type(event) for event in made]


async def test_an_action_that_comes_before_its_deadline_counts(
    postgres_url: str, conn: Connection, pair: tuple[Apart, Apart]
) -> None:
    """Both are decided on the same version; the action is appended first, and the deadline passes after it, once."""
    acting, firing = pair
    sitting = await due(conn, acting.dealer)
    async with held(postgres_url, sitting.table_id):
        act = asyncio.create_task(run(acting.dealer, multiple(sitting)))
        await waiting(conn, 1)
        deadline = asyncio.create_task(firing.fire())
        await waiting(conn, 2)
    await asyncio.gather(act, deadline)
    later = await served.catch_up(conn, sitting)
    assert kinds(later)[:2] == [events.ActionTaken, events.DeadlinePassed]
    assert kinds(later).count(events.DeadlinePassed) == 1
    assert firing.watch.ended == [sitting.table_id]


async def test_an_action_that_comes_after_its_deadline_is_refused(
    postgres_url: str, conn: Connection, pair: tuple[Apart, Apart]
) -> None:
    """Both are decided on the same version; the deadline is appended first, and the action finds its phase over."""
    acting, firing = pair
    sitting = await due(conn, acting.dealer)
    async with held(postgres_url, sitting.table_id):
        deadline = asyncio.create_task(firing.fire())
        await waiting(conn, 1)
        act = asyncio.create_task(run(acting.dealer, multiple(sitting)))
        await waiting(conn, 2)
    await deadline
    with pytest.raises(Refused):
        await act
    later = await served.catch_up(conn, sitting)
    assert kinds(later)[0] is events.DeadlinePassed
    assert events.ActionTaken not in kinds(later)
    assert firing.watch.ended == [sitting.table_id]


async def test_dealers_that_fire_the_same_deadline_fire_it_once(
    postgres_url: str, conn: Connection, pair: tuple[Apart, Apart]
) -> None:
    """Both have decided it; one appends, the other finds it passed and writes Redis what is true now."""
    sitting = await due(conn, pair[0].dealer)
    async with held(postgres_url, sitting.table_id):
        tasks = []
        for number, one in enumerate(pair, 1):
            tasks.append(asyncio.create_task(one.fire()))
            await waiting(conn, number)
    await asyncio.gather(*tasks)
    later = await served.catch_up(conn, sitting)
    assert kinds(later).count(events.DeadlinePassed) == 1
    assert [one.watch.ended for one in pair] == [[sitting.table_id], []]


async def _due_together(conn: Connection, dealer: Dealer) -> list[Sitting]:
    return [await due(conn, dealer) for _ in range(MANY)]


async def _fired_once(conn: Connection, tables: Sequence[Sitting]) -> bool:
    return [await fired(conn, one.table_id) for one in tables] == [1] * len(tables)


async def test_what_a_dealer_fires_when_it_dies_before_the_commit_fires_another(
    postgres_url: str, conn: Connection, pair: tuple[Apart, Apart]
) -> None:
    """A batch of deadlines is under way and waits when its dealer and its connection die: none of it has happened."""
    doomed, other = pair
    tables = await _due_together(conn, doomed.dealer)
    async with held(postgres_url, tables[0].table_id):
        firing = asyncio.create_task(doomed.fire())
        await waiting(conn, 1)
        await conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        await doomed.die()
        await asyncio.gather(firing, return_exceptions=True)
        await waiting(conn, 0)
    await other.fire()
    assert sorted(other.watch.ended) == sorted(one.table_id for one in tables)
    assert await _fired_once(conn, tables)


async def test_what_a_dealer_has_fired_when_it_dies_after_the_commit_fires_no_other(
    conn: Connection, pair: tuple[Apart, Apart], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch is in the log and Redis still has the deadlines that passed: another dealer finds them passed."""
    doomed, other = pair
    tables = await _due_together(conn, doomed.dealer)
    monkeypatch.setattr(doomed.dealer.tables._saver, "changed", lambda _: None)
    await doomed.fire()
    await doomed.die()
    assert len(doomed.watch.ended) == MANY
    await other.fire()
    assert other.watch.ended == []
    assert await _fired_once(conn, tables)
    await other.dealer.tables.settle_down()
    assert await other.dealer.live.due(SHOWDOWN, tables[0].table.core.deadline_ms - 1, 100) == []
