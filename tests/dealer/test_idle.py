"""An idle table is closed without any client: found by the index of deadlines, paid out by settlement, once."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from pitboss.v1 import settlement_pb2 as pb
from pitboss.v1 import wallet_pb2

from services.contract import movements
from services.eventlog import log
from services.journal import log_rows
from services.ledger import accounts, books, checks
from services.runtime import clock
from services.runtime.identity import Role
from services.settlement import money_commands, seat_commands
from services.table import events, public_table
from services.table.public_table import PublicTable
from tests.dealer.conftest import Open
from tests.dealer.test_deadlines import SHOWDOWN, Watch
from tests.support import ledger_entries, pools, served, waits
from tests.support.served import Connection, Served
from tests.support.sittings import Sitting

Pool = Any
Meanwhile = Callable[[], Awaitable[Any]]


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Return settlement's connections."""
    async with pools.make_pool(postgres_url, "pitboss_settlement") as opened:
        yield opened


class Closing(seat_commands.CloseIdle):
    """A close of an idle table; ``meanwhile`` happens once, between the look at the table and the decision."""

    def __init__(self, sitting: Sitting, meanwhile: Meanwhile) -> None:
        super().__init__(pb.CloseOutRequest(table_id=sitting.table_id, if_idle=True))
        self._meanwhile: Meanwhile | None = meanwhile

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Let others act."""
        del conn, core
        if self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            await meanwhile()


async def left_alone(conn: Connection) -> Sitting:
    """Write a table that nobody has used since long ago, with a seat of 500 chips in log and ledger."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id(), idle=True)
    await ledger_entries.move(conn, accounts.cashier("XTS", "p0"), accounts.wallet("XTS", "p0"), 500, currency="XTS")
    sitting.sit({0: 500})
    entry = movements.entry(sitting.table.core, sitting.log[-1:], "p0")
    assert entry is not None
    await books.post(conn, entry)
    await served.publish(conn, sitting)
    head = await log.read_head(conn, sitting.table_id)
    assert head is not None
    assert head.mark == log_rows.IDLE
    return sitting


async def paid_once(conn: Connection, sitting: Sitting) -> None:
    """Check that the seat was paid, once, and that ledger and replay agree."""
    assert await books.balance(conn, accounts.seat(sitting.table_id, 0)) == 0
    lines = await books.statement(conn, accounts.wallet("XTS", "p0"))
    assert [line.kind for line in lines][-2:] == ["buy_in", "close"]
    assert await books.balance(conn, accounts.wallet("XTS", "p0")) == 500
    assert await checks.imbalance(conn) == 0
    assert sum(isinstance(event, events.TableClosed) for event in sitting.log) == 1
    assert sitting.again().differences == []


async def close(settlement: Served, sitting: Sitting) -> pb.CloseOutResponse:
    """Ask settlement to close a table if it is idle, as a dealer does."""
    request = pb.CloseOutRequest(table_id=sitting.table_id, if_idle=True)
    answer: pb.CloseOutResponse = await settlement.call(settlement.money.CloseOut, request)
    return answer


async def test_dealers_have_an_idle_table_closed(
    conn: Connection, settlement: Served, open_dealer: Open, postgres_url: str, redis_url: str
) -> None:
    """Two dealers serve the index that holds the table; it is closed once, and everybody is paid."""
    sitting = await left_alone(conn)
    await open_dealer().saved(sitting.table_id)
    settings = served.given(postgres_url, redis_url, settlement_address=settlement.address)
    async with served.serve("dealer", settings), served.serve("dealer", settings):
        made = await waits.eventually(lambda: served.catch_up(conn, sitting), "the close of the idle table")
    assert isinstance(made[0], events.TableClosed)
    assert (made[0].closed_by, sitting.table.core.phase) == ("house", public_table.CLOSED)
    assert await served.catch_up(conn, sitting) == []
    await paid_once(conn, sitting)


async def test_two_dealers_close_once(conn: Connection, settlement: Served, pool: Pool) -> None:
    """Both requests are decided on the table as it waits; the one that is later finds it closed and does nothing."""
    sitting = await left_alone(conn)

    async def other() -> None:
        await close(settlement, sitting)

    last = await money_commands.run(pool, Closing(sitting, other), None)
    await served.catch_up(conn, sitting)
    assert last.version == sitting.table.core.version == (await close(settlement, sitting)).version
    await paid_once(conn, sitting)


async def test_a_seat_that_is_taken_just_before_keeps_the_table_open(
    conn: Connection, settlement: Served, pool: Pool
) -> None:
    """The buy-in comes between the look at the table and the close: run again on the new version, it closes nothing."""
    sitting = await left_alone(conn)
    deposit = wallet_pb2.DepositRequest(request_id=served.request_id(), player="p1", amount=500, currency="XTS")
    await settlement.call(settlement.wallets.Deposit, deposit, Role.OPERATOR, "boss")
    buy_in = pb.BuyInRequest(
        request_id=served.request_id(), table_id=sitting.table_id, amount=500, on_behalf=served.on_behalf("p1")
    )

    async def sits_down() -> None:
        await settlement.call(settlement.money.BuyIn, buy_in)

    await money_commands.run(pool, Closing(sitting, sits_down), None)
    [taken] = await served.catch_up(conn, sitting)
    assert isinstance(taken, events.SeatTaken)
    assert set(sitting.table.core.seats) == {0, 1}
    assert await checks.imbalance(conn) == 0


async def test_the_moment_is_in_the_index_of_deadlines(open_dealer: Open, conn: Connection) -> None:
    """A dealer that saves an idle table has its close fired."""
    sitting = await left_alone(conn)
    dealer = open_dealer()
    watch = Watch(dealer)
    await dealer.saved(sitting.table_id)
    assert await dealer.live.deadline(sitting.table_id, SHOWDOWN) == sitting.table.core.idle_ms
    await watch.turn()
    assert watch.starts == [sitting.table_id]


async def test_a_close_that_redis_lost_is_found_in_the_log(open_dealer: Open, conn: Connection) -> None:
    """The sweep looks at idle tables too; it loads those alone whose moment has passed."""
    watch = Watch(open_dealer())
    later = Sitting("tongbi_san_gong", table_id=served.table_id(), idle=True)
    later.now = clock.wall_ms()
    later.sit({0: 500})
    await served.publish(conn, later)
    await watch.served.sweep.once()
    await watch.turn()
    assert watch.starts == []
    assert await watch.dealer.live.versions([later.table_id]) == [None]
    sitting = await left_alone(conn)
    await watch.served.sweep.once()
    await watch.turn()
    assert watch.starts == [sitting.table_id]
