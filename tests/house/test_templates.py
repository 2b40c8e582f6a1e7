"""What the opener of a table may vary of a template, and the house's standard templates."""

from typing import Any

import msgspec
import pytest

from services.house import appraisal, standards, templates
from services.house.appraisal import HOUSE, SEAT, Appraisal, BetReturn
from services.house.templates import Terms
from services.rules import catalogue
from services.settlement.backoffice import trials

GAMES = list(catalogue.FILES)
SIMULATED = [game.id for game in catalogue.games() if game.trial_returns]


def varied(
    terms: Terms, given: dict[str, Any] | None = None, *, staff: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the rules of a table and what is wrong with them, by key."""
    rules, faults = templates.varied(terms, catalogue.game(terms.game), given or {}, staff=staff)
    return rules, {fault.field: fault.message for fault in faults}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_standard_template_of_rules_that_the_game_takes(game: str) -> None:
    """Its id is the game's; nothing varied, or every value given as it is, makes the template's own rules."""
    terms = standards.terms(game)
    played = catalogue.game(game)
    assert (terms.template_id, terms.game, terms.version) == (game, game, played.version)
    assert played.faults(msgspec.convert(terms.rules, played.rules_type)) == []
    assert varied(terms) == (terms.rules, {})
    assert varied(terms, terms.rules) == (terms.rules, {})
    assert terms.least_stake <= played.stake(played.standard_rules()) <= terms.greatest_stake


@pytest.mark.parametrize("game", GAMES)
def test_no_standard_template_lets_the_house_bank_at_a_loss(game: str) -> None:
    """Where the house banks every bet is shown to return at most 1, and nothing else speaks against its bank."""
    terms = standards.terms(game)
    rules = catalogue.game(game).standard_rules()
    assert terms.appraisal.banker == appraisal.banker_of(rules)
    assert appraisal.faults(terms.appraisal) == []
    if terms.appraisal.banker == HOUSE:
        assert terms.appraisal.returns
        assert catalogue.game(game).bank_faults(rules) == []
    assert not terms.appraisal.favours_bank


@pytest.mark.parametrize("game", SIMULATED)
def test_written_returns_are_those_that_a_trial_gives(game: str) -> None:
    """A shorter trial of the standard rules finds an interval that meets the written one."""
    [written] = standards.terms(game).appraisal.returns
    rules = msgspec.to_builtins(catalogue.game(game).standard_rules())
    [found] = trials.figures(game, rules, rounds=2000, seconds=60)
    assert found.rounds == 2000
    assert max(found.low, written.low) <= min(found.high, written.high)
    assert written.at_most_even


def test_the_same_rules_are_played_with_the_same_cards() -> None:
    """The approver of a template gets the figures of its proposal again."""
    rules = {"banker_stands_on": 7}
    assert trials.figures("ten_and_a_half", rules, 500, 60) == trials.figures("ten_and_a_half", rules, 500, 60)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_varies_what_the_house_takes_or_who_banks(game: str) -> None:
    """Fee, rake, caps and the bank stay as they are, for players and staff, and each key that differs is named."""
    terms = standards.terms(game)
    other = {"fee_bps": 17, "rake_bps": 17, "rake_cap": 17, "win_cap": "both", "no_flop_no_drop": True, "banker": "me"}
    given = {key: value for key, value in other.items() if key in terms.rules}
    for staff in (False, True):
        rules, faults = varied(terms, given, staff=staff)
        assert set(faults) == set(given)
        assert rules == terms.rules


@pytest.mark.parametrize("game", GAMES)
def test_rules_of_play_are_open_to_staff_where_nobody_banks(game: str) -> None:
    """Players vary stake, seats and times alone; staff other rules too, but never those of a game with a bank."""
    terms = standards.terms(game)
    rules = catalogue.game(game).standard_rules()
    fixed = {key for field in templates.FIELDS for key in templates.keys_of(field, type(rules))} | set(templates.NEVER)
    for key in set(terms.rules) - fixed:
        given = {key: "something else"}
        assert set(varied(terms, given)[1]) == {key}
        assert set(varied(terms, given, staff=True)[1]) == ({key} if templates.is_banked(rules) else set())


@pytest.mark.parametrize(
    ("game", "given", "wrong"),
    [
        ("texas_holdem", {"big_blind": 1_000_000, "small_blind": 1}, set()),
        ("texas_holdem", {"big_blind": 0}, {"big_blind"}),
        ("texas_holdem", {"big_blind": 1_000_001}, {"big_blind"}),
        ("texas_holdem", {"small_blind": -1}, {"small_blind"}),
        ("texas_holdem", {"max_seats": 11}, {"max_seats"}),
        ("texas_holdem", {"min_seats": 1}, {"min_seats"}),
        ("texas_holdem", {"turn_seconds": 5, "max_seats": 6}, set()),
        ("war", {"ante": 0}, set()),
        ("blackjack", {"min_bet": 50, "max_bet": 50}, set()),
        ("blackjack", {"min_bet": 50, "max_bet": 51}, {"max_bet"}),
        ("blackjack", {"max_bet": 0}, {"max_bet"}),
        ("suit_betting", {"min_bet": 5, "max_bet": 5000}, set()),
        ("suit_betting", {"odds": {"seven": 12}}, set()),
        ("suit_betting", {"odds": {"seven": 13}}, {"odds"}),
        ("casino_holdem", {"min_bet": 20, "max_bet": 20_000}, set()),
        ("casino_holdem", {"max_seats": 500}, set()),
        ("casino_holdem", {"min_bet": 20, "max_bet": 20_001}, {"max_bet"}),
    ],
)
def test_what_is_open_has_bounds(game: str, given: dict[str, Any], wrong: set[str]) -> None:
    """Stakes keep to their range, seats to the template's, and a greatest bet to its ratio to the least one."""
    assert set(varied(standards.terms(game), given)[1]) == wrong


def test_a_greatest_bet_goes_with_the_least_one() -> None:
    """If only the least bet is varied, the greatest one follows in the template's ratio."""
    assert varied(standards.terms("blackjack"), {"min_bet": 70})[0]["max_bet"] == 70
    assert varied(standards.terms("casino_holdem"), {"min_bet": 100})[0]["max_bet"] == 100_000
    assert varied(standards.terms("suit_betting"), {"min_bet": 70})[0]["max_bet"] == 0


def test_a_bank_is_favoured_by_the_worst_bet_and_only_where_a_seat_has_it() -> None:
    """Nine tenths of a chip is the bound; a house that banks says nothing of the kind."""
    fair, bad = (BetReturn(bet=name, returned=value) for name, value in (("fair", 0.9), ("bad", 0.899)))
    assert not Appraisal(banker=SEAT, returns=(fair,)).favours_bank
    assert Appraisal(banker=SEAT, returns=(fair, bad)).favours_bank
    assert not Appraisal(banker=HOUSE, returns=(fair, bad)).favours_bank
    assert not Appraisal().favours_bank


def test_what_is_not_shown_to_be_even_is_no_bank_for_the_house() -> None:
    """An interval that reaches above 1 is refused, one below it is taken; an exact 1 is taken, any more is not."""
    unsure = BetReturn(bet="unsure", returned=0.99, low=0.97, high=1.01, rounds=100)
    sure = BetReturn(bet="sure", returned=0.98, low=0.97, high=0.99, rounds=100)
    even = BetReturn(bet="even", returned=1.0, exact="1")
    above = BetReturn(bet="above", returned=1.0, exact="1000000001/1000000000")
    found = appraisal.faults(Appraisal(banker=HOUSE, returns=(unsure, sure, even, above)))
    assert [fault.field for fault in found] == ["unsure", "above"]
    assert appraisal.faults(Appraisal(banker=SEAT, returns=(unsure, above))) == []
