"""What stands in the reports of games and of the house, and who may read them."""

import pytest
from google.protobuf import timestamp_pb2
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import settlement_pb2

from services.rules.happenings import Staked
from services.runtime.identity import Role
from services.table.events import RoundStarted
from tests.support import served
from tests.support.served import request_id
from tests.support.settlement_floor import CURRENCY, Floor


async def test_an_empty_report_says_no_activity_and_names_house_title_and_span(floor: Floor) -> None:
    """Each report of a house in which nothing happened is headed, and says that there was no activity."""
    stub = floor.settlement.office
    begin, end = timestamp_pb2.Timestamp(seconds=1_000_000), timestamp_pb2.Timestamp(seconds=2_000_000)
    for method, request in (
        (stub.ListGamePerformance, pb.ListGamePerformanceRequest(from_time=begin, to_time=end)),
        (stub.ListTurnover, pb.ListTurnoverRequest(from_time=begin, to_time=end)),
        (stub.GetHouseLiability, pb.GetHouseLiabilityRequest(from_time=begin, to_time=end)),
        (stub.GetPlayerStatement, pb.GetPlayerStatementRequest(player="nobody", from_time=begin, to_time=end)),
        (stub.ListPlayedRounds, pb.ListPlayedRoundsRequest(player="nobody", from_time=begin, to_time=end)),
        (stub.ListSignificantEvents, pb.ListSignificantEventsRequest(from_time=begin, to_time=end)),
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
    stub = floor.settlement.office
    for method, request in (
        (stub.ListGamePerformance, pb.ListGamePerformanceRequest),
        (stub.ListTurnover, pb.ListTurnoverRequest),
        (stub.GetHouseLiability, pb.GetHouseLiabilityRequest),
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
    stub = floor.settlement.office
    [told] = (await floor.staff(stub.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY))).games
    assert '"fee_bps"' in told.configuration
    assert told.rules_version == table.game.version
    assert told.theoretical_returns
    assert told.available_since_time.seconds > 1_700_000_000
    assert told.status == "on"
    switch = pb.SetSwitchRequest(
        request_id=request_id(), scope=pb.SWITCH_SCOPE_GAME, subject="baccarat", off=True, reason="a test"
    )
    await floor.staff(stub.SetSwitch, switch)
    [told] = (await floor.staff(stub.ListGamePerformance, pb.ListGamePerformanceRequest(currency=CURRENCY))).games
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
