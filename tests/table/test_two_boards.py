"""What clients are shown of a hand that was run twice, without knowing the game [poker 0.16]."""

import msgspec
from pitboss.v1 import table_pb2 as pb

from services.contract import wire_tables
from services.fairness.scripted import Script
from services.rules import actions, cards, catalogue
from tests.support.sittings import Sitting

DECK = "2c As Kd 2d 2s Kh 3c Qh 9c 3d Jd 9s Kc 4d 5c 8h 4h Qs Qc 3h Td 7c"
FIRST, SECOND = ["Kc", "4d", "5c", "8h", "4h"], ["Qs", "Qc", "3h", "Td", "7c"]


def asked() -> Sitting:
    """Return a high-low hand whose live seats 0 and 2 are asked for a second board before the flop."""
    rules = msgspec.convert({"run_it": "twice", "betting": "no_limit"}, catalogue.game("omaha_hi_lo").rules_type)
    sitting = Sitting("omaha_hi_lo", rules, first_button=0)
    sitting.sit(dict.fromkeys(range(3), 100))
    dealt = tuple(cards.parse(DECK))
    sitting.script(Script(stocks=(dealt + tuple(card for card in cards.PACK_52 if card not in dealt),)))
    sitting.start()
    for seat, action in ((0, actions.AllIn()), (1, actions.Fold()), (2, actions.Call())):
        sitting.act(seat, action)
    return sitting


def share(one: pb.PotShare) -> tuple[str, str, int, int, str]:
    """Return what a share says."""
    return one.board, one.half, one.seat, one.amount, one.words.en


def test_seats_are_asked_by_two_buttons_without_a_price() -> None:
    """The two answers are options like any other; the phase, the deadline and who waits are in the view."""
    seen = wire_tables.view(asked().table, 0).round
    assert [(one.action, one.cost, one.most_cost) for one in seen.options] == [("run_twice", 0, 0), ("run_once", 0, 0)]
    assert (seen.phase, list(seen.waiting_for), seen.turn_ms) == ("run_it", [0, 2], 20_000)
    assert not wire_tables.view(asked().table, 1).round.options


def test_both_boards_and_the_winners_of_each_are_in_the_view() -> None:
    """Two zones of table cards; each hand has its worth and place on either; each share names its board and half."""
    sitting = asked()
    sitting.act(2, actions.RunTwice())
    sitting.act(0, actions.RunTwice())
    sitting.settle()
    seen = wire_tables.view(sitting.table, None).round
    boards = {one.name: list(one.cards) for one in seen.zones if not one.HasField("owner")}
    assert boards == {"board": FIRST, "second_board": SECOND}
    ranks = {one.seat: (one.rank, one.low.rank, one.second_board.rank) for one in seen.hands}
    assert ranks == {0: (1, 0, 2), 2: (2, 1, 1)}
    assert {one.seat: one.second_board.words.en for one in seen.hands}[2] == "three queens"
    [pot] = seen.pot_results
    assert [share(one) for one in pot.shares] == [
        ("board", "high", 0, 52, "full house, kings over fours"),
        ("board", "low", 2, 51, "8-5-4-2-A low"),
        ("second_board", "", 2, 102, "three queens"),
    ]
    facts = wire_tables.view(sitting.table, None).last_result.facts.poker
    assert list(facts.pots[0].second_winners) == [2]
    assert dict(facts.second_hands) == {0: "two_pair", 2: "three_of_a_kind"}
