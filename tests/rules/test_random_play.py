"""The random player: what it picks is what was offered, nothing is left out, and the chance is the caller's."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules import actions, random_play
from services.rules.offers import Between, OneOf, Option, Sets, SomeOf, enumerate_actions, is_offered

BET = Option("bet", {"amount": Between(10, 500)})
DRAW = Option("draw", {"discards": SomeOf(("As", "Kd", "2c"), 0, 2)})
PLAY = Option("play", {"cards": Sets((("3s",), ("4s", "4d")))})
SPOT = Option("place_bet", {"spot": OneOf(("tie", "pair")), "amount": Between(1, 3)})
FOLD = Option("fold")


@given(seed=st.integers(0, 10**6))
def test_what_is_picked_was_offered(seed: int) -> None:
    """Every sample is found among the options it was drawn from."""
    offered = [BET, DRAW, PLAY, SPOT, FOLD]
    assert is_offered(offered, random_play.sample(offered, Random(seed)))


def test_the_same_chance_picks_the_same() -> None:
    """The generator is the only source of chance."""
    offered = [BET, DRAW, PLAY, SPOT, FOLD]
    drawn = [[random_play.sample(offered, Random(seed)) for seed in range(50)] for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_every_option_and_both_ends_are_picked() -> None:
    """In 3000 draws each kind of action comes up, the least and the greatest bet, and every set of cards."""
    rng = Random(1)
    drawn = [random_play.sample([BET, DRAW, PLAY, SPOT, FOLD], rng) for _ in range(3000)]
    kinds = Counter(action.name for action in drawn)
    assert min(kinds[name] for name in ("bet", "draw", "play", "place_bet", "fold")) > 500
    assert {actions.Bet(10), actions.Bet(500)} <= set(drawn)
    assert {len(action.discards) for action in drawn if isinstance(action, actions.Draw)} == {0, 1, 2}
    assert {action.cards for action in drawn if isinstance(action, actions.Play)} == {("3s",), ("4s", "4d")}


def test_there_must_be_something_to_choose_from() -> None:
    """Without options there is no action."""
    with pytest.raises(AssertionError, match="nothing to choose from"):
        random_play.sample([], Random(1))


def test_enumeration_lists_every_action_once() -> None:
    """Two spots times three amounts; a range names its ends first; sets and subsets are all there."""
    assert set(enumerate_actions(SPOT, 100)) == {
        actions.PlaceBet(spot=spot, amount=amount) for spot in ("tie", "pair") for amount in (1, 2, 3)
    }
    assert enumerate_actions(BET, 3) == [actions.Bet(10), actions.Bet(500), actions.Bet(11)]
    assert len(enumerate_actions(BET, 10_000)) == 491
    draws = [action for action in enumerate_actions(DRAW, 99) if isinstance(action, actions.Draw)]
    assert [len(action.discards) for action in draws] == [0, 1, 1, 1, 2, 2, 2]
    assert enumerate_actions(PLAY, 99) == [actions.Play(cards=("3s",)), actions.Play(cards=("4s", "4d"))]
    assert enumerate_actions(FOLD, 99) == [actions.Fold()]


def test_a_range_of_one_is_listed_once() -> None:
    """A bet that can only be 7 is one action."""
    assert enumerate_actions(Option("bet", {"amount": Between(7, 7)}), 9) == [actions.Bet(7)]


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (actions.Bet(10), True),
        (actions.Bet(500), True),
        (actions.Bet(9), False),
        (actions.Bet(501), False),
        (actions.Draw(discards=()), True),
        (actions.Draw(discards=("2c", "As")), True),
        (actions.Draw(discards=("As", "As")), False),
        (actions.Draw(discards=("As", "Kd", "2c")), False),
        (actions.Draw(discards=("Qs",)), False),
        (actions.Play(cards=("4d", "4s")), True),
        (actions.Play(cards=("4d",)), False),
        (actions.Play(cards=("3s",), call="trumps"), False),
        (actions.PlaceBet(spot="tie", amount=4), False),
        (actions.PlaceBet(spot="san_gong", amount=1), False),
        (actions.Fold(), True),
        (actions.Check(), False),
    ],
)
def test_contains_looks_at_every_argument(action: actions.Action, *, found: bool) -> None:
    """Amounts within the range, known words, different cards in any order, and no argument that is not listed."""
    assert is_offered([BET, DRAW, PLAY, SPOT, FOLD], action) is found
