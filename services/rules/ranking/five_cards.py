"""The ladder of five-card hands [poker 0.7]: the best five of five to seven cards.

A strength is a whole number; of two strengths from the same function the greater one is the better hand, equal ones
are equal hands. ``plain`` never looks at suits but to see a flush; ``home`` lets them decide flushes and straight
flushes. The table look-up for plain strengths is done by phevaluator, which numbers the 7462 classes of hands;
``of_five`` says the same in the words of the sheet.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from phevaluator import _pheval, evaluate_omaha_cards

from services.rules.cards import RANKS, SUITS, Card

HIGH_CARD: Final = "high_card"
ONE_PAIR: Final = "one_pair"
TWO_PAIR: Final = "two_pair"
THREE_OF_A_KIND: Final = "three_of_a_kind"
STRAIGHT: Final = "straight"
FLUSH: Final = "flush"
FULL_HOUSE: Final = "full_house"
FOUR_OF_A_KIND: Final = "four_of_a_kind"
STRAIGHT_FLUSH: Final = "straight_flush"

CATEGORIES: Final = (
    HIGH_CARD,
    ONE_PAIR,
    TWO_PAIR,
    THREE_OF_A_KIND,
    STRAIGHT,
    FLUSH,
    FULL_HOUSE,
    FOUR_OF_A_KIND,
    STRAIGHT_FLUSH,
)
"""The categories from low to high."""

CLASSES: Final = 7462
"""How many plain strengths there are: 1 is 7-5-4-3-2, 7462 an ace-high straight flush."""

FLOORS: Final = (1, 1278, 4138, 4996, 5854, 5864, 7141, 7297, 7453)
"""The lowest plain strength of each category."""

BY_SHAPE: Final = {
    (1, 1, 1, 1, 1): HIGH_CARD,
    (2, 1, 1, 1): ONE_PAIR,
    (2, 2, 1): TWO_PAIR,
    (3, 1, 1): THREE_OF_A_KIND,
    (3, 2): FULL_HOUSE,
    (4, 1): FOUR_OF_A_KIND,
}
"""The category of five cards by the sizes of their groups, straights and flushes aside."""

SUIT_FIRST: Final = "suit_first"
RANK_FIRST: Final = "rank_first"
RANK_ONLY: Final = "rank_only"
FLUSH_ORDERS: Final = (SUIT_FIRST, RANK_FIRST)
"""Values of the house rule ``flush_order`` in which suits decide [poker D6]; with ``RANK_ONLY`` they never do."""

_IDS: Final = {rank + suit: RANKS.index(rank) * 4 + SUITS.index(suit) for rank in RANKS for suit in SUITS}
# The compiled look-ups: the public one would read again for each card what the numbers above already say.
_BY_COUNT: Final = {5: _pheval.evaluate_5cards, 6: _pheval.evaluate_6cards, 7: _pheval.evaluate_7cards}
_FLUSH_FLOOR: Final = FLOORS[CATEGORIES.index(FLUSH)]
_FLUSHES: Final = FLOORS[CATEGORIES.index(FULL_HOUSE)] - _FLUSH_FLOOR
_STRAIGHT_FLUSH_FLOOR: Final = FLOORS[CATEGORIES.index(STRAIGHT_FLUSH)]
_FOR_A_FLUSH: Final = 5
_WHEEL: Final = (12, 3, 2, 1, 0)


def plain(cards: Sequence[Card]) -> int:
    """Return the plain strength (1 to 7462) of the best five of five to seven cards."""
    strength: int = CLASSES + 1 - _BY_COUNT[len(cards)](*[_IDS[card] for card in cards])
    return strength


def omaha(own: Sequence[Card], table: Sequence[Card]) -> int:
    """Return the plain strength of the best of exactly two of four own and three of five table cards [omaha D1]."""
    ids = [_IDS[card] for card in table]
    ids += [_IDS[card] for card in own]
    strength: int = CLASSES + 1 - evaluate_omaha_cards(*ids)
    return strength


def category(strength: int) -> str:
    """Return the category of a plain strength."""
    assert 1 <= strength <= CLASSES, f"{strength} is not a plain strength"
    return CATEGORIES[bisect_right(FLOORS, strength) - 1]


def home(cards: Sequence[Card], flush_order: str = SUIT_FIRST) -> int:
    """Return the home strength of the best five of five to seven cards: suits decide flushes and straight flushes.

    A straight flush goes by its top card, then by suit; a flush by ``flush_order``. At most seven cards hold five
    of one suit only once, so the plain ladder already finds the five cards.
    """
    strength = plain(cards)
    wide = strength * 4
    if flush_order == RANK_ONLY:
        return wide
    if strength >= _STRAIGHT_FLUSH_FLOOR:
        return wide + _suit_of_flush(cards)
    if not _FLUSH_FLOOR <= strength < _FLUSH_FLOOR + _FLUSHES:
        return wide
    if flush_order == RANK_FIRST:
        return wide + _suit_of_flush(cards)
    assert flush_order == SUIT_FIRST, f"{flush_order} is not a flush order"
    return _FLUSH_FLOOR * 4 + _suit_of_flush(cards) * _FLUSHES + strength - _FLUSH_FLOOR


def home_category(strength: int) -> str:
    """Return the category of a home strength."""
    return category(strength // 4)


def _suit_of_flush(cards: Sequence[Card]) -> int:
    suits = [card[1] for card in cards]
    return next(place for place, suit in enumerate(SUITS) if suits.count(suit) >= _FOR_A_FLUSH)


def of_five(cards: Sequence[Card]) -> tuple[str, tuple[int, ...]]:
    """Return the category of five cards and the ranks that decide within it (0 is the deuce, 12 the ace).

    The ranks are those of the groups, biggest group first, then the other cards from high to low; for a straight
    its top card alone, where A-2-3-4-5 counts as a five-high.
    """
    assert len(cards) == len(set(cards)) == 5, "the ladder ranks five different cards"
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranks = tuple(sorted(counts, key=lambda rank: (-counts[rank], -rank)))
    shape = tuple(counts[rank] for rank in ranks)
    flush = len({card[1] for card in cards}) == 1
    top = _top_of_straight(ranks)
    if top is not None:
        return (STRAIGHT_FLUSH if flush else STRAIGHT), (top,)
    if flush:
        return FLUSH, ranks
    return BY_SHAPE[shape], ranks


def weighty(hand: Sequence[Card]) -> tuple[Card, ...]:
    """Order cards: those of the biggest groups first, then by rank; the ace of a low straight last."""
    counts = Counter(card[0] for card in hand)
    best = sorted(hand, key=lambda card: (-counts[card[0]], -RANKS.index(card[0])))
    ranks = "".join(card[0] for card in best)
    return tuple(best[1:] + best[:1] if ranks in _LOW_STRAIGHTS else best)


_LOW_STRAIGHTS: Final = ("A5432", "A32")


def _top_of_straight(ranks: tuple[int, ...]) -> int | None:
    if ranks == _WHEEL:
        return _WHEEL[1]
    if len(ranks) == len(_WHEEL) and ranks[0] - ranks[-1] == len(_WHEEL) - 1:
        return ranks[0]
    return None
