"""Combinations of Big Two: singles, pairs, triples and hands of five [big_two "Ranking", D3, D4]."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from services.rules.cards import PACK_52, Card
from services.rules.ranking.combination import Combination

LADDER: Final = "3456789TJQKA2"
"""Ranks from low to high."""
SUITS: Final = "dchs"
"""Suits from low to high: diamonds, clubs, hearts, spades."""
RUN_END: Final = LADDER.index("2")
"""The first rank that no straight may hold."""

FIVE: Final = 5
SAME: Final = {1: "single", 2: "pair", 3: "triple"}
FIVES: Final = ("straight", "flush", "full_house", "four_one", "straight_flush")
"""Hands of five cards from low to high."""

_RANK: Final = {card: LADDER.index(card[0]) for card in PACK_52}
_ORDER: Final = {card: 4 * LADDER.index(card[0]) + SUITS.index(card[1]) for card in PACK_52}
LOWEST: Final[Card] = min(PACK_52, key=_ORDER.__getitem__)


class BigTwo:
    """The combinations of the game, as the engine of climbing games asks for them."""

    def sort_key(self, card: Card) -> int:
        """Order cards by rank, equal ranks by suit."""
        return _ORDER[card]

    def read(self, some: Sequence[Card], to_beat: Combination | None) -> Combination | None:
        """Return the one thing that the cards can be read as, whatever is to be beaten; None for no combination."""
        del to_beat  # no cards have two readings
        if len(some) == FIVE:
            return _five(some)
        if len(some) in SAME and len({card[0] for card in some}) == 1:
            return Combination(SAME[len(some)], len(some), max(_ORDER[card] for card in some))
        return None

    def beats(self, new: Combination, old: Combination) -> bool:
        """Return whether ``new`` has as many cards and ranks higher."""
        return new.size == old.size and new.key > old.key

    def legal(self, hand: Sequence[Card], to_beat: Combination | None) -> list[tuple[Card, ...]]:
        """List every play of a hand that beats the last one, or that may lead where there is none."""
        held = sorted(hand, key=_ORDER.__getitem__)
        if to_beat is None:
            return [play for size in (*SAME, FIVE) for play in _plays(held, size)]
        plays = ((play, self.read(play, None)) for play in _plays(held, to_beat.size))
        return [play for play, reading in plays if reading is not None and self.beats(reading, to_beat)]


COMBINATIONS: Final = BigTwo()


def _five(some: Sequence[Card]) -> Combination | None:
    cards = sorted(some, key=_ORDER.__getitem__, reverse=True)
    ranks = [_RANK[card] for card in cards]
    counts = Counter(ranks).most_common()
    one_suit = len({card[1] for card in cards}) == 1
    in_a_row = len(counts) == FIVE and ranks[0] - ranks[-1] == FIVE - 1 and ranks[0] < RUN_END
    if in_a_row:
        return _of_five("straight_flush" if one_suit else "straight", [_ORDER[cards[0]]])
    if one_suit:
        return _of_five("flush", [*ranks, SUITS.index(cards[0][1])])
    if [count for _, count in counts] == [3, 2]:
        return _of_five("full_house", [counts[0][0]])
    if counts[0][1] == FIVE - 1:
        return _of_five("four_one", [counts[0][0]])
    return None


def _of_five(kind: str, weights: Sequence[int]) -> Combination:
    """Return a hand of five; its key compares the type first, then the weights from the first to the last."""
    key = FIVES.index(kind)
    for place in range(FIVE + 1):
        key = 64 * key + (weights[place] if place < len(weights) else 0)
    return Combination(kind, FIVE, key)


def _plays(held: list[Card], size: int) -> Iterator[tuple[Card, ...]]:
    """Yield every combination of so many cards; ``held`` is sorted."""
    by_rank = [tuple(same) for _, same in itertools.groupby(held, key=_RANK.__getitem__)]
    if size in SAME:
        for same in by_rank:
            yield from itertools.combinations(same, size)
    elif size == FIVE:
        yield from _straights(by_rank)
        yield from _flushes(held)
        yield from _full_houses(by_rank)
        for same in by_rank:
            if len(same) == FIVE - 1:
                yield from ((*same, card) for card in held if card not in same)


def _straights(by_rank: list[tuple[Card, ...]]) -> Iterator[tuple[Card, ...]]:
    for place in range(len(by_rank) - FIVE + 1):
        run = by_rank[place : place + FIVE]
        first, last = _RANK[run[0][0]], _RANK[run[-1][0]]
        if last - first == FIVE - 1 and last < RUN_END:
            yield from itertools.product(*run)


def _flushes(held: list[Card]) -> Iterator[tuple[Card, ...]]:
    for suit in SUITS:
        for some in itertools.combinations([card for card in held if card[1] == suit], FIVE):
            ranks = [_RANK[card] for card in some]
            if ranks[-1] - ranks[0] != FIVE - 1 or ranks[-1] >= RUN_END:
                yield some


def _full_houses(by_rank: list[tuple[Card, ...]]) -> Iterator[tuple[Card, ...]]:
    for threes, twos in itertools.permutations(by_rank, 2):
        for triple in itertools.combinations(threes, 3):
            yield from ((*triple, *pair) for pair in itertools.combinations(twos, 2))
