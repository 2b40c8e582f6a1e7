"""Adjustments by two people, and significant events with who, what, why, before and after."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import psycopg
import pytest
from google.protobuf import timestamp_pb2
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import settlement_pb2, wallet_pb2

from services.ledger import accounts, books
from services.registry.incidents import MOST_KINDS, Incidents
from services.rules.happenings import Staked
from services.runtime.identity import Role
from services.table.events import RoundStarted
from tests import served
from tests.served import Connection, request_id
from tests.settlement.floor import CURRENCY, Floor


@pytest.fixture
async def floor(postgres_url: str, redis_url: str, conn: Connection) -> AsyncIterator[Floor]:
    """Serve settlement; every win and stake of 50 chips or more is told."""
    given = served.given(postgres_url, redis_url, large_win=50, large_stake=50)
    async with served.serve("settlement", given) as settlement:
        yield Floor(settlement, conn, Random(11))


async def asked(floor: Floor, player: str, amount: int) -> pb.Adjustment:
    """Ask for an adjustment as one operator."""
    request = pb.RequestAdjustmentRequest(
        request_id=request_id(), player=player, currency=CURRENCY, amount=amount, reason="a lost dispute"
    )
    made: pb.Adjustment = (await floor.staff(floor.settlement.office.RequestAdjustment, request, "alice")).adjustment
    return made


def decision(adjustment: pb.Adjustment, *, approve: bool = True) -> pb.DecideAdjustmentRequest:
    """Decide an adjustment."""
    return pb.DecideAdjustmentRequest(
        request_id=request_id(), adjustment_id=adjustment.adjustment_id, approve=approve, reason="looked into"
    )


async def held(conn: Connection, player: str) -> int:
    """Give what lies in a wallet."""
    return await books.balance(conn, accounts.wallet(CURRENCY, player))


async def events(floor: Floor, kind: str = "", **span: Any) -> list[pb.SignificantEvent]:
    """Read all significant events of a kind, page by page."""
    found: list[pb.SignificantEvent] = []
    request = pb.ListSignificantEventsRequest(kind=kind, page_size=2, **span)
    while True:
        page = await floor.settlement.call(floor.settlement.office.ListSignificantEvents, request, Role.AUDITOR)
        found += page.significant_events
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def test_an_adjustment_moves_nothing_until_another_person_approves_it(floor: Floor, conn: Connection) -> None:
    """Whoever asked cannot decide; once another approves the wallet, the ledger and the record hold both names."""
    player = await floor.player(100)
    wanted = await asked(floor, player, 40)
    assert wanted.state == pb.ADJUSTMENT_STATE_PENDING
    office = floor.settlement.office
    await floor.settlement.refused(
        "SECOND_PERSON_NEEDED", office.DecideAdjustment, decision(wanted), Role.OPERATOR, "alice"
    )
    assert await held(conn, player) == 100
    made = (await floor.staff(office.DecideAdjustment, decision(wanted), "bert")).adjustment
    assert (made.state, made.requested_by, made.decided_by) == (pb.ADJUSTMENT_STATE_APPROVED, "alice", "bert")
    assert await held(conn, player) == 140
    lines = await books.statement(conn, accounts.wallet(CURRENCY, player))
    assert lines[-1].kind == "adjustment"
    assert lines[-1].reason == "a lost dispute (asked by alice, approved by bert)"
    assert lines[-1].entry_id == made.entry_id
    assert await books.imbalance(conn) == 0


async def test_a_rejected_adjustment_moves_nothing_and_stays_decided(floor: Floor, conn: Connection) -> None:
    """What was rejected cannot be approved later."""
    player = await floor.player(100)
    wanted = await asked(floor, player, -40)
    office = floor.settlement.office
    made = (await floor.staff(office.DecideAdjustment, decision(wanted, approve=False), "bert")).adjustment
    assert made.state == pb.ADJUSTMENT_STATE_REJECTED
    await floor.settlement.refused(
        "INVALID_ARGUMENT", office.DecideAdjustment, decision(wanted), Role.OPERATOR, "carla"
    )
    assert await held(conn, player) == 100


async def test_fifty_approvals_at_once_move_the_money_once(floor: Floor, conn: Connection) -> None:
    """The same request fifty times has one answer; approvals by others find it decided."""
    player = await floor.player(100)
    wanted = await asked(floor, player, 7)
    office, request = floor.settlement.office, decision(wanted)
    answers = await asyncio.gather(*(floor.staff(office.DecideAdjustment, request, "bert") for _ in range(50)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    await floor.settlement.refused(
        "INVALID_ARGUMENT", office.DecideAdjustment, decision(wanted), Role.OPERATOR, "carla"
    )
    assert await held(conn, player) == 107
    assert len(await events(floor, "adjustment_decided")) == 1


async def test_an_adjustment_that_would_overdraw_is_refused_and_stays_pending(floor: Floor, conn: Connection) -> None:
    """No wallet falls below nought, and the approval can be given later."""
    player = await floor.player(11)
    wanted = await asked(floor, player, -11)
    await floor.withdraw(player, 1)
    office = floor.settlement.office
    await floor.settlement.refused("INSUFFICIENT_FUNDS", office.DecideAdjustment, decision(wanted), Role.OPERATOR, "b")
    await floor.deposit(player, 1)
    await floor.staff(office.DecideAdjustment, decision(wanted), "b")
    assert await held(conn, player) == 0


async def test_what_the_wallet_does_not_hold_is_not_asked_for(floor: Floor) -> None:
    """Such a request is refused at once and recorded nowhere; one that was taken is answered again whatever comes."""
    player = await floor.player(10)
    office = floor.settlement.office
    request = pb.RequestAdjustmentRequest(
        request_id=request_id(), player=player, currency=CURRENCY, amount=-11, reason="a lost dispute"
    )
    said = await floor.settlement.refused("INSUFFICIENT_FUNDS", office.RequestAdjustment, request, Role.OPERATOR)
    assert "the wallet holds 10" in said
    assert not (await floor.staff(office.ListAdjustments, pb.ListAdjustmentsRequest(player=player))).adjustments
    await floor.deposit(player, 1)
    first = await floor.staff(office.RequestAdjustment, request)
    await floor.withdraw(player, 11)
    assert (await floor.staff(office.RequestAdjustment, request)) == first


async def test_the_database_itself_wants_a_second_person(floor: Floor, conn: Connection) -> None:
    """Whoever writes past the service meets the trigger; and nothing recorded can be changed."""
    player = await floor.player(10)
    wanted = await asked(floor, player, 5)
    with pytest.raises(psycopg.errors.CheckViolation, match="who cannot decide it"):
        await conn.execute(
            "INSERT INTO adjustment_decisions (adjustment_id, approved, reason, decided_by, request_key, digest)"
            " VALUES (%s, false, 'x', 'alice', 'k', 'd')",
            (wanted.adjustment_id,),
        )
    tables = (
        "switches", "limits", "adjustments", "adjustment_decisions", "significant_events", "configurations", "rounds",
        "round_seats", "pool_shares",
    )  # fmt: skip
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
    made = [await asked(floor, player, amount) for amount in (1, 2, 3)]
    office = floor.settlement.office
    await floor.staff(office.DecideAdjustment, decision(made[1]), "bert")
    listing = pb.ListAdjustmentsRequest(player=player, page_size=2)
    first = await floor.staff(office.ListAdjustments, listing)
    listing.page_token = first.next_page_token
    rest = await floor.staff(office.ListAdjustments, listing)
    assert [one.amount for one in (*first.adjustments, *rest.adjustments)] == [1, 2, 3]
    pending = await floor.staff(office.ListAdjustments, pb.ListAdjustmentsRequest(player=player, pending_only=True))
    assert [one.amount for one in pending.adjustments] == [1, 3]


async def test_voids_are_told_with_reason_before_and_after_and_count_in_the_reports(floor: Floor) -> None:
    """A voided round is one significant event, however often it is asked for, and one void of its game."""
    table = await floor.open("tongbi_san_gong", 2, 500)
    table.start()
    await served.publish(floor.conn, table, together=True)
    request = settlement_pb2.VoidOutRequest(
        request_id=request_id(), table_id=table.table_id, reason="power failed",
        on_behalf=served.on_behalf("boss", "operator", test=False),
    )  # fmt: skip
    for _ in range(3):
        await floor.settlement.call(floor.settlement.money.VoidOut, request)
    [told] = await events(floor, "round_voided")
    assert (told.actor, told.reason, told.component) == ("boss", "power failed", "settlement")
    assert table.table_id in told.subject
    assert told.before == "round 1 running"
    assert told.after.startswith("round 1 voided")
    report = await floor.staff(
        floor.settlement.office.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY)
    )
    assert [(one.game, one.rounds, one.voided, one.staked) for one in report.games] == [("tongbi_san_gong", 0, 1, 0)]


async def test_large_wins_and_stakes_are_told(floor: Floor) -> None:
    """Each seat of a real table beyond a threshold is told with what it held before and after; test tables are not."""
    for test in (True, False):
        table = await floor.open("texas_holdem", 2, 5000, test=test)
        for _ in range(6):
            await floor.round(table)
    told = await events(floor, "large_stake") + await events(floor, "large_win")
    played: list[pb.PlayedRound] = []
    for player in floor.players:
        request = pb.ListPlayedRoundsRequest(player=player, currency=CURRENCY)
        played += (await floor.staff(floor.settlement.office.ListPlayedRounds, request)).rounds
    stakes = [(one.player, str(one.chips_before)) for one in played if one.staked >= 50]
    wins = [(one.player, str(one.chips_before)) for one in played if one.won - one.staked >= 50]
    assert stakes, "the night was too quiet to show anything"
    assert sorted((one.actor, one.before) for one in told) == sorted(stakes + wins)


async def test_rules_and_settings_are_told_when_they_change(floor: Floor, postgres_url: str, redis_url: str) -> None:
    """Each start compares with what was recorded last; only a change is recorded, with before and after."""
    await asyncio.sleep(0.3)
    assert len(await events(floor, "rules")) == len(await events(floor, "settings")) == 1
    for large_win in (50, 60):
        given = served.given(postgres_url, redis_url, large_win=large_win, large_stake=50)
        async with served.serve("settlement", given):
            await asyncio.sleep(0.3)
    assert len(await events(floor, "rules")) == 1
    first, second = await events(floor, "settings")
    assert second.before == first.after
    assert '"large_win":60' in second.after


async def test_refused_sign_ins_are_told_at_a_bounded_rate(floor: Floor) -> None:
    """A hundred bad tokens are a few records that say how many there were."""
    request = wallet_pb2.GetBalanceRequest()
    for _ in range(100):
        with contextlib.suppress(grpc.aio.AioRpcError):
            await floor.settlement.wallets.GetBalance(request, metadata=(("authorization", "Bearer forged"),))
    found: list[pb.SignificantEvent] = []
    for _ in range(40):
        found = await events(floor, "sign_in_refused")
        if sum(int(one.after.split()[0]) if one.after else 1 for one in found) >= 100:
            break
        await asyncio.sleep(0.1)
    assert sum(int(one.after.split()[0]) if one.after else 1 for one in found) == 100
    assert len(found) <= 10
    assert {(one.actor, one.component, one.subject) for one in found} == {
        ("anonymous", "settlement", "WalletService/GetBalance")
    }
    assert all("token" in one.reason and "forged" not in one.reason for one in found)


async def test_incidents_of_many_kinds_are_counted_together(floor: Floor, postgres_url: str) -> None:
    """Whoever invents ever new incidents fills a bounded number of records, and none is lost from the count."""
    incidents = Incidents("test")
    for number in range(1000):
        incidents.happened("error", "", f"method {number}", "Boom")

    @contextlib.asynccontextmanager
    async def connected() -> AsyncIterator[Connection]:
        async with await served.connect(postgres_url) as connection:
            yield connection

    await incidents.flush(connected)
    found = await events(floor, "error")
    assert len(found) <= MOST_KINDS + 1
    assert sum(int(one.after.split()[0]) if one.after else 1 for one in found) == 1000


async def test_events_are_listed_by_span(floor: Floor) -> None:
    """What happened before the span, or at its end, is not in it; an empty span says so."""
    player = await floor.player(5)
    await asked(floor, player, 1)
    middle = timestamp_pb2.Timestamp()
    await asyncio.sleep(0.005)
    middle.GetCurrentTime()
    await asyncio.sleep(0.005)
    await asked(floor, player, 2)
    kind = "adjustment_requested"
    assert len(await events(floor, kind)) == 2
    [early] = await events(floor, kind, to_time=middle)
    [late] = await events(floor, kind, from_time=middle)
    assert early.number < late.number
    office = floor.settlement.office
    empty = await floor.settlement.call(
        office.ListSignificantEvents, pb.ListSignificantEventsRequest(kind="large_win"), Role.AUDITOR
    )
    assert (empty.header.note, empty.header.title) == ("no activity", "Significant events")


async def test_an_empty_report_says_no_activity_and_names_house_title_and_span(floor: Floor) -> None:
    """Each report of a house in which nothing happened is headed, and says that there was no activity."""
    office = floor.settlement.office
    begin, end = timestamp_pb2.Timestamp(seconds=1_000_000), timestamp_pb2.Timestamp(seconds=2_000_000)
    for method, request in (
        (office.ListGamePerformance, pb.ListGamePerformanceRequest(from_time=begin, to_time=end)),
        (office.ListTurnover, pb.ListTurnoverRequest(from_time=begin, to_time=end)),
        (office.GetHouseLiability, pb.GetHouseLiabilityRequest(from_time=begin, to_time=end)),
        (office.GetPlayerStatement, pb.GetPlayerStatementRequest(player="nobody", from_time=begin, to_time=end)),
        (office.ListPlayedRounds, pb.ListPlayedRoundsRequest(player="nobody", from_time=begin, to_time=end)),
        (office.ListSignificantEvents, pb.ListSignificantEventsRequest(from_time=begin, to_time=end)),
    ):
        header = (await floor.staff(method, request)).header
        assert header.note == "no activity"
        assert header.house == floor.settlement.settings.house_name
        assert header.title
        assert (header.from_time, header.to_time) == (begin, end)
        assert header.create_time.seconds > 1_700_000_000


async def test_test_money_is_in_no_report(floor: Floor) -> None:
    """Rounds at test tables are in no sum, and a report in the test currency is refused."""
    table = await floor.open("tongbi_san_gong", 2, 500, test=True)
    assert await floor.round(table)
    office = floor.settlement.office
    for method, request in (
        (office.ListGamePerformance, pb.ListGamePerformanceRequest),
        (office.ListTurnover, pb.ListTurnoverRequest),
        (office.GetHouseLiability, pb.GetHouseLiabilityRequest),
    ):
        assert (await floor.staff(method, request(currency=CURRENCY))).header.note == "no activity"
        await floor.settlement.refused("INVALID_ARGUMENT", method, request(currency="XTS"), Role.OPERATOR)


async def test_stakes_in_unfinished_rounds_are_reported(floor: Floor) -> None:
    """While a round runs its stakes stand in the game's report; once it is settled they do not."""
    table = await floor.open("texas_holdem", 2, 500)
    table.start()
    await served.publish(floor.conn, table, together=True)
    started = table.log[-1]
    assert isinstance(started, RoundStarted)
    blinds = sum(happened.amount for happened in started.happenings if isinstance(happened, Staked))
    assert blinds > 0
    request = pb.ListGamePerformanceRequest(currency=CURRENCY)
    running = await floor.staff(floor.settlement.office.ListGamePerformance, request)
    assert [(one.game, one.rounds, one.staked) for one in running.open_stakes] == [("texas_holdem", 1, blinds)]
    table.finish(floor.rng)
    await served.publish(floor.conn, table, together=True)
    settle = settlement_pb2.SettleRoundRequest(table_id=table.table_id)
    await floor.settlement.call(floor.settlement.money.SettleRound, settle)
    over = await floor.staff(floor.settlement.office.ListGamePerformance, request)
    assert not over.open_stakes
    assert [one.rounds for one in over.games] == [1]


async def test_a_game_s_report_names_configuration_return_and_since_when(floor: Floor) -> None:
    """House rules, rules version, enumerated returns of each bet, the first table's opening, on or off."""
    table = await floor.open("baccarat", 2, 500)
    assert await floor.round(table)
    office = floor.settlement.office
    [told] = (await floor.staff(office.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY))).games
    assert '"fee_bps"' in told.configuration
    assert told.rules_version == table.game.version
    assert told.theoretical_returns
    assert told.available_since_time.seconds > 1_700_000_000
    assert told.status == "on"
    switch = pb.SetSwitchRequest(
        request_id=request_id(), scope=pb.SWITCH_SCOPE_GAME, subject="baccarat", off=True, reason="a test"
    )
    await floor.staff(office.SetSwitch, switch)
    [told] = (await floor.staff(office.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY))).games
    assert told.status == "off"


@pytest.mark.parametrize(
    "method", ["ListGamePerformance", "ListTurnover", "GetHouseLiability", "ListSignificantEvents"]
)
async def test_players_read_no_reports_of_the_house(floor: Floor, method: str) -> None:
    """The house's figures are for staff and auditors; a player's own statement is for itself and them."""
    request = getattr(pb, f"{method}Request")()
    await floor.settlement.refused(
        "PERMISSION_DENIED", getattr(floor.settlement.office, method), request, Role.PLAYER, "p"
    )
    other = pb.GetPlayerStatementRequest(player="q")
    await floor.settlement.refused(
        "PERMISSION_DENIED", floor.settlement.office.GetPlayerStatement, other, Role.PLAYER, "p"
    )
