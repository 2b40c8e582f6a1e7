"""Deadlines that Redis lost are found in the log: by dealers that share the work, or by each alone without Redis."""

import psycopg
import pytest
import redis.asyncio

from services.dealer import deadline_sweep
from services.dealer.deadline_sweep import CLOSES, LANES, ROUNDS
from services.livestate.schedule import Wanted
from services.livestate.store import LiveState
from tests.dealer.conftest import Dealer, Open
from tests.dealer.test_deadlines import SHOWDOWN, Moments, Watch, due, fired
from tests.dealer.test_starts import waiting
from tests.dealer.test_tables import running
from tests.support.served import Connection

NOW = 1_800_000_000_000
TURNS = 100
"""More turns than any of these passes takes."""


class Swept:
    """The sweep of one dealer, with a clock that is moved by hand, and the tables that it looked at."""

    def __init__(self, dealer: Dealer, moments: Moments) -> None:
        self.watch, self.moments = Watch(dealer), moments
        self.sweep = self.watch.served.sweep
        self.sweep._now_ms = lambda: NOW + int(moments.now * 1000)
        self.watch.moments = self.moments
        self.sweep._monotonic = moments
        self.looked_at: list[str] = []
        self._unscheduled = dealer.live.unscheduled
        dealer.live.unscheduled = self._noted  # type: ignore[assignment,method-assign]  # notes and hands on

    async def _noted(self, tables: list[Wanted]) -> object:
        self.looked_at += [one.table_id for one in tables]
        return await self._unscheduled(tables)

    async def turn(self, lane: deadline_sweep.Lane = ROUNDS) -> float:
        """Take one turn."""
        return await self.sweep.turn(lane)


async def through(*dealers: Swept) -> None:
    """Take turns, one dealer after the other, until none is due at this moment."""
    for _ in range(TURNS):
        waits = [await dealer.turn(lane) for lane in LANES for dealer in dealers]
        if min(waits) > deadline_sweep.LEAST_WAIT_SECONDS:
            return
    pytest.fail("the pass does not end")


async def settled(*dealers: Swept) -> None:
    """Let the first pass end, and come to the moment of the next one."""
    await through(*dealers)
    for dealer in dealers:
        dealer.looked_at.clear()
    dealers[0].moments.now += ROUNDS.seconds


async def test_dealers_share_a_pass(open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one pass each table is looked at by one dealer, and each dealer looks at some."""
    monkeypatch.setattr(deadline_sweep, "PAGE", 3)
    tables = [(await running(conn)).table_id for _ in range(7)] + [(await waiting(conn)).table_id for _ in range(4)]
    moments = Moments()
    one, other = Swept(open_dealer(), moments), Swept(open_dealer(), moments)
    await settled(one, other)
    for _ in range(TURNS):
        for dealer in (one, other):
            await dealer.turn()
            moments.now += deadline_sweep.PAUSE_SECONDS
        if len(one.looked_at) + len(other.looked_at) >= len(tables):
            break
    assert sorted(one.looked_at + other.looked_at) == sorted(tables)
    assert one.looked_at
    assert other.looked_at


async def test_a_pass_over_many_tables_takes_its_time(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each part there is a pause, in which no dealer looks at any table."""
    monkeypatch.setattr(deadline_sweep, "PAGE", 2)
    for _ in range(5):
        await running(conn)
    moments = Moments()
    one, other = Swept(open_dealer(), moments), Swept(open_dealer(), moments)
    await settled(one, other)
    await through(one, other)
    assert len(one.looked_at + other.looked_at) == 2
    moments.now += deadline_sweep.PAUSE_SECONDS
    await through(one, other)
    assert len(one.looked_at + other.looked_at) == 4


async def test_what_redis_has_lost_is_found_at_once_by_all(
    open_dealer: Open, conn: Connection, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a flush the pass begins anew and does not pause; afterwards Redis holds every deadline again."""
    monkeypatch.setattr(deadline_sweep, "PAGE", 2)
    tables = [await running(conn) for _ in range(7)]
    moments = Moments()
    one, other = Swept(open_dealer(), moments), Swept(open_dealer(), moments)
    await settled(one, other)
    await one.turn()
    async with redis.asyncio.Redis.from_url(redis_url) as client:
        await client.flushdb()
    await through(one, other)
    await one.watch.dealer.tables.settle_down()
    await other.watch.dealer.tables.settle_down()
    for sitting in tables:
        assert await one.watch.dealer.live.deadline(sitting.table_id, SHOWDOWN) == sitting.table.core.deadline_ms


async def test_a_dealer_that_starts_looks_through_all_tables(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait for the pass under way: the deadline that a dead dealer did not save is found at once."""
    monkeypatch.setattr(deadline_sweep, "PAGE", 2)
    moments = Moments()
    one = Swept(open_dealer(), moments)
    await settled(one)
    await through(one)
    lost = [await due(conn, open_dealer()) for _ in range(5)]
    for sitting in lost:
        await one.watch.dealer.live.forget_deadline(sitting.table_id, sitting.table.core.deadline_ms, SHOWDOWN)
    started = Swept(open_dealer(), moments)
    await started.sweep.begin()
    await through(started)
    await started.watch.turn()
    assert [await fired(conn, sitting.table_id) for sitting in lost] == [1] * len(lost)


async def test_without_redis_each_dealer_looks_through_all_tables(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first pass alone is hurried, the next ones pause; the dealer fires what it has found."""
    monkeypatch.setattr(deadline_sweep, "PAGE", 2)
    tables = [await running(conn) for _ in range(5)]
    moments = Moments()
    alone = []
    for _ in range(2):
        dealer = open_dealer()
        dealer.live = dealer.tables._live = dealer.tables._saver._live = LiveState(
            "redis://127.0.0.1:9/0", call_seconds=0.2
        )
        alone.append(Swept(dealer, moments))
        await through(alone[-1])
        assert sorted(alone[-1].looked_at) == sorted(sitting.table_id for sitting in tables)
        await dealer.tables.settle_down()
    moments.now += ROUNDS.seconds
    alone[0].looked_at.clear()
    await through(alone[0])
    assert len(alone[0].looked_at) == 2
    for dealer_alone in alone:
        assert await dealer_alone.watch.turn() == 0
    assert [await fired(conn, sitting.table_id) for sitting in tables] == [1] * len(tables)
    for dealer_alone in alone:
        await dealer_alone.watch.dealer.live.close()


async def test_a_turn_that_cannot_read_the_log_is_given_back(open_dealer: Open, conn: Connection) -> None:
    """While one dealer has no database, another takes the same part after the pause, not after the lease."""
    sitting = await running(conn)
    moments = Moments()
    one, other = Swept(open_dealer(), moments), Swept(open_dealer(), moments)
    await settled(one, other)

    class Away:
        def connection(self) -> object:
            message = "away for a test"
            raise psycopg.OperationalError(message)

    one.sweep._pool = Away()  # type: ignore[assignment]  # a pool without a database
    with pytest.raises(psycopg.OperationalError):
        await one.turn()
    moments.now += deadline_sweep.PAUSE_SECONDS
    await other.turn()
    assert other.looked_at == [sitting.table_id]


async def test_a_table_that_cannot_be_served_holds_up_no_other(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While somebody holds one lost table the others of its part are found, and the sweep goes on."""
    monkeypatch.setattr(deadline_sweep, "LOOK_SECONDS", 0.2)
    tables = [await running(conn) for _ in range(3)]
    one = Swept(open_dealer(), Moments())
    async with one.watch.dealer.tables.checkout(tables[1].table_id):
        await through(one)
    known = one.watch.served._known
    assert [sitting.table_id in known for sitting in tables] == [True, False, True]


async def test_a_deadline_that_redis_did_not_take_is_known_without_a_sweep(open_dealer: Open, conn: Connection) -> None:
    """The dealer that could not save a table fires its deadline itself, also while the sweep is elsewhere."""
    sitting = await running(conn)
    dealer = open_dealer()
    watch = Watch(dealer)
    away = LiveState("redis://127.0.0.1:9/0", call_seconds=0.2)
    dealer.tables._saver._live = away
    await dealer.saved(sitting.table_id)
    assert await dealer.live.deadline(sitting.table_id, SHOWDOWN) is None
    await watch.turn()
    assert await fired(conn, sitting.table_id) == 1
    await away.close()


async def test_idle_tables_are_looked_at_every_five_minutes(open_dealer: Open) -> None:
    """Their pass is not that of running rounds, and the next one begins when its time is over."""
    moments = Moments()
    one = Swept(open_dealer(), moments)
    await through(one)
    moments.now += CLOSES.seconds - 1
    assert await one.turn(CLOSES) == deadline_sweep.MOST_WAIT_SECONDS
    moments.now += 1
    assert await one.turn(CLOSES) == deadline_sweep.LEAST_WAIT_SECONDS
