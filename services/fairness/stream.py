"""Unbounded streams of bytes from a seed, and unbiased numbers from bytes.

A stream is the output of SHAKE-256 over label, seed and counter. Streams with different labels or counters are
independent, so that no draw depends on the number of draws before it.
"""

import hashlib
import itertools
import struct
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from services.fairness.seed import SEED_BYTES, framed

WORD: Final = 4
"""Bytes per number."""

_FIRST_BYTES: Final = 272
"""Bytes generated at first: enough to shuffle 54 cards, in two blocks of SHAKE-256; doubled on demand."""


class Source(Protocol):
    """A sequential source of bytes."""

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes."""
        ...


class Stream:
    """The bytes of SHAKE-256 over (label, seed, counter), from the first on."""

    def __init__(self, seed: bytes, label: str, counter: int = 0) -> None:
        assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes, not {len(seed)}"
        assert counter >= 0, f"streams count from 0, not {counter}"
        self._sponge = hashlib.shake_256(framed(b"pitboss " + label.encode() + b" v1", seed, str(counter).encode()))
        self._made = b""
        self._next = 0

    def take(self, count: int) -> bytes:
        """Return the next ``count`` bytes."""
        end = self._next + count
        if end > len(self._made):
            self._made = self._sponge.digest(max(_FIRST_BYTES, 2 * end))
        taken = self._made[self._next : end]
        self._next = end
        assert len(taken) == count
        return taken


def words(source: Source, ahead: int, width: int = WORD) -> Iterator[int]:
    """Return the source's numbers of ``width`` bytes, big endian, without end; the first ``ahead`` are read at once."""
    block = source.take(ahead * width)
    if width == WORD:
        first: Iterable[int] = struct.unpack(f">{ahead}I", block)
    else:
        first = [int.from_bytes(block[at : at + width], "big") for at in range(0, len(block), width)]
    return itertools.chain(first, _further(source, width))


def _further(source: Source, width: int) -> Iterator[int]:
    while True:
        yield int.from_bytes(source.take(width), "big")


def draw(numbers: Iterator[int], bound: int, width: int = WORD) -> int:
    """Return a number from 0 to ``bound - 1``, each equally likely, from numbers of ``width`` bytes.

    Numbers at or above the greatest multiple of ``bound`` are rejected: their remainders would make some results
    likelier than others.
    """
    span = 1 << (8 * width)
    assert 1 <= bound <= span, f"cannot draw below {bound}; at most {span} with {width} bytes"
    limit = span - span % bound
    number = next(numbers)
    while number >= limit:
        number = next(numbers)
    return number % bound


def below(source: Source, bound: int, width: int = WORD) -> int:
    """Return a number from 0 to ``bound - 1`` from the next bytes of a source, each equally likely (see ``draw``)."""
    return draw(words(source, 1, width), bound, width)
