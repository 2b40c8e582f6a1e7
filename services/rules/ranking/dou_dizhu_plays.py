"""Lists all plays that a hand allows, each by its ranks once, with the lowest suits held (``c < d < h < s``)."""

import itertools
from collections.abc import Iterator, Sequence

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking import dou_dizhu
from services.rules.ranking.combination import Combination
from services.rules.ranking.dou_dizhu import BOMB, ROCKET, Shape, Shapes

Held = list[tuple[Card, ...]]
"""The cards of each rank, lowest suit first."""

Bodies = list[tuple[int, int]]
"""Start and length of bodies."""


def legal(hand: Sequence[Card], to_beat: Combination | None, shapes: Shapes) -> list[tuple[Card, ...]]:
    """List every play of a hand that beats the last one, or that may lead where there is none.

    Plays that differ in suits only are one play and listed once; kickers follow the body.
    """
    held: Held = [()] * dou_dizhu.RANK_COUNT
    for card in sorted(hand, key=dou_dizhu.sort_key):
        held[dou_dizhu.place(card)] += (card,)
    found = _leads(held, shapes) if to_beat is None else _answers(held, to_beat, shapes)
    if held[dou_dizhu.SMALL_JOKER] and held[dou_dizhu.BIG_JOKER] and (to_beat is None or to_beat.kind != ROCKET):
        found.append((cards.SMALL_JOKER, cards.BIG_JOKER))
    if shapes.readings_differ:
        return list({frozenset(play): play for play in found}.values())
    return found


def _leads(held: Held, shapes: Shapes) -> list[tuple[Card, ...]]:
    return [
        play
        for shape in shapes.within(sum(map(len, held)))
        for start, length in _bodies(held, shape)
        for play in _dressed(held, shape, start, length)
    ]


def _answers(held: Held, to_beat: Combination, shapes: Shapes) -> list[tuple[Card, ...]]:
    if to_beat.kind == ROCKET:
        return []
    shape = shapes[to_beat.kind]
    length = to_beat.size // shape.unit
    found = [
        play
        for start, size in _bodies(held, shape, to_beat.key + 1)
        if size == length
        for play in _dressed(held, shape, start, length)
    ]
    if to_beat.kind != BOMB:
        found += [same for same in held if len(same) == shapes[BOMB].width]
    return found


def _bodies(held: Held, shape: Shape, first: int = 0) -> Bodies:
    """Return every body of this shape that the hand holds with enough cards for its kickers."""
    width = shape.width
    wide = [len(same) >= width for same in held]
    if wide.count(True) < shape.least:
        return []
    longest = min(shape.most, sum(map(len, held)) // shape.unit)
    if longest < shape.least:
        return []
    if shape.most == 1:
        return [(start, 1) for start in range(first, dou_dizhu.RANK_COUNT) if wide[start]]
    found: Bodies = []
    row = 0
    for end in range(first, dou_dizhu.RUN_END):
        row = row + 1 if wide[end] else 0
        found += [(end - length + 1, length) for length in range(shape.least, min(row, longest) + 1)]
    return found


def _dressed(held: Held, shape: Shape, start: int, length: int) -> Iterator[tuple[Card, ...]]:
    """Return the body alone, or with each set of kickers that it may take."""
    body: tuple[Card, ...] = ()
    for same in held[start : start + length]:
        body += same[: shape.width]
    if not shape.kickers:
        yield body
        return
    wide = shape.kicker_width
    free = [rank for rank, same in enumerate(held) if len(same) >= wide and not start <= rank < start + length]
    choose = itertools.combinations_with_replacement if shape.repeat else itertools.combinations
    for ranks in choose(free, shape.kickers * length):
        if dou_dizhu.BIG_JOKER in ranks and dou_dizhu.SMALL_JOKER in ranks:
            continue
        if shape.repeat:
            if all(ranks.count(rank) <= len(held[rank]) for rank in ranks):
                yield body + tuple(held[rank][ranks[:at].count(rank)] for at, rank in enumerate(ranks))
            continue
        play = body
        for rank in ranks:
            play += held[rank][:wide]
        yield play


class Plays:
    """The combinations with these types, as the engine of climbing games asks for them."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes

    def sort_key(self, card: Card) -> int:
        """Order cards by rank, equal ranks by suit ``c < d < h < s``."""
        return dou_dizhu.sort_key(card)

    def read(self, some: Sequence[Card], to_beat: Combination | None) -> Combination | None:
        """Read the cards as the rules want where there are several ways; None for no combination."""
        return dou_dizhu.read(some, to_beat, self._shapes)

    def beats(self, new: Combination, old: Combination) -> bool:
        """Return whether ``new`` beats ``old``."""
        return dou_dizhu.beats(new, old)

    def legal(self, hand: Sequence[Card], to_beat: Combination | None) -> list[tuple[Card, ...]]:
        """List every legal play of a hand, plays that differ in suits only once."""
        return legal(hand, to_beat, self._shapes)
