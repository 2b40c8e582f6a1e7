"""Sums at their bounds are refused in words before 64 bits overflow, and reports show any sum."""

import uuid
from typing import Any

import pytest
from pitboss.v1 import back_office_pb2, report_pb2
from pitboss.v1 import wallet_pb2 as pb

from services.contract import wire_sums
from services.ledger import accounts, books, records
from services.rules import chips
from services.runtime.identity import Role
from services.settlement import wallet_bounds
from tests.settlement import office
from tests.support.served import Connection, Served, request_id
from tests.support.settlement_floor import CURRENCY, Floor


def deposit(player: str, amount: int, currency: str = CURRENCY) -> pb.DepositRequest:
    """Ask for a deposit."""
    return pb.DepositRequest(request_id=request_id(), player=player, amount=amount, currency=currency)


async def pour(conn: Connection, changes: dict[str, int], currency: str = CURRENCY, times: int = 1) -> None:
    """Post the same movement again and again, past the bounds of deposits."""
    for _ in range(times):
        entry = records.Entry(
            entry_id=str(uuid.uuid4()),
            kind="deposit",
            currency=currency,
            legs=accounts.legs(changes),
            reason="flood",
            actor="nobody",
        )
        assert (await books.post(conn, entry)).outcome == records.POSTED
    await conn.commit()


async def test_a_wallet_is_filled_to_its_bound_and_no_further(floor: Floor, conn: Connection) -> None:
    """The last chip that fits is accepted and one more is refused, for deposits and adjustments."""
    player = await floor.player(1)
    most = chips.MOST_CHIPS
    await pour(conn, {accounts.wallet(CURRENCY, player): most, accounts.cashier(CURRENCY, player): -most}, times=99)
    wallets = floor.settlement.wallets
    said = await floor.settlement.refused("AMOUNT_OUT_OF_RANGE", wallets.Deposit, deposit(player, most), Role.OPERATOR)
    assert str(wallet_bounds.MOST_IN_WALLET) in said
    full = await floor.staff(wallets.Deposit, deposit(player, most - 1))
    assert full.balance == wallet_bounds.MOST_IN_WALLET
    await floor.settlement.refused("AMOUNT_OUT_OF_RANGE", wallets.Deposit, deposit(player, 1), Role.OPERATOR)
    wanted = office.decision(await office.asked(floor, player, 1))
    decide = floor.settlement.office.DecideAdjustment
    await floor.settlement.refused("AMOUNT_OUT_OF_RANGE", decide, wanted, Role.OPERATOR, "bert")
    await floor.withdraw(player, 1)
    assert (await floor.staff(wallets.Deposit, deposit(player, 1))).balance == wallet_bounds.MOST_IN_WALLET


async def test_what_a_currency_may_hold_and_the_bank_owe_is_bounded(floor: Floor, conn: Connection) -> None:
    """Beyond it no wallet takes a deposit, however empty it is, and a bank that owes too much pays no adjustment."""
    most, currency = chips.MOST_CHIPS, "FULL"
    parts = accounts.parts("cashier", currency)
    flood = dict.fromkeys(parts, -most) | {f"wallet:{currency}:r{at}": most for at in range(len(parts))}
    await pour(conn, flood, currency, times=wallet_bounds.MOST_IN_HOUSE // most // len(parts))
    rest = wallet_bounds.MOST_IN_HOUSE - wallet_bounds.MOST_IN_HOUSE // most // len(parts) * len(parts) * most
    wallets = floor.settlement.wallets
    for at in range(rest // most):
        await floor.staff(wallets.Deposit, deposit(f"new{at}", most, currency))
    said = await floor.settlement.refused(
        "AMOUNT_OUT_OF_RANGE", wallets.Deposit, deposit("one-more", 1, currency), Role.OPERATOR
    )
    assert str(wallet_bounds.MOST_IN_HOUSE) in said
    await floor.staff(wallets.Deposit, deposit("one-more", 1))
    debt = dict.fromkeys(accounts.parts("house", currency), -most) | {
        f"wallet:{currency}:s{at}": most for at in range(len(parts))
    }
    await pour(conn, debt, currency, times=wallet_bounds.MOST_IN_HOUSE // most // len(parts) + 1)
    asked = back_office_pb2.RequestAdjustmentRequest(
        request_id=request_id(), player="one-more", currency=currency, amount=1, reason="a gift"
    )
    made = (await floor.staff(floor.settlement.office.RequestAdjustment, asked, "alice")).adjustment
    decide = floor.settlement.office.DecideAdjustment
    await floor.settlement.refused("AMOUNT_OUT_OF_RANGE", decide, office.decision(made), Role.OPERATOR, "bert")


async def test_an_overflow_of_the_database_is_a_refusal(settlement: Served, conn: Connection) -> None:
    """Where an account is full although the bounds hold, a deposit says so and changes nothing."""
    currency, most = "OVER", chips.MOST_CHIPS
    cashier = accounts.cashier(currency, "ann")
    others = [name for name in accounts.parts("cashier", currency) if name != cashier][:9]
    move = {cashier: -most * 1, others[0]: most}
    await pour(conn, move, currency, times=10)
    await conn.execute("SET session_replication_role = replica")
    await conn.execute("UPDATE accounts SET balance = %s WHERE account = %s", (-(2**63) + 5, cashier))
    await conn.execute("UPDATE accounts SET balance = %s WHERE account = %s", (2**63 - 5, others[0]))
    await conn.commit()
    said = await settlement.refused(
        "AMOUNT_OUT_OF_RANGE", settlement.wallets.Deposit, deposit("ann", 100, currency), Role.OPERATOR
    )
    assert "nothing has changed" in said


@pytest.fixture
async def flooded(floor: Floor, conn: Connection) -> str:
    """Return a currency of which wallets and cashier hold more than 64 bits do."""
    currency, most = "FLOOD", chips.MOST_CHIPS
    names = [(f"wallet:{currency}:w{at}", name) for at, name in enumerate(accounts.parts("cashier", currency))]
    await pour(conn, {wallet: most for wallet, _ in names} | {cashier: -most for _, cashier in names}, currency, 580)
    assert await books.total_of_kind(conn, "wallet", currency) > wire_sums.MOST
    assert floor.settlement
    return currency


async def test_reports_show_sums_that_are_too_large_for_their_fields(floor: Floor, flooded: str) -> None:
    """House report and liability answer, with the sums at their bounds and a note that says so."""
    calls: tuple[tuple[Any, Any], ...] = (
        (floor.settlement.reports.GetHouseReport, report_pb2.GetHouseReportRequest(currency=flooded)),
        (floor.settlement.office.GetHouseLiability, back_office_pb2.GetHouseLiabilityRequest(currency=flooded)),
    )
    for method, request in calls:
        told = await floor.staff(method, request)
        assert (told.wallets, told.cashier, told.imbalance) == (wire_sums.MOST, -wire_sums.MOST, 0)
        note = told.header.note if hasattr(told, "header") else told.note
        assert str(wire_sums.MOST) in note


def test_a_sum_that_fits_is_shown_as_it_is_without_a_note() -> None:
    """The bound itself fits, on either side; one more is cut, with a note."""
    edge = wire_sums.MOST
    assert [wire_sums.fitting(value) for value in (0, edge, -edge)] == [0, edge, -edge]
    assert not wire_sums.note((0, edge, -edge))
    assert [wire_sums.fitting(value) for value in (edge + 1, -edge - 2)] == [edge, -edge]
    assert wire_sums.note((0, edge + 1))


async def test_a_test_wallet_is_bounded_with_what_lies_at_tables(floor: Floor) -> None:
    """Many deposits come to no more than one may; chips that the player took to a table count."""
    wallets, most = floor.settlement.wallets, wallet_bounds.MOST_TEST_CHIPS
    sitting = await floor.open("texas_holdem", 1, 500, test=True)
    [seat] = sitting.table.core.seats.values()
    await floor.staff(wallets.Deposit, deposit(seat.player, most - 1000, "XTS"))
    said = await floor.settlement.refused(
        "AMOUNT_OUT_OF_RANGE", wallets.Deposit, deposit(seat.player, 1, "XTS"), Role.OPERATOR
    )
    assert "500 at tables" in said


async def test_test_money_and_real_money_stay_apart(floor: Floor) -> None:
    """A player of one kind of money is refused the other; a wallet filled by mistake can be emptied again."""
    wallets = floor.settlement.wallets
    refused = floor.settlement.refused
    pig, real = await floor.player(100, "XTS"), await floor.player(100)
    await refused("WRONG_CURRENCY", wallets.Deposit, deposit(pig, 5), Role.OPERATOR)
    await refused("TEST_ONLY", wallets.Deposit, deposit(real, 5, "XTS"), Role.OPERATOR)
    for player, currency, reason in ((pig, CURRENCY, "WRONG_CURRENCY"), (real, "XTS", "TEST_ONLY")):
        asked = back_office_pb2.RequestAdjustmentRequest(
            request_id=request_id(), player=player, currency=currency, amount=5, reason="a gift"
        )
        await refused(reason, floor.settlement.office.RequestAdjustment, asked, Role.OPERATOR, "alice")
    await floor.withdraw(real, 100)
    await floor.staff(wallets.Deposit, deposit(real, 5, "XTS"))
    played = (await floor.open("texas_holdem", 1, 500)).table.core.seats[0].player
    await floor.withdraw(played, 500)
    await refused("TEST_ONLY", wallets.Deposit, deposit(played, 5, "XTS"), Role.OPERATOR)
