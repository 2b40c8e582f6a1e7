"""Combinations of Fight the Landlord: what a set of cards can be read as, and which reading beats which.

Every combination but the rocket is a *body*, a run of one or more ranks with the same number of cards each, and
*kickers* of other ranks. ``SHAPES`` says for each type how wide and how long its body is and which kickers it
takes; reading and listing (``services.rules.ranking.dou_dizhu_plays``) both go by that one table. Source: climbing,
dou_dizhu, "Ranking" and D4 to D7.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking.combination import Combination

LADDER: Final = "3456789TJQKA2"
"""Ranks from low to high below the jokers."""

RANK_COUNT: Final = 15
"""Thirteen ranks, the small joker, the big joker."""

RUN_END: Final = LADDER.index("2")
"""The first rank that no run of several ranks may hold."""

SMALL_JOKER: Final = 13
BIG_JOKER: Final = 14

MOST_CARDS: Final = 20
"""A combination fits into the landlord's hand."""

BOMB: Final = "bomb"
ROCKET: Final = "rocket"

ORDERED: Final = (*(rank + suit for rank in LADDER for suit in cards.SUITS), *cards.JOKERS)
"""The pack from the lowest card to the highest, equal ranks by suit ``c < d < h < s``."""

_ORDER: Final = {card: at for at, card in enumerate(ORDERED)}
_PLACE: Final = {card: LADDER.index(card[0]) for card in ORDERED[:-2]} | {
    cards.SMALL_JOKER: SMALL_JOKER,
    cards.BIG_JOKER: BIG_JOKER,
}


class Shape(msgspec.Struct, frozen=True):
    """How the combinations of one type look.

    The body holds ``width`` cards of each of ``least`` to ``most`` ranks in a row. To each of these ranks belong
    ``kickers`` kickers of ``kicker_width`` cards; ``repeat``: kickers may share a rank with each other.
    """

    width: int
    least: int = 1
    most: int = 1
    kickers: int = 0
    kicker_width: int = 1
    repeat: bool = False

    @property
    def unit(self) -> int:
        """Count the cards that each rank of the body brings with it, kickers included."""
        return self.width + self.kickers * self.kicker_width


class Shapes(Mapping[str, Shape]):
    """The types of a game by their words."""

    def __init__(self, shapes: Mapping[str, Shape]) -> None:
        self._shapes = dict(shapes)
        self.readings_differ = any(shape.repeat and shape.most > 1 for shape in shapes.values())
        """Whether the same cards may be read in several ways: where wings repeat, other bodies leave the same cards."""
        self._within = [
            tuple(shape for shape in shapes.values() if shape.unit * shape.least <= size)
            for size in range(MOST_CARDS + 1)
        ]
        self._of_size = [
            tuple(
                (kind, shape, size // shape.unit)
                for kind, shape in shapes.items()
                if size % shape.unit == 0 and shape.least <= size // shape.unit <= shape.most
            )
            for size in range(MOST_CARDS + 1)
        ]

    def __getitem__(self, kind: str) -> Shape:
        return self._shapes[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shapes)

    def __len__(self) -> int:
        return len(self._shapes)

    def of_size(self, size: int) -> tuple[tuple[str, Shape, int], ...]:
        """Return the types that so many cards may be, each with the number of ranks of its body."""
        return self._of_size[size] if size <= MOST_CARDS else ()

    def within(self, size: int) -> tuple[Shape, ...]:
        """Return the types for which so many cards suffice."""
        return self._within[min(size, MOST_CARDS)]


SHAPES: Final = Shapes(
    {
        "single": Shape(1),
        "pair": Shape(2),
        "triple": Shape(3),
        "triple_single": Shape(3, kickers=1),
        "triple_pair": Shape(3, kickers=1, kicker_width=2),
        "straight": Shape(1, least=5, most=12),
        "pairs": Shape(2, least=3, most=10),
        "plane": Shape(3, least=2, most=6),
        "plane_small": Shape(3, least=2, most=5, kickers=1),
        "plane_large": Shape(3, least=2, most=4, kickers=1, kicker_width=2),
        "four_two": Shape(4, kickers=2, repeat=True),
        "four_pairs": Shape(4, kickers=2, kicker_width=2),
        BOMB: Shape(4),
    }
)
"""All types but the rocket, by the sheet's words."""

EQUAL_WINGS: Final = Shapes({**SHAPES, "plane_small": Shape(3, least=2, most=5, kickers=1, repeat=True)})
"""The types under the house rule ``equal_wings``: single kickers of a plane may repeat."""


THE_ROCKET: Final = Combination(ROCKET, 2, SMALL_JOKER)


def place(card: Card) -> int:
    """Return a card's rank from 0 (three) to 12 (two), 13 and 14 (jokers). Raises KeyError for no card of the pack."""
    return _PLACE[card]


def sort_key(card: Card) -> int:
    """Order cards by rank, equal ranks by suit ``c < d < h < s``."""
    return _ORDER[card]


def tally(some: Iterable[Card]) -> list[int]:
    """Count the cards of each rank."""
    counts = [0] * RANK_COUNT
    for card in some:
        counts[_PLACE[card]] += 1
    return counts


def readings(some: Sequence[Card], shapes: Shapes) -> list[Combination]:
    """List all that these cards can be read as; with ``SHAPES`` never more than one, empty for no combination."""
    counts = tally(some)
    size = len(some)
    if counts[SMALL_JOKER] and counts[BIG_JOKER]:
        return [THE_ROCKET] if size == THE_ROCKET.size else []
    return [
        Combination(kind, size, start)
        for kind, shape, length in shapes.of_size(size)
        for start in _bodies(counts, shape, length)
    ]


def _bodies(counts: list[int], shape: Shape, length: int) -> Iterator[int]:
    if counts.count(shape.width) < length:
        return
    last = RANK_COUNT if length == 1 else RUN_END - length + 1
    for start in range(last):
        if counts[start] != shape.width or counts[start : start + length].count(shape.width) != length:
            continue
        rest = counts[:start] + counts[start + length :]
        if shape.repeat or all(count in (0, shape.kicker_width) for count in rest):
            yield start


def read(some: Sequence[Card], to_beat: Combination | None, shapes: Shapes) -> Combination | None:
    """Read the cards as the rules want where there are several ways; None for no combination.

    Following: as the type to be beaten; leading: as the longest body (plane); among equals as the highest.
    """
    found = readings(some, shapes)
    if to_beat is not None:
        found = [one for one in found if alike(one, to_beat)] or found
    return max(found, key=lambda one: (one.size // _unit(one, shapes), one.key), default=None)


def _unit(one: Combination, shapes: Shapes) -> int:
    return one.size if one.kind == ROCKET else shapes[one.kind].unit


def alike(one: Combination, other: Combination) -> bool:
    """Return whether both are of the same type with the same number of cards."""
    return one.kind == other.kind and one.size == other.size


def beats(new: Combination, old: Combination) -> bool:
    """Return whether ``new`` beats ``old``: rocket over bomb over all else, otherwise alike with a higher key."""
    if alike(new, old):
        return new.key > old.key
    return new.kind == ROCKET or (new.kind == BOMB and old.kind != ROCKET)
