"""High hands as ladders: the plain ladder over own and table cards [poker 0.7]."""

from collections.abc import Sequence
from itertools import combinations

from services.rules.cards import Card
from services.rules.ranking import five_cards

HAND = 5
TABLE = 3


class Plain:
    """The best five of all cards, five to seven."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the plain strength of the best five; None for fewer cards."""
        cards = [*own, *table]
        return five_cards.plain(cards) if len(cards) >= HAND else None

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return five_cards.category(strength)

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the best five cards."""
        return five_cards.weighty(max(combinations([*own, *table], HAND), key=five_cards.plain))


class Omaha(Plain):
    """The best of exactly two of four own and three of three to five table cards [omaha D1]."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the plain strength of the best hand; None before the flop."""
        if len(table) < TABLE:
            return None
        return five_cards.omaha(own, table) if len(table) == HAND else five_cards.plain(self.best(own, table))

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of the best hand."""
        hands = (two + three for two in combinations(own, 2) for three in combinations(table, TABLE))
        return five_cards.weighty(max(hands, key=five_cards.plain))
