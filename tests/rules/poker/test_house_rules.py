"""Table limits of the poker games: rules that are refused, and warnings to the creator of a table."""

import msgspec
import pytest

from services.rules import catalogue
from services.rules.game import Table
from services.rules.refusals import Reason, Refused
from tests.rules.poker.test_random_play import GAMES
from tests.support.seeded import Seeded

BLIND_GAMES = ("texas_holdem", "omaha", "five_card_draw")
ANTE_GAMES = ("five_card_stud", "seven_card_stud", "zha_jin_hua")
HOME_LADDER = ("five_card_draw", *ANTE_GAMES)


def faulty_fields(game_id: str, **keys: object) -> set[str]:
    """Return the fields that are at fault."""
    game = catalogue.game(game_id)
    return {fault.field for fault in game.faults(msgspec.convert(keys, game.rules_type))}


@pytest.mark.parametrize("game_id", GAMES)
def test_defaults_are_in_order(game_id: str) -> None:
    """The sheet's defaults make a table."""
    assert faulty_fields(game_id) == set()


@pytest.mark.parametrize(
    ("game_id", "keys", "field"),
    [
        *((name, {"big_blind": 1}, "big_blind") for name in BLIND_GAMES),
        *((name, {"small_blind": 11}, "small_blind") for name in BLIND_GAMES),
        *((name, {"small_blind": 0}, "small_blind") for name in BLIND_GAMES),
        *((name, {"heads_up_blinds": "button"}, "heads_up_blinds") for name in BLIND_GAMES),
        *((name, {"ante": -1}, "ante") for name in ANTE_GAMES),
        *((name, {"min_bet": 0}, "min_bet") for name in ANTE_GAMES),
        *((name, {"flush_order": "colour_first"}, "flush_order") for name in HOME_LADDER),
        *((name, {"betting": "spread_limit"}, "betting") for name in GAMES),
        *((name, {"raise_cap": -1}, "raise_cap") for name in GAMES),
        *((name, {"rake_bps": 10001}, "rake_bps") for name in GAMES),
        *((name, {"rake_cap": -1}, "rake_cap") for name in GAMES),
        *((name, {"fee_bps": 1}, "fee_bps") for name in GAMES),
        *((name, {"win_cap": "stake"}, "win_cap") for name in GAMES),
        *((name, {"turn_seconds": 0}, "turn_seconds") for name in GAMES),
        *((name, {"min_seats": 1}, "min_seats") for name in GAMES),
        *((name, {"no_flop_no_drop": True}, "no_flop_no_drop") for name in HOME_LADDER),
        ("zha_jin_hua", {"ante": 0}, "ante"),
        ("five_card_stud", {"showhand_from": 5}, "showhand_from"),
        ("five_card_stud", {"showhand_from": 0}, "showhand_from"),
        ("seven_card_stud", {"showhand_from": 6}, "showhand_from"),
        ("texas_holdem", {"max_seats": 11}, "max_seats"),
        ("omaha", {"max_seats": 11}, "max_seats"),
        ("five_card_draw", {"max_seats": 7}, "max_seats"),
        ("five_card_stud", {"max_seats": 11}, "max_seats"),
        ("seven_card_stud", {"max_seats": 8}, "max_seats"),
        ("royal_holdem", {"base": 15}, "base"),
        ("royal_holdem", {"base": 0}, "base"),
        ("royal_holdem", {"dealer_draw": "twice"}, "dealer_draw"),
        ("royal_holdem", {"timeout": "check"}, "timeout"),
        ("royal_holdem", {"betting": "pot_limit"}, "betting"),
    ],
)
def test_what_the_sheet_forbids_is_a_fault(game_id: str, keys: dict[str, object], field: str) -> None:
    """Each value outside the table limits is a fault of its field and of no other."""
    assert faulty_fields(game_id, **keys) == {field}


@pytest.mark.parametrize("game_id", ["texas_holdem", "royal_holdem", "omaha"])
def test_board_games_know_no_flop_no_drop(game_id: str) -> None:
    """The three games with table cards may spare pots without a flop."""
    assert faulty_fields(game_id, no_flop_no_drop=True) == set()


def test_small_blind_follows_the_big_one() -> None:
    """Left out, the small blind is half of the big one, rounded down."""
    game = catalogue.game("texas_holdem")
    for big, small in ((2, 1), (3, 1), (25, 12)):
        round_, _ = game.start(
            msgspec.convert({"big_blind": big}, game.rules_type), Table(chips={0: 100, 1: 100}), Seeded(1)
        )
        seats = {seat.seat: seat.staked for seat in round_.view(None).seats}
        assert seats == {0: small, 1: big}


def test_pot_limit_on_small_antes_is_warned_of() -> None:
    """With pot limit the creator is warned if the antes leave no room for a bet."""
    game = catalogue.game("five_card_stud")
    tight = msgspec.convert({"betting": "pot_limit", "ante": 0}, game.rules_type)
    assert "no bet of 10" in game.warnings(tight)[0]
    assert game.warnings(msgspec.convert({"betting": "pot_limit"}, game.rules_type)) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_too_few_seats_start_no_round(game_id: str) -> None:
    """One seat with chips, or fewer than min_seats, is not enough."""
    game = catalogue.game(game_id)
    with pytest.raises(Refused) as refusal:
        game.start(game.rules_type(), Table(chips={0: 100, 1: 0}), Seeded(1))
    assert refusal.value.reason == Reason.NOT_ENOUGH_SEATS
    with pytest.raises(Refused, match="at least 3"):
        game.start(msgspec.convert({"min_seats": 3}, game.rules_type), Table(chips={0: 9, 1: 9}), Seeded(1))


@pytest.mark.parametrize(
    ("keys", "pays"),
    [
        ({}, "the pot less 5 % rake"),
        ({"rake_bps": 0, "rake_cap": 9, "no_flop_no_drop": True}, "the whole pot"),
        ({"rake_bps": 125, "rake_cap": 9}, "the pot less 1.25 % rake, at most 9 a round"),
        ({"no_flop_no_drop": True}, "the pot less 5 % rake, none in a round without a flop"),
    ],
)
def test_payouts_tell_the_whole_rake(keys: dict[str, object], pays: str) -> None:
    """What a pot pays names rate, cap and the rounds that are spared [R28]."""
    game = catalogue.game("royal_holdem")
    assert [payout.pays for payout in game.payouts(msgspec.convert(keys, game.rules_type))] == [pays]
