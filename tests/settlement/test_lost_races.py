"""A command decided on a table that has moved on is run again and is never reported as a fault of the house."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import settlement_pb2 as pb

from services.ledger import accounts, checks
from services.rules.refusals import Refused
from services.settlement import money_commands, seat_commands
from services.table import events
from services.table.public_table import PublicTable
from tests.settlement.test_money import balances, seated, version_of
from tests.support import log_events, served
from tests.support.served import Connection, Served, on_behalf, request_id
from tests.support.sittings import Sitting

Pool = Any
Meanwhile = Callable[[], Awaitable[None]]


class Leaving(seat_commands.CashOut):
    """A leave; ``meanwhile`` happens once, between the look at the table and the decision."""

    def __init__(self, sitting: Sitting, meanwhile: Meanwhile, request: pb.CashOutRequest | None = None) -> None:
        super().__init__(
            request or pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
        )
        self._meanwhile: Meanwhile | None = meanwhile

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Let others act."""
        del conn, core
        if self._meanwhile is not None:
            meanwhile, self._meanwhile = self._meanwhile, None
            await meanwhile()


async def seed_set(conn: Connection, sitting: Sitting) -> None:
    """Append an event that moves no chip, as a dealer does."""
    sitting.take([events.SeedSet(at_ms=sitting.tick(), seat=1, seed="luck")])
    await served.publish(conn, sitting)


async def test_a_leave_that_lost_to_another_leave_is_refused_in_words(
    settlement: Served, conn: Connection, pool: Pool
) -> None:
    """Two versions were appended meanwhile, the second with the same chips: the seat is gone, which is what is said."""
    sitting = await seated(settlement, conn)
    request = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))

    async def meanwhile() -> None:
        await seed_set(conn, sitting)
        await settlement.call(settlement.money.CashOut, request)

    with pytest.raises(Refused) as caught:
        await money_commands.run(pool, Leaving(sitting, meanwhile), None)
    assert caught.value.reason == "NOT_SEATED"
    assert await balances(conn, sitting) == (500, 0)


async def test_the_same_leave_twice_gets_the_first_answer(settlement: Served, conn: Connection, pool: Pool) -> None:
    """The race is lost to the very same request: its answer is given, and the chips are paid once."""
    sitting = await seated(settlement, conn)
    request = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    first: list[pb.CashOutResponse] = []

    async def meanwhile() -> None:
        await seed_set(conn, sitting)
        first.append(await settlement.call(settlement.money.CashOut, request))

    again = await money_commands.run(pool, Leaving(sitting, meanwhile, request), None)
    assert again.version == first[0].version
    assert await balances(conn, sitting) == (500, 0)


async def test_the_same_leave_twice_in_a_round_gets_the_first_answer(
    settlement: Served, conn: Connection, pool: Pool
) -> None:
    """The same request is done after the table was read and before it is looked up: its own answer is given."""
    sitting = await seated(settlement, conn)
    sitting.start()
    await served.publish(conn, sitting)
    request = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    first: list[pb.CashOutResponse] = []
    # The look waits for the table of requests, which another transaction holds, and which answers the request itself.
    await conn.execute("BEGIN")
    await conn.execute("LOCK TABLE requests IN ACCESS EXCLUSIVE MODE")
    later = asyncio.ensure_future(money_commands.run(pool, Leaving(sitting, nothing, request), None))
    await log_events.wait_for_waiting(conn)
    only: Pool = OnlyOne(conn)
    first.append(await money_commands.run(only, seat_commands.CashOut(request), None))
    again = await asyncio.wait_for(later, 20)
    assert (again.version, again.after_round) == (first[0].version, first[0].after_round)
    await served.catch_up(conn, sitting)
    assert [one for one in sitting.log if isinstance(one, events.LeaveAsked)] == sitting.log[-1:]


class OnlyOne:
    """A pool of one connection, whose open transaction the command goes on with and commits."""

    def __init__(self, conn: Connection) -> None:
        self._conn = conn

    def connection(self) -> Any:
        """Return the connection."""
        return contextlib.nullcontext(self._conn)


async def nothing() -> None:
    """Do nothing."""


async def test_a_leave_that_lost_to_a_buy_in_is_decided_again(settlement: Served, conn: Connection, pool: Pool) -> None:
    """The seat changed hands meanwhile and holds fewer chips: nobody is paid what another one brought."""
    sitting = await seated(settlement, conn)
    left = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    back = pb.BuyInRequest(
        request_id=request_id(), table_id=sitting.table_id, seat=0, amount=200, on_behalf=on_behalf("p0")
    )

    async def meanwhile() -> None:
        await settlement.call(settlement.money.CashOut, left)
        await settlement.call(settlement.money.BuyIn, back)

    await money_commands.run(pool, Leaving(sitting, meanwhile), None)
    assert await balances(conn, sitting) == (500, 0)
    assert await checks.imbalance(conn) == 0


async def test_a_ledger_that_denies_the_table_is_a_fault_of_the_house(
    settlement: Served, conn: Connection, pool: Pool
) -> None:
    """If no other command moved chips and they are still missing, the ledger is wrong: reported once, at once."""
    sitting = await seated(settlement, conn)

    async def meanwhile() -> None:
        await conn.execute("SET session_replication_role = replica")
        seat = accounts.seat(sitting.table_id, 0)
        await conn.execute("UPDATE accounts SET balance = balance - 1 WHERE account = %s", (seat,))

    with pytest.raises(Refused) as caught:
        await money_commands.run(pool, Leaving(sitting, meanwhile), None)
    assert caught.value.reason == "INTERNAL"


async def test_a_leave_that_changes_nothing_gets_its_first_answer_later(settlement: Served, conn: Connection) -> None:
    """A second leave in a round has nothing to do; after the round, the seat gone, it is answered as it was."""
    sitting = await seated(settlement, conn)
    sitting.start()
    await served.publish(conn, sitting)
    first, second = (
        pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
        for _ in range(2)
    )
    await settlement.call(settlement.money.CashOut, first)
    answer = await settlement.call(settlement.money.CashOut, second)
    assert answer.after_round
    assert answer.version == await version_of(conn, sitting), "the second one appended nothing"
    await served.catch_up(conn, sitting)
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    await settlement.call(settlement.money.SettleRound, pb.SettleRoundRequest(table_id=sitting.table_id))
    assert await settlement.call(settlement.money.CashOut, second) == answer
    with pytest.raises(client.Refused) as caught:
        await settlement.call(
            settlement.money.CashOut,
            pb.CashOutRequest(request_id=second.request_id, table_id=served.table_id(), on_behalf=on_behalf("p0")),
        )
    assert caught.value.reason == "REQUEST_CONFLICT"


async def test_the_same_leave_twice_that_changes_nothing_is_recorded_once(
    settlement: Served, conn: Connection, pool: Pool
) -> None:
    """Between the look and the decision the same request is answered, and the table moves on: the first answer."""
    sitting = await seated(settlement, conn)
    sitting.start()
    sitting.leave(0)
    await served.publish(conn, sitting)
    request = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    first: list[pb.CashOutResponse] = []

    async def meanwhile() -> None:
        first.append(await settlement.call(settlement.money.CashOut, request))
        await seed_set(conn, sitting)

    again = await money_commands.run(pool, Leaving(sitting, meanwhile, request), None)
    assert (again.version, again.after_round) == (first[0].version, first[0].after_round)
