"""The shuffle: Fisher–Yates with numbers from the sealed stream [R21, R23]."""

from collections.abc import Sequence
from typing import TypeVar

from services.fairness.stream import Source, Stream, draw, words

T = TypeVar("T")


def permute(source: Source, things: Sequence[T]) -> list[T]:
    """Return the things in an order drawn from a source, every order equally likely.

    Each place from the last down to the second is swapped with a random place at or before it.
    """
    order = list(things)
    numbers = words(source, max(0, len(order) - 1))
    for last in range(len(order) - 1, 0, -1):
        other = draw(numbers, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def shuffle(round_seed: bytes, number: int, pack: Sequence[T]) -> list[T]:
    """Return a pack shuffled with the round's ``number``-th stream (from 0), which no other draw of the round uses."""
    return permute(Stream(round_seed, "shuffle", number), pack)
