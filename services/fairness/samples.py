"""Samples for a test laboratory: the generator's raw output, and outcomes by the same functions that deal [R21].

Each piece or line comes from a round seed of its own, combined as a table combines it. So a sample shows what
successive rounds get. Everything is an iterator, so that samples of any size need little memory. The same seed gives
the same sample.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from services.fairness import chance, seed, stream
from services.rules import cards
from services.rules.cards import Card

TABLE: Final = "laboratory"
"""Used in place of a table's id when a round seed is combined."""

PIECE: Final = 1 << 16
"""Bytes of raw output drawn from one round seed."""


def raw(house_seed: bytes, size: int) -> Iterator[bytes]:
    """Yield ``size`` bytes in pieces: the input of shuffles, before numbers are made from it."""
    made, number = 0, 0
    while made < size:
        number += 1
        count = min(PIECE, size - made)
        made += count
        yield stream.Stream(_round_seed(house_seed, number), "shuffle").take(count)


def shuffles(house_seed: bytes, pack: Sequence[Card], rounds: int) -> Iterator[str]:
    """Yield a line per round: the shuffled pack, top first, cards separated by spaces."""
    for number in range(1, rounds + 1):
        yield cards.show(chance.SealedChance(_round_seed(house_seed, number)).shuffle(pack))


def numbers(house_seed: bytes, bound: int, rounds: int, each: int = 1) -> Iterator[str]:
    """Yield a line per round: ``each`` consecutive picks out of ``bound`` options, as numbers from 0."""
    for number in range(1, rounds + 1):
        drawn = chance.SealedChance(_round_seed(house_seed, number))
        yield " ".join(str(drawn.pick(range(bound), "number")) for _ in range(each))


def throws(house_seed: bytes, dice: int, rounds: int) -> Iterator[str]:
    """Yield a line per round: one throw of ``dice`` dice."""
    for number in range(1, rounds + 1):
        yield " ".join(map(str, chance.SealedChance(_round_seed(house_seed, number)).dice(dice)))


def _round_seed(house_seed: bytes, number: int) -> bytes:
    return seed.combine(house_seed, TABLE, number, {})
