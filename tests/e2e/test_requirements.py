"""Requirements of a licensed house that no other test shows: records, rules before a bet, separations."""

import json
from typing import Any

import pytest
from google.protobuf.descriptor import MethodDescriptor
from pitboss import client, parts
from pitboss.v1 import audit_pb2, back_office_pb2, dealer_pb2, wallet_pb2

from services.journal import log_rows
from services.rules import catalogue
from services.settlement import wallet_bounds, wallets
from services.settlement.backoffice import service as back_office
from tests.support import people, play
from tests.support.people import Crowd, refused

FAMILIES = {
    "poker": "royal_holdem",
    "banker": "blackjack",
    "showdown": "tongbi_san_gong",
    "tricks": "loo",
    "climbing": "dou_dizhu",
    "survival": "ninety_nine",
}


async def read_round(crowd: Crowd, table_id: str, number: int) -> audit_pb2.ReadRoundResponse:
    """Read a round as the auditor does."""
    audit, metadata = crowd.auditor()
    request = audit_pb2.ReadRoundRequest(table_id=table_id, round_number=number, language="en")
    return await parts.read_round(audit.ReadRound(request, metadata=metadata, timeout=60))


@pytest.mark.parametrize("family", list(FAMILIES))
async def test_the_record_of_a_round_is_whole(crowd: Crowd, family: str) -> None:
    """A round's record holds each seat's start, stakes, win, fee and balances, every decision and the outcome [R1]."""
    table_id, players = await play.opened(crowd, FAMILIES[family])
    number = await play.rounds(table_id, players)
    told = await read_round(crowd, table_id, number)
    document = json.loads(told.document)
    assert document["game"] == FAMILIES[family]
    assert (document["table"], document["round"]) == (table_id, number)
    by_type: dict[str, list[dict[str, Any]]] = {}
    for event in told.events:
        by_type.setdefault(event.type.split(".")[0], []).append(json.loads(event.data))
    [started], [settled] = by_type["RoundStarted"], by_type["RoundSettled"]
    assert started["table"]["opening"]["rules_version"] == catalogue.game(FAMILIES[family]).version
    assert set(started["carry"]) == {str(seat["seat"]) for seat in settled["seats"]}
    for seat in settled["seats"]:
        assert seat["player"] in {player.subject for player in players}
        assert seat["after"] - seat["before"] == seat["won"] - seat["staked"] - seat["fee"]
        assert started["carry"][str(seat["seat"])] == seat["before"]
    decisions = by_type.get("ActionTaken", []) + by_type.get("DeadlinePassed", [])
    assert decisions
    assert all("happenings" in decision for decision in decisions)
    assert any(entry["is"] == "phase" for move in [started, *decisions] for entry in move["happenings"])
    assert len(told.words) > len(decisions)
    played = await crowd.operator.house.call(
        crowd.operator.house.office.ListPlayedRounds,
        back_office_pb2.ListPlayedRoundsRequest(player=players[0].subject),
    )
    assert [(one.table_id, one.round_number, one.voided) for one in played.rounds] == [(table_id, number, False)]


async def test_a_round_starts_only_after_the_last_one_s_money_is_posted(crowd: Crowd) -> None:
    """A round's settlement is always before the start of the next round [R10]."""
    table_id, players = await play.opened(crowd, "tongbi_san_gong")
    for _ in range(3):
        await play.rounds(table_id, players)
    told: list[str] = []
    for number in (1, 2, 3):
        told += [event.type.split(".")[0] for event in (await read_round(crowd, table_id, number)).events]
    marks = [kind for kind in told if kind in ("RoundStarted", "RoundEnded", "RoundSettled")]
    assert marks == ["RoundStarted", "RoundEnded", "RoundSettled"] * 3


async def test_a_start_in_a_running_round_is_refused(crowd: Crowd) -> None:
    """A second round at a table waits for the first, at every dealer [R10]."""
    table_id, (ann, _) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    await ann.house.start_round(table_id)
    for dealer in range(2):
        await refused("ROUND_IN_PROGRESS", ann.at(dealer).start_round(table_id))


async def test_a_decision_that_the_system_took_is_marked_and_harms_nobody_else(crowd: Crowd) -> None:
    """A passed deadline is recorded as the system's decision for that seat alone [R14]."""
    table_id, players = await crowd.table("texas_holdem", ("Ann", "Bob", "Cid"), test=True)
    await players[0].house.start_round(table_id)
    before = await players[0].house.table(table_id)
    [late] = before.round.waiting_for
    request = dealer_pb2.PassDeadlineRequest(request_id=client.request_id(), table_id=table_id, times=1)
    await crowd.operator.house.call(crowd.operator.house.dealer.PassDeadline, request)
    after = await players[0].house.table(table_id)
    status = {seat.seat: (seat.status, seat.staked) for seat in after.round.seats}
    same = {seat.seat: (seat.status, seat.staked) for seat in before.round.seats if seat.seat != late}
    assert {seat: state for seat, state in status.items() if seat != late} == same
    for player in players:
        while (seen := await player.house.table(table_id)).round.waiting_for:
            await players[seen.round.waiting_for[0]].house.act(table_id, people.action("fold"))
    await people.until_settled(players[0].house, table_id, 1)
    told = await read_round(crowd, table_id, 1)
    [passed] = [json.loads(event.data) for event in told.events if event.type.startswith("DeadlinePassed")]
    decided = [entry for entry in passed["happenings"] if entry["is"] == "decided"]
    assert [entry["seat"] for entry in decided] == [late]


@pytest.mark.parametrize("game", list(catalogue.FILES))
async def test_rules_limits_and_fees_are_read_without_a_bet(crowd: Crowd, game: str) -> None:
    """Rules, payouts, the greatest win, limits and fees can be read without a wallet, in three languages [R28]."""
    stranger = crowd.person("stranger").house
    told = await stranger.game(game)
    for text in (told.rules, told.greatest_win, told.game.name):
        assert text.en
        assert text.zh_hant
        assert text.zh_hans
    rules = catalogue.game(game).rules_type()
    assert (told.fee_bps, told.rake_bps, told.rake_cap) == (rules.fee_bps, rules.rake_bps, rules.rake_cap)
    assert told.win_cap in ("none", "stake")
    assert {"turn_seconds", "min_seats", "max_seats"} <= set(told.house_rules)
    assert all(entry.pays and entry.wins.en for entry in told.payouts)


async def test_the_house_rules_of_a_table_stay_those_of_its_opening(crowd: Crowd) -> None:
    """Every round restates the table's rules and their version, which never change [R29]."""
    table_id, players = await crowd.table("texas_holdem", ("Ann", "Bob"), {"big_blind": 20, "small_blind": 10})
    for big_blind in (40, 60):
        await crowd.table("texas_holdem", (), {"big_blind": big_blind, "small_blind": 10})
        number = (await players[0].house.start_round(table_id)).round_number
        turn = (await players[0].house.table(table_id)).round.waiting_for[0]
        await players[turn].house.act(table_id, people.action("fold"))
        await people.until_settled(players[0].house, table_id, number)
    for number in (1, 2):
        told = await read_round(crowd, table_id, number)
        [started] = [json.loads(one.data) for one in told.events if one.type.startswith("RoundStarted")]
        assert started["table"]["opening"]["rules"]["big_blind"] == 20
    metadata = json.loads(told.events[0].metadata)
    assert log_rows.Metadata(**metadata).actor == players[0].subject


async def test_no_money_goes_from_player_to_player_outside_play(crowd: Crowd) -> None:
    """No method names two players, and a player can call none that moves another's money [R36]."""
    for descriptor in (wallet_pb2.DESCRIPTOR, back_office_pb2.DESCRIPTOR):
        for service in descriptor.services_by_name.values():
            for method in service.methods:
                assert _players(method) <= 1, f"{method.full_name} names two players"
    for access in (wallets.ACCESS, back_office.ACCESS):
        may = {method for method, roles in access.items() if "player" in roles}
        assert may <= {
            "Deposit",  # of a house player, of test money, into its own wallet; others are refused below
            "GetBalance",
            "WatchWallet",
            "ListStatementLines",
            "SetLimit",
            "ListLimits",
            "GetPlayerStatement",
            "ListPlayedRounds",
        }
    ann, bob = await crowd.player("Ann"), await crowd.player("Bob")
    stub = ann.house.wallets
    calls: tuple[tuple[Any, Any, str], ...] = (
        (stub.Deposit, wallet_pb2.DepositRequest, "TEST_ONLY"),
        (stub.Withdraw, wallet_pb2.WithdrawRequest, "PERMISSION_DENIED"),
    )
    for call, request, reason in calls:
        for player in (ann, bob):
            given = request(request_id=client.request_id(), player=player.subject, amount=5)
            await refused(reason, ann.house.call(call, given))


def _players(method: MethodDescriptor) -> int:
    return sum(
        field.name in ("player", "from_player", "to_player", "other_player") for field in method.input_type.fields
    )


async def test_test_players_are_marked_bounded_and_kept_apart(crowd: Crowd) -> None:
    """A test player sits at test tables only, with test money only, within a limit; no report shows it [R46]."""
    guinea = await crowd.player("Pig", 1000, test=True)
    real = await crowd.operator.house.create_table("texas_holdem")
    await refused("PERMISSION_DENIED", guinea.house.take_seat(real.table_id, 100))
    made = await guinea.house.create_table("texas_holdem")
    view = await guinea.house.table(made.table_id)
    assert view.table.test
    assert view.table.currency == "XTS"
    await guinea.house.take_seat(made.table_id, 100)
    await refused(
        "INVALID_ARGUMENT", crowd.operator.house.deposit(guinea.subject, wallet_bounds.MOST_TEST_CHIPS + 1, "XTS")
    )
    rich = await crowd.player("Rich")
    await refused("INSUFFICIENT_FUNDS", rich.house.take_seat(made.table_id, 100))
    listed = [one.table_id for one in await guinea.house.tables(game="texas_holdem")]
    assert made.table_id not in listed
    office = crowd.operator.house.office
    request = back_office_pb2.ListGamePerformanceRequest(currency="XTS")
    await refused("INVALID_ARGUMENT", crowd.operator.house.call(office.ListGamePerformance, request))


async def test_chips_in_an_unfinished_round_are_held_and_shown(crowd: Crowd) -> None:
    """While a round runs its seats' chips are out of the wallets, in the balance's list, and in the reports [R12]."""
    table_id, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    await ann.house.start_round(table_id)
    told = await ann.house.call(ann.house.wallets.GetBalance, wallet_pb2.GetBalanceRequest())
    assert [(one.table_id, one.seat, one.chips) for one in told.at_tables] == [(table_id, 0, 1000)]
    assert told.balance == people.WALLET - 1000
    office = crowd.operator.house.office
    report = await crowd.operator.house.call(
        office.ListGamePerformance, back_office_pb2.ListGamePerformanceRequest(game="texas_holdem")
    )
    assert sum(one.staked for one in report.open_stakes) > 0
    statement = await bob.house.call(bob.house.office.GetPlayerStatement, back_office_pb2.GetPlayerStatementRequest())
    assert (statement.in_wallet, statement.at_tables) == (people.WALLET - 1000, 1000)
