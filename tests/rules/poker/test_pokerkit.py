"""PokerKit comes to the same turns, amounts, pots and stacks; ``pokerkit_oracle`` compares as many hands as asked."""

import os

import pytest

from services.house import pots
from services.rules.outcomes import Pot
from tests.rules.poker import pokerkit_oracle, pokerkit_variants

HANDS = int(os.environ.get("PITBOSS_POKERKIT_HANDS", "50"))


@pytest.mark.parametrize("game_id", sorted(pokerkit_variants.VARIANTS))
def test_pokerkit_plays_random_hands_to_the_same_stacks(game_id: str) -> None:
    """Random hands under random house rules agree but for the differences that the oracle names and counts."""
    seen = pokerkit_oracle.compare(game_id, HANDS)
    assert seen["showdowns"] > HANDS // 2
    assert seen["equal_spans"] > HANDS
    assert seen["two_boards"] or game_id not in ("omaha_hi_lo", "short_deck")


def test_the_oracle_finds_a_wrong_division(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that gave the odd chip to the low half would be found."""

    def backwards(pot: Pot, amount: int) -> list[tuple[tuple[str, ...], dict[int, int]]]:
        found = right(pot, amount)
        if len(found) != 2 or not amount % 2:
            return found
        (high, of_high), (low, of_low) = found
        of_high[next(iter(of_high))] -= 1
        of_low[next(iter(of_low))] += 1
        return [(high, of_high), (low, of_low)]

    right = pots.divided
    monkeypatch.setattr(pots, "divided", backwards)
    with pytest.raises(AssertionError, match="by PokerKit's pots and hands"):
        pokerkit_oracle.compare("omaha_hi_lo", HANDS)
