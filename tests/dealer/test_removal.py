"""A seat that was away for too long is cashed out without any client: found by a mark, paid out by settlement."""

from pitboss.v1 import settlement_pb2, wallet_pb2

from services.ledger import accounts, books, checks
from services.runtime.identity import Role
from services.table import absence, events
from tests.support import served, waits
from tests.support.served import Connection, Served
from tests.support.sittings import Sitting


async def away(conn: Connection, settlement: Served) -> Sitting:
    """Write a table at which a player with real chips has sat out since long ago, alone and between rounds."""
    sitting = Sitting("tongbi_san_gong", table_id=served.table_id(), absence=True)
    await served.publish(conn, sitting)
    deposit = wallet_pb2.DepositRequest(request_id=served.request_id(), player="p0", amount=500, currency="XTS")
    await settlement.call(settlement.wallets.Deposit, deposit, Role.OPERATOR, "boss")
    buy_in = settlement_pb2.BuyInRequest(
        request_id=served.request_id(),
        table_id=sitting.table_id,
        seat=0,
        amount=500,
        on_behalf=served.on_behalf("p0"),
    )
    await settlement.call(settlement.money.BuyIn, buy_in)
    await served.catch_up(conn, sitting)
    sitting.take(absence.sit_out(sitting.table.core, 0, sitting.tick()))
    await served.publish(conn, sitting)
    return sitting


async def test_a_dealer_has_the_absent_cashed_out(
    conn: Connection, settlement: Served, postgres_url: str, redis_url: str
) -> None:
    """A dealer that starts finds the table by its mark; event and entry are written together, once."""
    sitting = await away(conn, settlement)
    settings = served.given(postgres_url, redis_url, settlement_address=settlement.address)
    async with served.serve("dealer", settings):

        async def removed() -> list[events.Event]:
            return await served.catch_up(conn, sitting)

        made = await waits.eventually(removed, "the removal of the absent seat")
    assert isinstance(made[0], events.RemovedForAbsence)
    assert (made[0].player, made[0].chips, len(made)) == ("p0", 500, 1)
    assert await books.balance(conn, accounts.wallet("XTS", "p0")) == 500
    assert await books.balance(conn, accounts.seat(sitting.table_id, 0)) == 0
    lines = await books.statement(conn, accounts.wallet("XTS", "p0"))
    assert [line.kind for line in lines] == ["deposit", "buy_in", "cash_out"]
    assert await checks.imbalance(conn) == 0
    assert sitting.again().differences == []


async def test_who_comes_back_in_time_keeps_the_seat(conn: Connection, settlement: Served) -> None:
    """Settlement decides on the newest table: a seat that is back is not removed by a request that was on its way."""
    sitting = await away(conn, settlement)
    sitting.take(absence.sit_in(sitting.table.core, 0, sitting.tick()))
    await served.publish(conn, sitting)
    request = settlement_pb2.ClearSeatsRequest(table_id=sitting.table_id)
    await settlement.call(settlement.money.ClearSeats, request)
    assert await served.catch_up(conn, sitting) == []
    assert await books.balance(conn, accounts.seat(sitting.table_id, 0)) == 500
