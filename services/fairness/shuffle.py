"""The shuffle: Fisher–Yates with numbers from the sealed stream [R21, R23]."""

from collections.abc import Sequence
from typing import Final, TypeVar

from services.fairness.stream import WORD, Source, Stream, draw, words

T = TypeVar("T")
_SPAN: Final = 1 << (8 * WORD)


def permute(source: Source, things: Sequence[T]) -> list[T]:
    """Return the things in an order drawn from a source, every order equally likely.

    Each place from the last down to the second is swapped with a random place at or before it.
    """
    order = list(things)
    numbers = words(source, max(0, len(order) - 1))
    for last in range(len(order) - 1, 0, -1):
        number, bound = next(numbers), last + 1
        # As ``draw`` does, which is called only for the few numbers that are rejected: this loop is much of a replay.
        other = number % bound if number < _SPAN - _SPAN % bound else draw(numbers, bound)
        order[last], order[other] = order[other], order[last]
    return order


def shuffle(round_seed: bytes, number: int, pack: Sequence[T]) -> list[T]:
    """Return a pack shuffled with the round's ``number``-th stream (from 0), which no other draw of the round uses."""
    return permute(Stream(round_seed, "shuffle", number), pack)
