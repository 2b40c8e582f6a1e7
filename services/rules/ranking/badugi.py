"""Badugi: up to four cards of different ranks and different suits, the more and the lower the better."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from services.rules.cards import Card
from services.rules.ranking.ladder import NIBBLE, packed
from services.rules.ranking.lows import ACE_LOW, weighty

HAND: Final = 4
FOUR_CARDS: Final = "four_cards"
CATEGORIES: Final = ("one_card", "two_cards", "three_cards", FOUR_CARDS)
"""The categories from the worst hand to the best, by the number of cards that count."""

_SHIFT: Final = HAND * NIBBLE


class Badugi:
    """The best of own cards: aces low."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of the cards that count; None without a card."""
        best = self.best(own, table)
        return _strength(best) if best else None

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return CATEGORIES[(strength >> _SHIFT) - 1]

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards that count, from high to low."""
        cards = [*own, *table]
        for count in range(min(HAND, len(cards)), 0, -1):
            hands = [
                hand
                for hand in combinations(cards, count)
                if len({card[0] for card in hand}) == len({card[1] for card in hand}) == count
            ]
            if hands:
                return weighty(max(hands, key=_strength), ACE_LOW)
        return ()


def _strength(hand: Iterable[Card]) -> int:
    ranks = sorted((ACE_LOW.index(card[0]) + 1 for card in hand), reverse=True)
    return (len(ranks) << _SHIFT) + (1 << _SHIFT) - 1 - packed(ranks)
