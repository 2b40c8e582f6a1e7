"""Tables of the trick games: limits of house rules, who is dealt in, the first button, the heirs of a pot, texts."""

from functools import partial
from typing import Any

import msgspec
import pytest

from services.rules import catalogue, game
from services.rules.ranking import tricks as ladders
from services.rules.refusals import Reason, Refused
from tests.rules.tricks import playing

BAD: list[tuple[str, dict[str, Any], str]] = [
    ("endurance", {"ante": -1}, "ante"),
    ("endurance", {"min_seats": 3}, "min_seats"),
    ("endurance", {"max_seats": 7}, "max_seats"),
    ("endurance", {"rake_bps": 100}, "rake_bps"),
    ("honeymoon", {"stake": 0}, "stake"),
    ("honeymoon", {"point": 0}, "point"),
    ("honeymoon", {"point_from": "bank"}, "point_from"),
    ("honeymoon", {"queens": "spade"}, "queens"),
    ("honeymoon", {"match_rounds": -1}, "match_rounds"),
    ("honeymoon", {"max_seats": 3}, "max_seats"),
    ("napoleon", {"base": 0}, "base"),
    ("napoleon", {"min_bid": 0}, "min_bid"),
    ("napoleon", {"min_bid": 80}, "min_bid"),
    ("napoleon", {"draw": "all"}, "draw"),
    ("napoleon", {"max_seats": 8}, "max_seats"),
    ("spoil_five", {"ante": 0}, "ante"),
    ("spoil_five", {"max_seats": 11}, "max_seats"),
    ("spoil_five", {"win_cap": "double"}, "win_cap"),
    ("loo", {"stake": 4}, "stake"),
    ("loo", {"stake": 0}, "stake"),
    ("loo", {"stake": -3}, "stake"),
    ("loo", {"min_seats": 4}, "min_seats"),
    ("loo", {"fee_bps": 10_001}, "fee_bps"),
    ("loo", {"turn_seconds": 0}, "turn_seconds"),
]
LEAST = {"endurance": 5, "honeymoon": 7, "napoleon": 14, "spoil_five": 14, "loo": 9}
KEYS: dict[str, dict[str, Any]] = {
    "endurance": {"ante": 5},
    "honeymoon": {"stake": 7},
    "napoleon": {"base": 7},
    "spoil_five": {"ante": 7},
    "loo": {"stake": 3},
}
SEATS = {"endurance": (4, 6), "honeymoon": (4, 6), "napoleon": (4, 7), "spoil_five": (2, 10), "loo": (5, 8)}


@pytest.mark.parametrize(("game_id", "keys", "field"), BAD)
def test_house_rules_outside_their_limits_are_named(game_id: str, keys: dict[str, Any], field: str) -> None:
    """A table cannot be made with a house rule out of range; the fault names the key and what would be right."""
    entry = catalogue.game(game_id)
    faults = entry.faults(msgspec.convert(keys, entry.rules_type))
    assert field in {fault.field for fault in faults}
    assert all(fault.message for fault in faults)


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_defaults_are_those_of_the_sheet(game_id: str) -> None:
    """No fee, no cap, no rake, twenty seconds, and the sheet's numbers of seats."""
    rules = catalogue.game(game_id).rules_type()
    assert (rules.fee_bps, rules.win_cap, rules.rake_bps, rules.turn_seconds) == (0, "none", 0, 20)
    assert (rules.min_seats, rules.max_seats) == SEATS[game_id]
    assert not catalogue.game(game_id).faults(rules)


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_only_seats_with_the_least_carry_are_dealt_in(game_id: str) -> None:
    """A seat with one chip too few is left out; with too few seats no round starts."""
    least, fewest = LEAST[game_id], SEATS[game_id][0]
    chips = {**dict.fromkeys(range(fewest), least), fewest: least - 1}
    round_, _, _ = playing.start(game_id, 1, rules=KEYS[game_id], chips=chips)
    assert set(round_.carry) == set(range(fewest))
    assert catalogue.game(game_id).least_carry(round_.rules) == least
    chips = {**dict.fromkeys(range(fewest - 1), least), fewest: least - 1}
    with pytest.raises(Refused) as refusal:
        playing.start(game_id, 1, rules=KEYS[game_id], chips=chips)
    assert refusal.value.reason == Reason.NOT_ENOUGH_SEATS


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_the_first_button_is_drawn_and_then_moves_left(game_id: str) -> None:
    """Without a button every seat of the round may get it; after that it goes to the next one dealt in."""
    least, fewest = LEAST[game_id], SEATS[game_id][0]
    chips = {0: 0, **dict.fromkeys(range(1, fewest + 1), least)}
    drawn = {
        playing.start(game_id, seed, rules=KEYS[game_id], chips=chips, first_button=None)[0].button
        for seed in range(80)
    }
    assert drawn == set(range(1, fewest + 1))
    for button, following in ((1, 2), (fewest, 1), (0, 1)):
        round_, _, _ = playing.start(game_id, 1, rules=KEYS[game_id], chips=chips, button=button)
        assert round_.button == following
        assert round_.order[-1] == following


@pytest.mark.parametrize("game_id", ["spoil_five", "loo"])
def test_the_seats_of_the_last_round_inherit_the_pot(game_id: str) -> None:
    """If the table closes, the pool goes to who played last and is still there, from the left of the button on."""
    fewest = SEATS[game_id][0]
    round_, _, dice = playing.start(game_id, 3, chips=dict.fromkeys(range(fewest), 100), first_button=1)
    done = playing.play_out(round_, dice)
    assert done.outcome is not None
    chips = {seat: 100 for seat in range(fewest + 1) if seat != 0}
    table = game.Table(chips=chips, pot=9, button=1, memory=done.outcome.memory)
    assert catalogue.game(game_id).pot_heirs(done.rules, table) == (*range(2, fewest), 1)


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_rules_payouts_and_greatest_win_can_be_read(game_id: str) -> None:
    """Name, rules with deadlines and malfunction, payouts and greatest win exist in three languages."""
    entry = catalogue.game(game_id)
    rules = entry.rules_type()
    texts = [entry.name, entry.summary, entry.greatest_win(rules), *(payout.wins for payout in entry.payouts(rules))]
    assert "malfunction" in entry.summary.en
    assert "故障" in entry.summary.zh_hant
    for text in texts:
        assert text.zh_hant
        assert text.zh_hans
    assert entry.payouts(rules)
    assert all(payout.bet in entry.words for payout in entry.payouts(rules))


@pytest.mark.parametrize("game_id", playing.GAMES)
def test_the_greatest_win_names_the_cap(game_id: str) -> None:
    """With a win cap the greatest win is bounded by the carry, and the text says so."""
    entry = catalogue.game(game_id)
    assert "carry" not in entry.greatest_win(entry.rules_type()).en
    assert "carry" in entry.greatest_win(entry.rules_type(win_cap="stake")).en


def test_the_trump_line_of_spoil_five_is_the_sheets() -> None:
    """From the weakest to the best the trumps are in the order of the sheet, for each suit."""
    for trump in "cdhs":
        line = [rank + trump for rank in "2346789TQKAJ5" if rank + trump != "Ah"]
        line.insert(-2, "Ah")
        found = sorted(line, key=partial(ladders.SPOIL_FIVE.strength, led=None, trump=trump))
        assert found == line
