"""Stud with a bring-in [poker 0.10]: against PokerKit, and where the sheet says more than PokerKit."""

import os
import random

import msgspec
import pytest
from pokerkit import FixedLimitSevenCardStud

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.poker import stud_keys
from services.rules.poker.engine import PokerRound
from services.rules.ranking import five_cards
from services.rules.refusals import Refused
from tests.rules.poker import pokerkit_stud
from tests.support.seeded import Seeded

HANDS = int(os.environ.get("PITBOSS_POKER_ROUNDS", "200"))
GAME = catalogue.game("seven_card_stud")
STACKS = [1, 2, 3, 5, 8, 15, 40, 100, 1000]
PLAIN = {"opening": stud_keys.BRING_IN, "exposure": False, "showhand_from": 1, "flush_order": five_cards.RANK_ONLY}


def rules_of(**keys: object) -> object:
    """Return the house rules of seven-card stud as it is played in card rooms."""
    return msgspec.convert({**PLAIN, "betting": "fixed_limit", **keys}, GAME.rules_type)


def test_pokerkit_plays_the_same_hands() -> None:
    """Seats to act, amounts to call, and final stacks are those of PokerKit on random hands with short stacks."""
    for seed in range(HANDS):
        chance = random.Random(f"stud {seed}")
        least = chance.choice([4, 10, 20])
        bring_in = chance.choice([1, 2, least // 2])
        rules = rules_of(ante=chance.choice([0, 1, 3]), min_bet=least, bring_in=bring_in)
        stacks = [chance.choice(STACKS) for _ in range(chance.randint(2, 7))]
        pair = pokerkit_stud.Pair(GAME, rules, stacks, FixedLimitSevenCardStud, seed)
        pokerkit_stud.play(pair, chance)
        ours, theirs = pair.finished()
        assert ours == theirs, (seed, rules, stacks)


def test_legal_amounts_are_those_of_pokerkit_where_all_stacks_are_deep() -> None:
    """Without all-ins the two engines allow exactly the same amounts at every decision."""
    for seed in range(HANDS // 2):
        chance = random.Random(f"deep {seed}")
        rules = rules_of(ante=1, min_bet=10, bring_in=chance.choice([1, 3, 5]))
        pair = pokerkit_stud.Pair(GAME, rules, [5000] * chance.randint(2, 7), FixedLimitSevenCardStud, seed)
        assert pokerkit_stud.play(pair, chance) == 0, seed


def opened(stacks: list[int], **keys: object) -> PokerRound:
    """Start a hand with a bring-in."""
    table = Table(chips=dict(enumerate(stacks)), first_button=len(stacks) - 1)
    round_, _ = GAME.start(msgspec.convert({**PLAIN, **keys}, GAME.rules_type), table, Seeded(5))
    assert isinstance(round_, PokerRound)
    return round_


@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "fixed_limit"])
def test_the_seat_of_the_door_card_cannot_get_out(betting: str) -> None:
    """It may bring in, bet or go all-in where the limit allows it; fold, check, call and raise are refused."""
    round_ = opened([100, 100, 100], betting=betting)
    waiting = round_.waiting()
    assert waiting is not None
    (seat,) = waiting.seats
    offered = {option.action for option in round_.options(seat)}
    assert "bring_in" in offered
    assert offered <= {"bring_in", "bet", "all_in"}
    for action in (actions.Fold(), actions.Check(), actions.Call(), actions.Raise(20)):
        with pytest.raises(Refused, match="bring in for 5 or bet 10"):
            round_.verify(seat, action)
    assert round_.cost(seat, actions.BringIn()) == 5
    round_.on_timeout(Seeded(1))
    assert round_.paid[round_.order.index(seat)] == 15


def test_who_called_the_bring_in_may_raise_a_completion_of_any_size() -> None:
    """Calling a bring-in answers no bet: a short all-in over it leaves the raise open [poker D14]."""
    round_ = opened([100, 100, 17, 100], betting="fixed_limit", ante=10)
    rng = Seeded(1)
    short = 2
    waiting = round_.waiting()
    assert waiting is not None
    while waiting is not None and waiting.seats[0] != short:
        seat = waiting.seats[0]
        round_.act(seat, actions.BringIn() if not round_.to_call else actions.Call(), rng)
        waiting = round_.waiting()
    round_.act(short, actions.AllIn(), rng)
    after = round_.waiting()
    assert after is not None
    spans = {option.action: option.arguments for option in round_.options(after.seats[0])}
    assert "raise" in spans


def test_limits_of_the_keys() -> None:
    """A bring-in above the least bet and a completion below it are faults of their keys."""
    for keys, wrong in (
        ({"bring_in": 11}, "bring_in"),
        ({"completion": 9}, "completion"),
        ({"bring_in": 0}, "bring_in"),
    ):
        rules = msgspec.convert({**PLAIN, "min_bet": 10, **keys}, GAME.rules_type)
        assert [fault.field for fault in GAME.faults(rules)] == [wrong]
