"""The check of seats before a round must belong to the round that starts, and must still be valid."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from pitboss.v1 import back_office_pb2, settlement_pb2, wallet_pb2
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import starts
from services.dealer.admission import NOT_CHECKED, AdmissionPolicy, ClearedSeats, TableChanged
from services.dealer.cashier import Cashier
from services.registry.switches import Switchboard
from services.runtime import channels, clock, service_token
from services.runtime.identity import Caller, Identity, Role
from services.table import commands, public_table, top_up
from tests.dealer.conftest import Dealer, Open
from tests.support import log_events, served
from tests.support.served import Connection, Served
from tests.support.sittings import Sitting

ANN = "p0"


@pytest.fixture
async def dealer(open_dealer: Open, settlement: Served) -> AsyncIterator[Dealer]:
    """Open a dealer that reaches settlement."""
    opened = open_dealer()
    settings = settlement.settings
    token = service_token.ServiceToken(settings, Identity(settings), "dealer")
    async with channels.to_service(settlement.address, settings, token) as channel:
        opened.admission = AdmissionPolicy(Switchboard(), opened.pool, Cashier(channel), clock.wall_ms)
        await opened.admission.refresh()
        yield opened


async def seated(conn: Connection, settlement: Served) -> Sitting:
    """Open a table at which two players sit with chips of their wallets."""
    sitting = Sitting("texas_holdem", table_id=served.table_id())
    await served.publish(conn, sitting)
    for seat in (0, 1):
        deposit = wallet_pb2.DepositRequest(
            request_id=served.request_id(), player=f"p{seat}", amount=500, currency="XTS"
        )
        await settlement.call(settlement.wallets.Deposit, deposit, Role.OPERATOR, "boss")
        buy_in = settlement_pb2.BuyInRequest(
            request_id=served.request_id(),
            table_id=sitting.table_id,
            seat=seat,
            amount=500,
            on_behalf=served.on_behalf(f"p{seat}"),
        )
        await settlement.call(settlement.money.BuyIn, buy_in)
    await served.catch_up(conn, sitting)
    return sitting


async def set_limit(settlement: Served, **limit: Any) -> None:
    """Set a limit of the player of seat 0."""
    request = back_office_pb2.SetLimitRequest(
        request_id=served.request_id(), player=ANN, reason="a test", currency="XTS", **limit
    )
    await settlement.call(settlement.office.SetLimit, request, Role.OPERATOR, "boss")


async def exclude(settlement: Served) -> None:
    """Exclude the player of seat 0."""
    request = back_office_pb2.SetLimitRequest(request_id=served.request_id(), player=ANN, reason="a pause")
    request.kind = back_office_pb2.LIMIT_KIND_EXCLUSION
    request.until_time.FromSeconds(4_000_000_000)
    await settlement.call(settlement.office.SetLimit, request, Role.OPERATOR, "boss")


async def over(conn: Connection, sitting: Sitting, settlement: Served) -> None:
    """Play the running round to its end, and have it settled."""
    sitting.finish(Random(1), lapses=0.0)
    await served.publish(conn, sitting, together=True)
    request = settlement_pb2.SettleRoundRequest(table_id=sitting.table_id)
    await settlement.call(settlement.money.SettleRound, request)
    await served.catch_up(conn, sitting)


async def refused(dealer: Dealer, sitting: Sitting, cleared: ClearedSeats) -> None:
    """Try to start a round on an old check: the dealer must check again, and no round starts."""
    request = pb.StartRoundRequest(request_id=served.request_id(), table_id=sitting.table_id)
    caller = Caller(subject="p1", role=Role.PLAYER, test=True)
    with pytest.raises(TableChanged):
        await dealer.commands.run(starts.StartRound(request, caller, dealer.vault, dealer.admission, cleared))
    assert (await dealer.table(sitting.table_id)).core.phase == public_table.OPEN


def test_a_round_starts_only_on_a_check_that_still_holds() -> None:
    """A player who sat down or a limit set since the check requires a new check; a player who left does not."""
    sitting = Sitting("texas_holdem")
    sitting.sit({0: 100, 1: 100, 2: 100})
    seen = ClearedSeats(round_number=0, players=frozenset({"p0", "p1", "p2"}))
    seen.require_unchanged(sitting.table.core, sitting.now)
    sitting.leave(2)
    seen.require_unchanged(sitting.table.core, sitting.now)
    sitting.allow({0: 50})
    with pytest.raises(TableChanged):
        seen.require_unchanged(sitting.table.core, sitting.now)
    limited = ClearedSeats(round_number=0, players=frozenset({"p0", "p1"}), allowed={0: 50})
    limited.require_unchanged(sitting.table.core, sitting.now)
    sitting.allow({0: 0})
    with pytest.raises(TableChanged):
        limited.require_unchanged(sitting.table.core, sitting.now)
    sitting.allow({0: 50})
    sitting.sit({3: 100})
    with pytest.raises(TableChanged):
        limited.require_unchanged(sitting.table.core, sitting.now)


def test_what_settlement_was_not_asked_about_is_checked_again() -> None:
    """A top-up or an absence that is too long, made since the check, requires a new one; what was checked does not."""
    sitting = Sitting("texas_holdem", absence=True)
    sitting.sit({0: 100, 1: 100})
    players = frozenset({"p0", "p1"})
    unseen = ClearedSeats(round_number=0, players=players)
    sitting.take(top_up.set_level(sitting.table.core, 0, 150, sitting.tick()))
    with pytest.raises(TableChanged):
        unseen.require_unchanged(sitting.table.core, sitting.now)
    failed = ClearedSeats(round_number=0, players=players, missing={0: 50})
    failed.require_unchanged(sitting.table.core, sitting.now)
    sitting.take(top_up.set_level(sitting.table.core, 0, 160, sitting.tick()))
    with pytest.raises(TableChanged):
        failed.require_unchanged(sitting.table.core, sitting.now)
    sitting.take(top_up.set_level(sitting.table.core, 0, 0, sitting.tick()))
    sitting.sit_out(1)
    unseen.require_unchanged(sitting.table.core, sitting.now)
    sitting.tick(60_000 * sitting.table.core.opening.rules["absent_minutes"])
    with pytest.raises(TableChanged):
        unseen.require_unchanged(sitting.table.core, sitting.now)
    ClearedSeats(round_number=0, players=players, away=frozenset({1})).require_unchanged(
        sitting.table.core, sitting.now
    )


async def test_a_check_during_a_round_belongs_to_no_round(dealer: Dealer, conn: Connection, settlement: Served) -> None:
    """A start that is requested while a round runs, in which a player is excluded, is checked again."""
    sitting = await seated(conn, settlement)
    sitting.start()
    await served.publish(conn, sitting)
    await exclude(settlement)
    await served.catch_up(conn, sitting)
    cleared = await dealer.admission.clear_seats((await dealer.table(sitting.table_id)).core)
    assert cleared.round_number == NOT_CHECKED
    await over(conn, sitting, settlement)
    await refused(dealer, sitting, cleared)


async def test_settlement_returns_the_round_whose_seats_it_checked(
    dealer: Dealer, conn: Connection, settlement: Served
) -> None:
    """A round that began during the check was not checked, and neither was the one after it."""
    sitting = await seated(conn, settlement)
    await set_limit(settlement, kind=back_office_pb2.LIMIT_KIND_STAKE, span=back_office_pb2.LIMIT_SPAN_DAY, amount=5000)
    before = (await dealer.table(sitting.table_id)).core
    looked = await dealer.admission.clear_seats(before)
    assert (looked.by_settlement, looked.round_number, looked.allowed) == (True, 0, {0: 500})
    await served.catch_up(conn, sitting)
    sitting.start()
    await served.publish(conn, sitting)
    await exclude(settlement)
    await served.catch_up(conn, sitting)
    cleared = await dealer.admission.clear_seats(before)
    assert (cleared.by_settlement, cleared.round_number) == (True, NOT_CHECKED)
    await over(conn, sitting, settlement)
    await refused(dealer, sitting, cleared)
    again = await dealer.admission.clear_seats((await dealer.table(sitting.table_id)).core)
    assert (again.by_settlement, again.round_number, list(again.refusals)) == (True, 1, [ANN])


async def test_a_table_that_changes_during_the_check_is_checked_again(
    dealer: Dealer, conn: Connection, settlement: Served
) -> None:
    """A round that began and ended while the check waited for the database makes its result stale."""
    sitting = await seated(conn, settlement)
    table = await dealer.table(sitting.table_id)
    async with await served.connect(settlement.settings.postgres()) as other:
        async with other.transaction():
            await other.execute("LOCK TABLE limits IN ACCESS EXCLUSIVE MODE")
            looking = asyncio.create_task(dealer.admission.clear_seats(table.core))
            await log_events.wait_for_waiting(conn)
            known = len(sitting.log)
            sitting.start()
            await served.publish(conn, sitting)
            await over(conn, sitting, settlement)
            commands.take(table, sitting.log[known:])
        cleared = await looking
    assert table.core.round_number == 1
    await exclude(settlement)
    await served.catch_up(conn, sitting)
    await refused(dealer, sitting, cleared)
