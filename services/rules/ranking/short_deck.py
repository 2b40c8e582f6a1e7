"""The ladder of the short deck, sixes to aces: a flush beats a full house, A-6-7-8-9 is the lowest straight."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from services.rules.cards import RANKS, Card
from services.rules.ranking import five_cards
from services.rules.ranking.ladder import NIBBLE, packed
from services.rules.ranking.lows import weighty

PACK_36: Final[tuple[Card, ...]] = tuple(rank + suit for suit in "shdc" for rank in "A6789TJQK")
"""The pack without deuces, threes, fours and fives."""

CATEGORIES: Final = (
    five_cards.HIGH_CARD,
    five_cards.ONE_PAIR,
    five_cards.TWO_PAIR,
    five_cards.THREE_OF_A_KIND,
    five_cards.STRAIGHT,
    five_cards.FULL_HOUSE,
    five_cards.FLUSH,
    five_cards.FOUR_OF_A_KIND,
    five_cards.STRAIGHT_FLUSH,
)
"""The categories from low to high [short_deck "Ranking"]."""

HAND: Final = 5
_SHIFT: Final = HAND * NIBBLE
_PLACE: Final = {name: place for place, name in enumerate(CATEGORIES)}
_MOST_BESIDE_GROUPS: Final = 3
_NINE: Final = RANKS.index("9")
_LOWEST_STRAIGHT: Final = frozenset(RANKS.index(rank) for rank in "A6789")
_GROUPED: Final = {
    (4, 1): (five_cards.FOUR_OF_A_KIND, 1),
    (3, 2): (five_cards.FULL_HOUSE, 2),
    (3, 1): (five_cards.THREE_OF_A_KIND, 1),
    (2, 2): (five_cards.TWO_PAIR, 2),
    (2, 1): (five_cards.ONE_PAIR, 1),
    (1, 1): (five_cards.HIGH_CARD, 1),
}
"""By the sizes of the two biggest groups: the category, and how many groups make it."""


class ShortDeck:
    """The best five of five to seven cards; suits matter only for a flush."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of the best five; None for fewer cards."""
        cards = [*own, *table]
        return _strength(cards) if len(cards) >= HAND else None

    def category(self, strength: int) -> str:
        """Return the category of a strength."""
        return CATEGORIES[strength >> _SHIFT]

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the best five cards, the biggest groups first; the ace of the lowest straight last."""
        hand = max(combinations([*own, *table], HAND), key=_strength)
        low = {RANKS.index(card[0]) for card in hand} == _LOWEST_STRAIGHT
        return weighty(hand, "A6789TJQK" if low else RANKS)


def _strength(cards: Sequence[Card]) -> int:
    """Return the greatest strength of all that the cards make: groups, a straight, a flush, a straight flush."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    made = [_grouped(counts), *_straight(five_cards.STRAIGHT, counts)]
    for suit in "cdhs":
        suited = sorted((RANKS.index(card[0]) for card in cards if card[1] == suit), reverse=True)
        if len(suited) >= HAND:
            made += [_made(five_cards.FLUSH, suited[:HAND]), *_straight(five_cards.STRAIGHT_FLUSH, suited)]
    return max(made)


def _grouped(counts: Counter[int]) -> int:
    groups = sorted(counts, key=lambda rank: (-counts[rank], -rank))
    biggest = counts[groups[0]]
    second = 1 if biggest > _MOST_BESIDE_GROUPS else min(counts[groups[1]], HAND - biggest)
    name, count = _GROUPED[biggest, second]
    size = sum((biggest, second)[:count])
    rest = sorted((rank for rank in counts if rank not in groups[:count]), reverse=True)
    return _made(name, (*groups[:count], *rest[: HAND - size]))


def _made(name: str, ranks: Sequence[int]) -> int:
    return _PLACE[name] << _SHIFT | packed(ranks) << NIBBLE * (HAND - len(ranks))


def _straight(name: str, ranks: Iterable[int]) -> list[int]:
    """Return the strength of the best straight of the ranks, if there is one."""
    held = set(ranks)
    tops = [top for top in held if all(top - down in held for down in range(HAND))]
    tops += [_NINE] if held >= _LOWEST_STRAIGHT else []
    return [_made(name, (max(tops),))] if tops else []
