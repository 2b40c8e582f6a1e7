"""The ladder of three-card hands of zha_jin_hua (poker sheet, its section "Ranking").

A strength is a whole number; the greater one is the better hand, equal ones are equal hands.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from services.rules.cards import RANKS, SUITS, Card
from services.rules.ranking.five_cards import FLUSH_ORDERS, RANK_FIRST, SUIT_FIRST

HIGH_CARD: Final = "high_card"
PAIR: Final = "pair"
STRAIGHT: Final = "straight"
FLUSH: Final = "flush"
STRAIGHT_FLUSH: Final = "straight_flush"
TRIPLE: Final = "triple"

CATEGORIES: Final = (HIGH_CARD, PAIR, STRAIGHT, FLUSH, STRAIGHT_FLUSH, TRIPLE)
"""The categories from low to high."""

_BASE: Final = 16
_MOST_DIGITS: Final = 4
_LOWEST_STRAIGHT: Final = (12, 1, 0)


def strength(cards: Sequence[Card], flush_order: str = SUIT_FIRST) -> int:
    """Rank three cards: the category's place, then what decides within it, as digits."""
    assert len(cards) == len(set(cards)) == 3, "the ladder ranks three different cards"
    assert flush_order in FLUSH_ORDERS, f"{flush_order} is not a flush order"
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranks = tuple(sorted(counts, key=lambda rank: (-counts[rank], -rank)))
    suits = {SUITS.index(card[1]) for card in cards}
    if len(ranks) == 1:
        return _placed(TRIPLE, ranks)
    if len(ranks) < len(cards):
        return _placed(PAIR, ranks)
    top = _top_of_straight(ranks)
    if len(suits) == 1:
        suit = next(iter(suits))
        if top is not None:
            return _placed(STRAIGHT_FLUSH, (top, suit))
        return _placed(FLUSH, (*ranks, suit) if flush_order == RANK_FIRST else (suit, *ranks))
    return _placed(HIGH_CARD, ranks) if top is None else _placed(STRAIGHT, (top,))


def category(found: int) -> str:
    """Return the category of a strength."""
    return CATEGORIES[found // _BASE**_MOST_DIGITS]


def _placed(name: str, within: tuple[int, ...]) -> int:
    value = CATEGORIES.index(name)
    for digit in (*within, 0, 0, 0, 0)[:_MOST_DIGITS]:
        value = value * _BASE + digit
    return value


def _top_of_straight(ranks: tuple[int, ...]) -> int | None:
    if ranks == _LOWEST_STRAIGHT:
        return _LOWEST_STRAIGHT[1]
    return ranks[0] if ranks[0] - ranks[-1] == len(ranks) - 1 else None
