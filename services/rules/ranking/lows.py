"""Low hands: the lowest cards win [poker 0.7].

A strength is what is left of a bound after the hand's height, so that the greater strength is the better hand. The
height holds the category above five ranks: those of the biggest group first, then from high to low.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from services.rules.cards import Card
from services.rules.ranking import five_cards
from services.rules.ranking.ladder import NIBBLE, packed

LOW: Final = "low"
"""Five different ranks; where straights and flushes count, neither of them."""

HAND: Final = 5
EIGHT: Final = 8
ACE_LOW: Final = "A23456789TJQK"
ACE_HIGH: Final = "23456789TJQKA"
CATEGORIES: Final = (LOW, *five_cards.CATEGORIES[1:])
"""The categories from the best low hand to the worst: those of high hands, the other way round."""

_SHIFT: Final = HAND * NIBBLE
_BOUND: Final = len(CATEGORIES) << _SHIFT
_BY_SHAPE: Final = {**five_cards.BY_SHAPE, (1, 1, 1, 1, 1): LOW}


def weighty(hand: Iterable[Card], order: str) -> tuple[Card, ...]:
    """Order cards: those of the biggest groups first, then by rank from high to low in ``order``."""
    cards = list(hand)
    counts = Counter(card[0] for card in cards)
    return tuple(sorted(cards, key=lambda card: (-counts[card[0]], -order.index(card[0]))))


def _height(hand: Sequence[Card], order: str) -> int:
    """Return how high five cards are by their groups and ranks, straights and flushes aside."""
    counts = Counter(order.index(card[0]) + 1 for card in hand)
    ranks = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    shape = tuple(counts[rank] for rank in ranks)
    place = CATEGORIES.index(_BY_SHAPE[shape])
    return place << _SHIFT | packed(ranks) << NIBBLE * (HAND - len(ranks))


class _Categories:
    """What the ladders of this module share."""

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return CATEGORIES[(_BOUND - strength) >> _SHIFT]


class AceToFive(_Categories):
    """The best five of all cards: aces low, straights and flushes do not count."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of the best five; None for fewer cards."""
        cards = [*own, *table]
        if len(cards) < HAND:
            return None
        lowest = sorted({ACE_LOW.index(card[0]) + 1 for card in cards})[:HAND]
        if len(lowest) == HAND:
            return _BOUND - packed(lowest[::-1])
        return _BOUND - min(_height(hand, ACE_LOW) for hand in combinations(cards, HAND))

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the best five cards."""
        hand = min(combinations([*own, *table], HAND), key=lambda five: _height(five, ACE_LOW))
        return weighty(hand, ACE_LOW)


class DeuceToSeven(_Categories):
    """Exactly five own cards: aces high, straights and flushes count against a hand; A-2-3-4-5 is no straight."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of five cards; None for fewer cards."""
        hand = [*own, *table]
        if len(hand) < HAND:
            return None
        height = _height(hand, ACE_HIGH)
        if height >> _SHIFT:
            return _BOUND - height
        ranks = sorted(ACE_HIGH.index(card[0]) for card in hand)
        straight = ranks[-1] - ranks[0] == HAND - 1
        flush = len({card[1] for card in hand}) == 1
        if straight or flush:
            made = five_cards.FLUSH if not straight else five_cards.STRAIGHT_FLUSH if flush else five_cards.STRAIGHT
            height |= CATEGORIES.index(made) << _SHIFT
        return _BOUND - height

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the five cards."""
        return weighty([*own, *table], ACE_HIGH)


class EightOrBetter(_Categories):
    """Five different ranks of at most eight, aces low; other cards make no low hand [omaha_hi_lo "Ranking"].

    ``own``: how many own cards a hand takes; None: any.
    """

    def __init__(self, own: int | None = None) -> None:
        self._own = own

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of the best low hand; None where there is none."""
        if self._own is None:
            lowest = sorted(_low_ranks([*own, *table]))[:HAND]
            return _BOUND - packed(lowest[::-1]) if len(lowest) == HAND else None
        mine, theirs = sorted(_low_ranks(own)), sorted(_low_ranks(table))
        heights = [
            packed(sorted((*some, *others), reverse=True))
            for some in combinations(mine, self._own)
            for others in combinations(theirs, HAND - self._own)
            if not set(some) & set(others)
        ]
        return _BOUND - min(heights) if heights else None

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of the best low hand."""
        strength = self.strength(own, table)
        assert strength is not None, f"{[*own, *table]} hold no low hand"
        height = _BOUND - strength
        ranks = [height >> NIBBLE * place & (1 << NIBBLE) - 1 for place in reversed(range(HAND))]
        if self._own is None:
            return tuple(_of_rank([*own, *table], rank) for rank in ranks)
        for mine in combinations(ranks, self._own):
            others = [rank for rank in ranks if rank not in mine]
            if set(mine) <= _low_ranks(own) and set(others) <= _low_ranks(table):
                return tuple(_of_rank(own if rank in mine else table, rank) for rank in ranks)
        raise AssertionError(f"{ranks} are not made of {own} and {table}")


def _low_ranks(cards: Iterable[Card]) -> set[int]:
    return {rank for rank in (ACE_LOW.index(card[0]) + 1 for card in cards) if rank <= EIGHT}


def _of_rank(cards: Iterable[Card], rank: int) -> Card:
    return next(card for card in cards if card[0] == ACE_LOW[rank - 1])


def low_cards(hand: Iterable[Card], ranks: str) -> list[Card]:
    """Return one card of each of the ranks that a hand holds."""
    first = {card[0]: card for card in hand if card[0] in ranks}
    return list(first.values())
