"""四支刀 (banker, four_knives): four cards in two piles of two, and the ways to lay them."""

from collections.abc import Sequence
from typing import Final

from services.rules.cards import Card
from services.rules.ranking import pip_counts

SIZE: Final = 4
PILE: Final = 2

Pile = tuple[int, ...]
"""Key of a pile: greater for the better one; suits never count."""

Piles = tuple[tuple[Card, ...], tuple[Card, ...]]
"""The first pile and the second."""

_SPLITS: Final = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
_NO_POINTS: Final = "T"


def pile(two: Sequence[Card]) -> Pile:
    """Rank two cards: points to 9½ (in halves) < two different court cards (羅梭) < pairs, A lowest.

    Source: [four_knives D3, D4].
    """
    assert len(two) == PILE, f"a pile has two cards, not {len(two)}"
    low, high = sorted(pip_counts.order(card) for card in two)
    if low == high:
        return (2, high)
    if all(pip_counts.is_court(card) for card in two):
        return (1, high, low)
    return (0, sum(_halves(card) for card in two) % 20)


def _halves(card: Card) -> int:
    if card[0] == _NO_POINTS:
        return 0
    return 1 if pip_counts.is_court(card) else 2 * pip_counts.order(card)


def knives(hand: Sequence[Card]) -> int:
    """Return the rank of four cards of one rank (1 aces … 13 kings), 0 for any other hand."""
    assert len(hand) == SIZE, f"a hand of 四支刀 has four cards, not {len(hand)}"
    ranks = {pip_counts.order(card) for card in hand}
    return ranks.pop() if len(ranks) == 1 else 0


def ways(hand: Sequence[Card]) -> list[Piles]:
    """List every way in which a hand may be laid, the first pile not better than the second [four_knives D1]."""
    found: list[Piles] = []
    for one, two in _SPLITS:
        piles = tuple(hand[at] for at in one), tuple(hand[at] for at in two)
        found += [way for way in (piles, piles[::-1]) if pile(way[0]) <= pile(way[1])]
    return found


def house_way(hand: Sequence[Card]) -> Piles:
    """Lay a hand the house's way: the best first pile, of equal ones the best second pile [four_knives D5]."""
    return max(ways(hand), key=lambda way: (pile(way[0]), pile(way[1])))
