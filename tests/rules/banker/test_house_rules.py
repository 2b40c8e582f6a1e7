"""Table limits, numbers of seats and warnings of the banker family."""

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.house import pipeline
from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.refusals import Refused

FAMILY = [game_id for game_id in catalogue.FILES if catalogue.game(game_id).family == "banker"]

SEATS = {
    "blackjack": (1, 7),
    "baccarat": (1, 7),
    "ten_and_a_half": (1, 7),
    "niu_niu": (1, 9),
    "four_knives": (1, 9),
    "san_gong_banker": (1, 5),
    "san_gong_live": (1, 50),
    "tui_tong_zi": (1, 3),
    "suit_betting": (1, 50),
    "high_suit": (2, 7),
    "bank": (2, 6),
    "casino_war": (1, 7),
}
"""Fewest and most players with the house's bank, by the sheet; one seat more where a seat banks."""


def faults(game_id: str, **keys: object) -> set[str]:
    """Return the fields at fault."""
    game = catalogue.game(game_id)
    return {fault.field for fault in game.faults(msgspec.convert(keys, game.rules_type))}


def test_the_family_is_whole() -> None:
    """Thirteen games of the sheet, and casino hold'em."""
    assert set(FAMILY) == {*SEATS, "shoot_dragon_gate", "casino_holdem"}


@pytest.mark.parametrize("game_id", SEATS)
@pytest.mark.parametrize("banker", ["house", "seat"])
def test_seats_by_banker(game_id: str, banker: str) -> None:
    """The numbers of seats of the sheet, one more at least and at most where a seat banks."""
    game = catalogue.game(game_id)
    rules = msgspec.convert({"banker": banker}, game.rules_type)
    fewest, most = (number + (banker == "seat") for number in SEATS[game_id])
    assert (rules.min_seats, rules.max_seats) == (fewest, most)
    assert game.faults(rules) == []
    if game_id not in {"suit_betting", "san_gong_live"}:
        assert faults(game_id, banker=banker, max_seats=most + 1) == {"max_seats"}
    if fewest > 1:
        assert "min_seats" in faults(game_id, banker=banker, min_seats=fewest - 1)


@pytest.mark.parametrize(
    ("game_id", "keys", "field"),
    [
        ("niu_niu", {"min_bet": 0}, "min_bet"),
        ("niu_niu", {"min_bet": 5, "max_bet": 4}, "max_bet"),
        ("niu_niu", {"cover": 0}, "cover"),
        ("niu_niu", {"banker_rounds": 0}, "banker_rounds"),
        ("niu_niu", {"banker": "bank"}, "banker"),
        ("niu_niu", {"multipliers": {"big": 0}}, "multipliers"),
        ("niu_niu", {"multipliers": {"huge": 2}}, "multipliers"),
        ("niu_niu", {"rake_bps": 100}, "rake_bps"),
        ("niu_niu", {"fee_bps": 10001}, "fee_bps"),
        ("niu_niu", {"win_cap": "carry"}, "win_cap"),
        ("niu_niu", {"bet_seconds": 0}, "bet_seconds"),
        ("suit_betting", {"odds": {"red": 1}}, "odds"),
        ("suit_betting", {"odds": {"spade": 0}}, "odds"),
        ("blackjack", {"natural_pays": "6:5"}, "natural_pays"),
        ("blackjack", {"bet_when": "later"}, "bet_when"),
        ("ten_and_a_half", {"banker_stands_on": 6.3}, "banker_stands_on"),
        ("ten_and_a_half", {"banker_stands_on": 11}, "banker_stands_on"),
        ("ten_and_a_half", {"banker_stands_on": float("inf")}, "banker_stands_on"),
        ("ten_and_a_half", {"banker_stands_on": float("nan")}, "banker_stands_on"),
        ("san_gong_banker", {"bank_mode": "auction"}, "bank_mode"),
        ("san_gong_banker", {"preview_cards": 3}, "preview_cards"),
        ("san_gong_banker", {"multiples": []}, "multiples"),
        ("san_gong_banker", {"multiples": [0, 1]}, "multiples"),
        ("san_gong_banker", {"base": 0}, "base"),
        ("san_gong_live", {"tie_rule": "suits"}, "tie_rule"),
        ("san_gong_live", {"san_gong_hand": "both"}, "san_gong_hand"),
        ("tui_tong_zi", {"white_single": "one"}, "white_single"),
        ("tui_tong_zi", {"equal_hands": "split"}, "equal_hands"),
        ("high_suit", {"ante": 0}, "ante"),
        ("bank", {"match_rounds": -1}, "match_rounds"),
        ("bank", {"max_bet": 999}, "max_bet"),
        ("shoot_dragon_gate", {"ace": "both"}, "ace"),
        ("shoot_dragon_gate", {"ante": 0}, "ante"),
        ("shoot_dragon_gate", {"max_seats": 11}, "max_seats"),
        ("casino_war", {"cover": 1}, "cover"),
        ("casino_war", {"decks": 0}, "decks"),
        ("casino_war", {"decks": 9}, "decks"),
        ("casino_war", {"war_tie": "push"}, "war_tie"),
        ("casino_holdem", {"banker": "seat"}, "banker"),
        ("casino_holdem", {"call_multiple": 3}, "call_multiple"),
        ("casino_holdem", {"min_bonus": 0}, "min_bonus"),
        ("casino_holdem", {"max_bet": 9}, "max_bet"),
    ],
)
def test_what_lies_outside_the_table_limits_is_named(game_id: str, keys: dict[str, object], field: str) -> None:
    """Each table limit of the sheets is a fault of just that key."""
    assert faults(game_id, **keys) == {field}


@pytest.mark.parametrize("game_id", ["suit_betting", "san_gong_live", "casino_holdem"])
def test_wide_tables_may_be_opened(game_id: str) -> None:
    """Games for many players take 200 seats."""
    assert faults(game_id, max_seats=200) == set()


@pytest.mark.parametrize("game_id", ["blackjack", "baccarat"])
def test_betting_after_a_look_without_a_limit_is_warned_of(game_id: str) -> None:
    """The creator of such a table learns what the house loses; with any of the guards there is no warning.

    Source: [blackjack D1; baccarat D5].
    """
    game = catalogue.game(game_id)
    share = {"blackjack": "24 %", "baccarat": "91 %"}[game_id]
    assert share in game.warnings(game.rules_type())[0]
    for keys in ({"max_bet": 10}, {"bet_when": "before_deal"}, {"banker": "seat"}):
        assert game.warnings(msgspec.convert(keys, game.rules_type)) == [], keys


@pytest.mark.parametrize("game_id", FAMILY)
def test_too_few_seats_or_chips_start_no_round(game_id: str) -> None:
    """Without enough seats, and with seats that hold nothing, a round is refused and says why."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    tables = [{}, dict.fromkeys(range(max(2, rules.min_seats)), 0)]
    for chips in tables:
        with pytest.raises(Refused) as refused:
            game.start(rules, Table(chips=chips), ScriptedChance(Script()))
        assert refused.value.reason == "NOT_ENOUGH_SEATS"


@pytest.mark.parametrize(("game_id", "dealt"), [("niu_niu", 50), ("four_knives", 40)])
def test_full_tables_have_cards_enough(game_id: str, dealt: int) -> None:
    """Nine seats and the banker fit into the pack [niu_niu D5]."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    chance = ScriptedChance(Script())
    round_, _ = game.start(rules, Table(chips=dict.fromkeys(range(9), 100)), chance)
    for seat in range(9):
        round_.act(seat, actions.Bet(1), chance)
    assert round_.stock.next == dealt  # type: ignore[attr-defined]  # these games have one stock


@pytest.mark.parametrize("game_id", ["blackjack", "ten_and_a_half"])
def test_seven_seats_of_five_small_cards_leave_enough_for_the_banker(game_id: str) -> None:
    """With the pack in rising order all seats take all they may, and the deck does not run out [blackjack D7]."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    # Small cards first, so that hands are long; the banker's own cards are the smallest of all.
    order = [rank + suit for rank in "A23456789TJQK" for suit in "shdc"]
    if game_id == "ten_and_a_half":
        order = [rank + suit for rank in "JQKA23456789T" for suit in "shdc"]
    chance = ScriptedChance(Script(stocks=(tuple(order),)))
    round_, _ = game.start(rules, Table(chips=dict.fromkeys(range(7), 100)), chance)
    for seat in range(7):
        round_.act(seat, actions.Bet(1), chance)
    while (waiting := round_.waiting()) is not None:
        (seat,) = waiting.seats
        round_.act(seat, actions.Hit(), chance)
    assert round_.outcome is not None
    assert pipeline.settle(round_.outcome, rules, round_.carry, 0).house != 0


def test_the_pool_is_shared_by_the_seats_of_the_last_round() -> None:
    """When a table of dragon gate closes, its pool goes to the seats that played last, the button's left first."""
    game = catalogue.game("shoot_dragon_gate")
    table = Table(chips={0: 5, 1: 50, 2: 50, 3: 50}, button=2, memory={"played": [0, 1, 2, 4]})
    assert game.pot_heirs(game.rules_type(), table) == (0, 1, 2)


@pytest.mark.parametrize(
    ("game_id", "keys", "named"),
    [
        ("baccarat", {"max_seats": 1, "min_bet": 10, "max_bet": 10}, set()),
        ("baccarat", {"max_seats": 2, "min_bet": 10, "max_bet": 10}, {"max_seats"}),
        ("baccarat", {"max_seats": 1, "min_bet": 10, "max_bet": 11}, {"max_bet"}),
        ("baccarat", {"max_seats": 1, "min_bet": 10, "max_bet": 0}, {"max_bet"}),
        ("baccarat", {"max_seats": 7, "min_bet": 10, "max_bet": 100}, {"max_seats", "max_bet"}),
        ("blackjack", {}, set()),
        ("high_suit", {}, {"banker"}),
    ],
)
def test_what_speaks_against_the_house_as_the_bank_is_named(
    game_id: str, keys: dict[str, object], named: set[str]
) -> None:
    """Rules under which the house could only lose name each wrong field, and fair rules none."""
    game = catalogue.game(game_id)
    rules = msgspec.convert({"banker": "house", **keys}, game.rules_type)
    assert {fault.field for fault in game.bank_faults(rules)} == named
