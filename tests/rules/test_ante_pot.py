"""The ante pot: one winner or several, odd chips, the win cap [tricks "Ante pot"]."""

import pytest

from services.house import pipeline
from services.rules import ante_pot, game

SEATS = (0, 1, 2, 3, 4)


def net(ante: int, winners: list[int], carry: dict[int, int] | None = None, cap: str = "none") -> dict[int, int]:
    """Settle an ante pot of five seats; seat 1 has the button."""
    outcome = ante_pot.outcome(ante, SEATS, winners, 1, facts={})
    posting = pipeline.settle(outcome, game.HouseRules(win_cap=cap), carry or dict.fromkeys(SEATS, 100), 0)
    assert posting.pot == 0
    return posting.net


def test_one_winner_gets_the_ante_of_each_other_seat() -> None:
    """Four seats owe him ten chips each."""
    assert net(10, [2]) == {0: -10, 1: -10, 2: 40, 3: -10, 4: -10}


def test_several_winners_share_and_odd_chips_go_to_the_left_of_the_button() -> None:
    """Of 50 chips three winners get 17, 17 and 16; the button is the last in order."""
    assert net(10, [1, 4, 3]) == {0: -10, 1: 6, 2: -10, 3: 7, 4: 7}


def test_if_all_share_everybody_gets_his_ante_back() -> None:
    """Nothing changes hands."""
    assert net(10, list(SEATS)) == dict.fromkeys(SEATS, 0)


def test_a_capped_single_winner_leaves_the_rest_with_the_losers() -> None:
    """He brought 10 and would win 40: each loser pays 10 × 10 ÷ 40, odd chips from the left of the winner on."""
    carry = {**dict.fromkeys(SEATS, 100), 2: 10}
    assert net(10, [2], carry, "stake") == {0: -2, 1: -2, 2: 10, 3: -3, 4: -3}


def test_a_capped_sharer_gives_the_excess_back_to_the_losers_in_equal_parts() -> None:
    """Of 25 he may take 22: the other winner gains nothing, three losers get a chip each."""
    carry = {**dict.fromkeys(SEATS, 100), 1: 12}
    assert net(10, [1, 3], carry, "stake") == {0: -9, 1: 12, 2: -9, 3: 15, 4: -9}


def test_odd_chips_given_back_go_to_the_left_of_the_winner() -> None:
    """Of 25 he may take 21: four chips for three losers, two of them to the seat on his left."""
    carry = {**dict.fromkeys(SEATS, 100), 1: 11}
    assert net(10, [1, 3], carry, "stake") == {0: -9, 1: 11, 2: -8, 3: 15, 4: -9}


def test_without_an_ante_only_the_winner_is_recorded() -> None:
    """An outcome without claims, pots and stakes still has its facts."""
    outcome = ante_pot.outcome(0, SEATS, [1, 2], 0, facts={"winner": [1, 2]})
    assert (outcome.claims, outcome.pots, outcome.stakes) == ((), (), ())
    assert outcome.facts == {"winner": [1, 2]}
    assert ante_pot.staked(0, SEATS) == []
    assert ante_pot.pot(0, SEATS) == ()


def test_winners_must_be_seats_of_the_round() -> None:
    """No winner, a winner named twice and a stranger are errors of the caller."""
    for winners in ([], [1, 1], [9]):
        with pytest.raises(AssertionError):
            ante_pot.outcome(5, SEATS, winners, 0, facts={})


def test_the_greatest_win_names_the_cap() -> None:
    """With a win cap the text says that the carry bounds the win, in all languages."""
    rules = game.HouseRules(max_seats=6)
    assert "50" in ante_pot.greatest_win(10, rules).en
    capped = ante_pot.greatest_win(10, game.HouseRules(max_seats=6, win_cap="stake"))
    assert "carry" in capped.en
    assert "帶入" in capped.zh_hant
    assert "带入" in capped.zh_hans
