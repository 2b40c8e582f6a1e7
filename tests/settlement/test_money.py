"""Money commands on a real database: once, whole, or not at all."""

import asyncio
from random import Random
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import report_pb2, wallet_pb2
from pitboss.v1 import settlement_pb2 as pb

from services.eventlog import log
from services.ledger import accounts, books, checks
from services.rules import personal
from services.runtime.identity import Role
from services.table import events, public_table
from tests.privacy import opening
from tests.support import served, waits
from tests.support.served import Connection, Served, on_behalf, request_id
from tests.support.sittings import Sitting


async def opened(conn: Connection, game: str = "tongbi_san_gong", most: int = 0) -> Sitting:
    """Write a fresh table into the log."""
    sitting = Sitting(game, table_id=served.table_id(), most=most)
    await served.publish(conn, sitting)
    return sitting


async def deposit(settlement: Served, player: str, amount: int) -> None:
    """Fund a test wallet."""
    request = wallet_pb2.DepositRequest(request_id=request_id(), player=player, amount=amount, currency="XTS")
    await settlement.call(settlement.wallets.Deposit, request, Role.OPERATOR)


def buy_in(sitting: Sitting, player: str, amount: int, seat: int | None = None, **more: object) -> pb.BuyInRequest:
    """Ask for a seat."""
    given = {"request_id": request_id(), "on_behalf": on_behalf(player), **more}
    return pb.BuyInRequest(table_id=sitting.table_id, amount=amount, seat=seat, **given)  # type: ignore[arg-type]  # fields by name


async def balances(conn: Connection, sitting: Sitting, player: str = "p0", seat: int = 0) -> tuple[int, int]:
    """Return what lies in a player's wallet and before a seat."""
    return (
        await books.balance(conn, accounts.wallet("XTS", player)),
        await books.balance(conn, accounts.seat(sitting.table_id, seat)),
    )


async def seated(settlement: Served, conn: Connection, game: str = "tongbi_san_gong", seats: int = 2) -> Sitting:
    """Return a table in log and ledger with seats of 500 chips."""
    sitting = await opened(conn, game)
    for seat in range(seats):
        await deposit(settlement, f"p{seat}", 500)
        await settlement.call(settlement.money.BuyIn, buy_in(sitting, f"p{seat}", 500, seat))
    await served.catch_up(conn, sitting)
    return sitting


async def version_of(conn: Connection, sitting: Sitting) -> int:
    """Return the version of a table's stream."""
    head = await log.read_head(conn, sitting.table_id)
    assert head is not None
    return head.version


async def test_a_buy_in_moves_chips_and_seats_the_player(settlement: Served, conn: Connection) -> None:
    """Event and entry are there together: wallet down, seat up, the table one version on."""
    sitting = await opened(conn)
    await deposit(settlement, "p0", 800)
    done = await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p0", 300))
    assert (done.seat, done.version) == (0, 2)
    assert await balances(conn, sitting) == (500, 300)
    [taken] = await served.catch_up(conn, sitting)
    assert isinstance(taken, events.SeatTaken)
    assert (taken.seat.player, taken.seat.chips) == ("p0", 300)
    assert personal.is_sealed(taken.seat.name)
    assert await opening.shown(conn, taken.seat.name) == "Player p0"
    assert await checks.imbalance(conn) == 0


async def test_a_repeated_request_moves_nothing_and_gets_the_first_answer(settlement: Served, conn: Connection) -> None:
    """Buy-in, top-up and cash-out sent twice: one event, one entry, equal answers; other content is refused."""
    sitting = await opened(conn)
    await deposit(settlement, "p0", 1000)
    asked = buy_in(sitting, "p0", 300)
    topped = pb.TopUpRequest(request_id=request_id(), table_id=sitting.table_id, amount=50, on_behalf=on_behalf("p0"))
    left = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p0"))
    calls = ((settlement.money.BuyIn, asked), (settlement.money.TopUp, topped), (settlement.money.CashOut, left))
    for method, request in calls:
        first = await settlement.call(method, request)
        assert await settlement.call(method, request) == first
        other: Any = type(request).FromString(request.SerializeToString())
        other.table_id = served.table_id()
        await settlement.refused("REQUEST_CONFLICT", method, other)
    assert await version_of(conn, sitting) == 4
    assert await balances(conn, sitting) == (1000, 0)
    lines = await books.statement(conn, accounts.wallet("XTS", "p0"))
    assert [line.kind for line in lines] == ["deposit", "buy_in", "top_up", "cash_out"]


async def test_who_lacks_the_money_gets_no_seat(settlement: Served, conn: Connection) -> None:
    """Nothing is appended and nothing moves; the refusal says what the wallet holds."""
    sitting = await opened(conn)
    await deposit(settlement, "p0", 100)
    said = await settlement.refused("INSUFFICIENT_FUNDS", settlement.money.BuyIn, buy_in(sitting, "p0", 101))
    assert "100 XTS" in said
    assert await version_of(conn, sitting) == 1
    assert await balances(conn, sitting) == (100, 0)
    await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p0", 100))
    top = pb.TopUpRequest(request_id=request_id(), table_id=sitting.table_id, amount=1, on_behalf=on_behalf("p0"))
    await settlement.refused("INSUFFICIENT_FUNDS", settlement.money.TopUp, top)
    assert await version_of(conn, sitting) == 2


async def test_a_failed_append_takes_the_entry_with_it(settlement: Served, conn: Connection, postgres_url: str) -> None:
    """An append that the database refuses leaves no entry: both are one transaction."""
    sitting = await opened(conn)
    await deposit(settlement, "p0", 500)
    async with await served.connect(postgres_url) as other:
        await other.execute(
            "CREATE FUNCTION no_seats() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN RAISE EXCEPTION 'no events now'; END$$"
        )
        await other.execute(
            "CREATE TRIGGER no_seats BEFORE INSERT ON events FOR EACH ROW"
            " WHEN (NEW.type = 'SeatTaken.v1') EXECUTE FUNCTION no_seats()"
        )
        with pytest.raises(client.Refused):
            await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p0", 300))
        assert await balances(conn, sitting) == (500, 0)
        assert await version_of(conn, sitting) == 1
        await other.execute("DROP TRIGGER no_seats ON events")
    await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p0", 300))
    assert await balances(conn, sitting) == (200, 300)


async def test_a_stale_version_is_refused_with_the_true_one(settlement: Served, conn: Connection) -> None:
    """A command decided on an older version is refused with the table's current version."""
    sitting = await seated(settlement, conn)
    await deposit(settlement, "p2", 100)
    with pytest.raises(client.Refused) as caught:
        await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p2", 100, expected_version=1))
    assert (caught.value.reason, caught.value.metadata["version"]) == ("STALE_VERSION", "3")
    await settlement.call(settlement.money.BuyIn, buy_in(sitting, "p2", 100, expected_version=3))


async def test_two_players_race_for_one_seat(settlement: Served, conn: Connection) -> None:
    """Of many buy-ins for seat 0 at the same moment one sits down; the others keep every chip."""
    sitting = await opened(conn)
    people = [f"p{number}" for number in range(6)]
    for player in people:
        await deposit(settlement, player, 100)
    asked = (settlement.call(settlement.money.BuyIn, buy_in(sitting, player, 100, 0)) for player in people)
    done = await asyncio.gather(*asked, return_exceptions=True)
    refused = [one for one in done if isinstance(one, client.Refused)]
    assert [one.reason for one in refused] == ["SEAT_TAKEN"] * 5
    assert await version_of(conn, sitting) == 2
    assert sum([(await balances(conn, sitting, player))[0] for player in people]) == 500
    assert await checks.imbalance(conn) == 0


async def test_one_wallet_at_two_tables_is_spent_once(settlement: Served, conn: Connection) -> None:
    """Two tables ask for the same 100 chips at once, through two connections: one of them gets them."""
    tables = [await opened(conn) for _ in range(2)]
    await deposit(settlement, "p0", 100)
    asked = (settlement.call(settlement.money.BuyIn, buy_in(table, "p0", 100, 0)) for table in tables)
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert [one.reason for one in done if isinstance(one, client.Refused)] == ["INSUFFICIENT_FUNDS"]
    assert sorted([(await balances(conn, table))[1] for table in tables]) == [0, 100]


async def test_an_ended_round_is_settled_once_however_many_ask(settlement: Served, conn: Connection) -> None:
    """Many callers and the sweep settle at once: there is one event and one entry, and all get the same answer."""
    sitting = await seated(settlement, conn)
    sitting.start()
    sitting.finish(Random(5), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    asked = pb.SettleRoundRequest(table_id=sitting.table_id)
    done = await asyncio.gather(*(settlement.call(settlement.money.SettleRound, asked) for _ in range(6)))
    assert len({one.SerializeToString() for one in done}) == 1
    later = await served.catch_up(conn, sitting)
    assert [type(event) for event in later] == [events.RoundSettled]
    for seat in (0, 1):
        assert await balances(conn, sitting, f"p{seat}", seat) == (0, sitting.table.core.seats[seat].chips)
    assert sitting.again().differences == []
    assert await checks.imbalance(conn) == 0


async def test_a_round_whose_dealer_died_is_settled_within_two_seconds(settlement: Served, conn: Connection) -> None:
    """Nobody asks: the sweep finds the ended round by itself."""
    sitting = await seated(settlement, conn)
    sitting.start()
    sitting.finish(Random(6), lapses=0.0)
    await served.publish(conn, sitting, together=True)

    async def settled() -> bool:
        return await version_of(conn, sitting) > len(sitting.log)

    async with asyncio.timeout(2):
        await waits.eventually(settled, "the round is settled")
    await served.catch_up(conn, sitting)
    assert sitting.table.core.phase == public_table.OPEN
    assert sitting.table.core.settled is not None


async def test_leaving_in_mid_round_is_paid_with_the_settlement(settlement: Served, conn: Connection) -> None:
    """The answer says that it happens later, also when asked again; the chips come with the round's entry."""
    sitting = await seated(settlement, conn)
    sitting.start()
    await served.publish(conn, sitting)
    left = pb.CashOutRequest(request_id=request_id(), table_id=sitting.table_id, on_behalf=on_behalf("p1"))
    asked = await settlement.call(settlement.money.CashOut, left)
    assert asked.after_round
    left.request_id = request_id()
    again = await settlement.call(settlement.money.CashOut, left)
    assert (again.version, again.after_round) == (asked.version, True)
    await served.catch_up(conn, sitting)
    sitting.finish(Random(7), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    await settlement.call(settlement.money.SettleRound, pb.SettleRoundRequest(table_id=sitting.table_id))
    later = await served.catch_up(conn, sitting)
    assert [type(event) for event in later] == [events.RoundSettled, events.SeatLeft]
    wallet, chips = await balances(conn, sitting, "p1", 1)
    assert (wallet, chips) == (later[1].chips, 0)  # type: ignore[attr-defined]  # a SeatLeft, as just asserted
    assert wallet > 0


async def test_void_and_close_pay_everybody_out(settlement: Served, conn: Connection) -> None:
    """A voided round moves nothing; closing then empties table and pool into the wallets."""
    sitting = await seated(settlement, conn, "loo", seats=5)
    fund = pb.FundPotRequest(
        request_id=request_id(), table_id=sitting.table_id, amount=10, on_behalf=on_behalf("boss", "operator")
    )
    await settlement.call(settlement.money.FundPot, fund)
    await served.catch_up(conn, sitting)
    sitting.start()
    await served.publish(conn, sitting)
    void = pb.VoidOutRequest(
        request_id=request_id(),
        table_id=sitting.table_id,
        reason="a torn card",
        reveal=sitting.reveal(1),
        round_number=1,
        on_behalf=on_behalf("boss", "operator"),
    )
    await settlement.call(settlement.money.VoidOut, void)
    close = pb.CloseOutRequest(
        request_id=request_id(),
        table_id=sitting.table_id,
        reason="the night is over",
        on_behalf=on_behalf("boss", "operator"),
    )
    await settlement.call(settlement.money.CloseOut, close)
    await served.catch_up(conn, sitting)
    assert sitting.table.core.phase == public_table.CLOSED
    held = [await balances(conn, sitting, f"p{seat}", seat) for seat in range(5)]
    assert held == [(502, 0)] * 5
    assert await books.balance(conn, accounts.pot(sitting.table_id)) == 0
    assert sitting.again().differences == []


async def test_only_services_move_money_and_unknown_tables_are_named(settlement: Served, conn: Connection) -> None:
    """Players and operators never reach these methods; a table that is not there is refused before anything moves."""
    sitting = await opened(conn)
    for role in (Role.PLAYER, Role.OPERATOR, Role.AUDITOR):
        await settlement.refused("PERMISSION_DENIED", settlement.money.BuyIn, buy_in(sitting, "p0", 1), role)
    for table in (served.table_id(), "table 7", ""):
        request = pb.SettleRoundRequest(table_id=table)
        await settlement.refused("TABLE_NOT_FOUND", settlement.money.SettleRound, request)
    nobody = buy_in(sitting, "p0", 1)
    nobody.ClearField("on_behalf")
    await settlement.refused("INVALID_ARGUMENT", settlement.money.BuyIn, nobody)


async def test_the_report_of_a_house_without_activity_says_so(settlement: Served) -> None:
    """The report of an empty house is not an error; it says "no activity"."""
    request = report_pb2.GetHouseReportRequest(currency="XTS")
    told = await settlement.call(settlement.reports.GetHouseReport, request, Role.OPERATOR)
    assert told.note == "no activity"
    assert told.imbalance == 0
    assert "Pitboss" in told.title


async def test_the_report_adds_up(settlement: Served, conn: Connection) -> None:
    """Wallets, tables, pools, house, fees and the outside world add up to zero."""
    sitting = await seated(settlement, conn)
    sitting.start()
    sitting.finish(Random(8), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    await settlement.call(settlement.money.SettleRound, pb.SettleRoundRequest(table_id=sitting.table_id))
    request = report_pb2.GetHouseReportRequest(currency="XTS")
    told = await settlement.call(settlement.reports.GetHouseReport, request, Role.AUDITOR)
    assert told.note == ""
    assert told.wallets + told.chips_at_tables + told.carried_pots + told.house + told.fees + told.cashier == 0
    assert told.cashier == -1000
    assert told.chips_at_tables + told.fees == 1000
    assert told.fees > 0
