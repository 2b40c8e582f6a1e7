"""Adjustments by two people: requested by one, decided by another, and posted once."""

import asyncio

import psycopg
import pytest
from pitboss.v1 import back_office_pb2 as pb

from services.ledger import accounts, books, checks
from services.runtime.identity import Role
from tests.settlement import office
from tests.support.served import Connection, request_id
from tests.support.settlement_floor import CURRENCY, Floor


async def held(conn: Connection, player: str) -> int:
    """Return the balance of a wallet."""
    return await books.balance(conn, accounts.wallet(CURRENCY, player))


async def test_an_adjustment_moves_nothing_until_another_person_approves_it(floor: Floor, conn: Connection) -> None:
    """The requester cannot decide; once another person approves, wallet, ledger and record hold both names."""
    player = await floor.player(100)
    wanted = await office.asked(floor, player, 40)
    assert wanted.state == pb.ADJUSTMENT_STATE_PENDING
    stub = floor.settlement.office
    await floor.settlement.refused(
        "SECOND_PERSON_NEEDED", stub.DecideAdjustment, office.decision(wanted), Role.OPERATOR, "alice"
    )
    assert await held(conn, player) == 100
    made = (await floor.staff(stub.DecideAdjustment, office.decision(wanted), "bert")).adjustment
    assert (made.state, made.requested_by, made.decided_by) == (pb.ADJUSTMENT_STATE_APPROVED, "alice", "bert")
    assert await held(conn, player) == 140
    lines = await books.statement(conn, accounts.wallet(CURRENCY, player))
    assert lines[-1].kind == "adjustment"
    assert lines[-1].reason == "a lost dispute (asked by alice, approved by bert)"
    assert lines[-1].entry_id == made.entry_id
    assert await checks.imbalance(conn) == 0
    [told] = await office.events(floor, "adjustment_decided")
    assert told.before == "pending, asked by alice; the wallet held 100"
    assert told.after == "approved; the wallet holds 140"


async def test_a_rejected_adjustment_moves_nothing_and_stays_decided(floor: Floor, conn: Connection) -> None:
    """What was rejected cannot be approved later."""
    player = await floor.player(100)
    wanted = await office.asked(floor, player, -40)
    stub = floor.settlement.office
    made = (await floor.staff(stub.DecideAdjustment, office.decision(wanted, approve=False), "bert")).adjustment
    assert made.state == pb.ADJUSTMENT_STATE_REJECTED
    await floor.settlement.refused(
        "ALREADY_DECIDED", stub.DecideAdjustment, office.decision(wanted), Role.OPERATOR, "carla"
    )
    assert await held(conn, player) == 100


async def test_fifty_approvals_at_once_move_the_money_once(floor: Floor, conn: Connection) -> None:
    """The same request fifty times has one answer; approvals by others find it decided."""
    player = await floor.player(100)
    wanted = await office.asked(floor, player, 7)
    stub, request = floor.settlement.office, office.decision(wanted)
    answers = await asyncio.gather(*(floor.staff(stub.DecideAdjustment, request, "bert") for _ in range(50)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    await floor.settlement.refused(
        "ALREADY_DECIDED", stub.DecideAdjustment, office.decision(wanted), Role.OPERATOR, "carla"
    )
    assert await held(conn, player) == 107
    assert len(await office.events(floor, "adjustment_decided")) == 1


async def test_an_adjustment_that_would_overdraw_is_refused_and_stays_pending(floor: Floor, conn: Connection) -> None:
    """No wallet falls below zero, and the approval can be given later."""
    player = await floor.player(11)
    wanted = await office.asked(floor, player, -11)
    await floor.withdraw(player, 1)
    stub = floor.settlement.office
    await floor.settlement.refused(
        "INSUFFICIENT_FUNDS", stub.DecideAdjustment, office.decision(wanted), Role.OPERATOR, "b"
    )
    await floor.deposit(player, 1)
    await floor.staff(stub.DecideAdjustment, office.decision(wanted), "b")
    assert await held(conn, player) == 0


async def test_what_the_wallet_does_not_hold_is_not_asked_for(floor: Floor) -> None:
    """An impossible request is refused and not recorded; an accepted one gets the same answer again."""
    player = await floor.player(10)
    stub = floor.settlement.office
    request = pb.RequestAdjustmentRequest(
        request_id=request_id(), player=player, currency=CURRENCY, amount=-11, reason="a lost dispute"
    )
    said = await floor.settlement.refused("INSUFFICIENT_FUNDS", stub.RequestAdjustment, request, Role.OPERATOR)
    assert "the wallet holds 10" in said
    assert not (await floor.staff(stub.ListAdjustments, pb.ListAdjustmentsRequest(player=player))).adjustments
    await floor.deposit(player, 1)
    first = await floor.staff(stub.RequestAdjustment, request)
    await floor.withdraw(player, 11)
    assert (await floor.staff(stub.RequestAdjustment, request)) == first


async def test_the_database_itself_wants_a_second_person(floor: Floor, conn: Connection) -> None:
    """The trigger stops a write past the service, and nothing recorded can be changed."""
    player = await floor.player(10)
    wanted = await office.asked(floor, player, 5)
    with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
        await conn.execute(
            "INSERT INTO adjustment_decisions (adjustment_id, approved, reason, decided_by, request_key, digest)"
            " VALUES (%s, false, 'x', 'alice', 'k', 'd')",
            (wanted.adjustment_id,),
        )
    tables = (
        "switches",
        "limits",
        "adjustments",
        "adjustment_decisions",
        "significant_events",
        "configurations",
        "rounds",
        "round_seats",
        "pool_shares",
    )
    for table in tables:
        for statement in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                await conn.execute(statement)
    for role in ("pitboss_dealer", "pitboss_audit"):
        await conn.execute(f"SET ROLE {role}")
        for table in tables:
            if table != "significant_events":
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    await conn.execute(f"INSERT INTO {table} DEFAULT VALUES")
        await conn.execute("RESET ROLE")


async def test_adjustments_are_listed_with_both_names(floor: Floor) -> None:
    """By player and by state, page by page."""
    player = await floor.player(100)
    made = [await office.asked(floor, player, amount) for amount in (1, 2, 3)]
    stub = floor.settlement.office
    await floor.staff(stub.DecideAdjustment, office.decision(made[1]), "bert")
    listing = pb.ListAdjustmentsRequest(player=player, page_size=2)
    first = await floor.staff(stub.ListAdjustments, listing)
    listing.page_token = first.next_page_token
    rest = await floor.staff(stub.ListAdjustments, listing)
    assert [one.amount for one in (*first.adjustments, *rest.adjustments)] == [1, 2, 3]
    pending = await floor.staff(stub.ListAdjustments, pb.ListAdjustmentsRequest(player=player, pending_only=True))
    assert [one.amount for one in pending.adjustments] == [1, 3]
