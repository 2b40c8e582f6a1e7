"""Shuffles and draws pass the usual batteries together at 99 % [R21], and the batteries can fail.

``PITBOSS_BATTERY`` set to a number makes the samples so many times as large. Seeds are fixed: a result does not change.
"""

import functools
import hashlib
import itertools
import math
import os
import random
import struct
from collections.abc import Iterable, Sequence

import pytest

from services.fairness import samples, stream
from services.rules import cards
from tests.fairness import battery

SCALE = int(os.environ.get("PITBOSS_BATTERY", "1"))
SEEDS = [hashlib.sha256(f"battery {number}".encode()).digest() for number in (1, 2, 3)]
LEVEL = 0.01


class House:
    """The house's generator, by the functions that write samples for a laboratory."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Draw numbers as picks are drawn, five hundred to a round."""
        lines = samples.numbers(self.seed, bound, -(-count // 500), 500) if bound <= 54 else []
        drawn = [int(word) for line in lines for word in line.split()]
        if bound > 54:
            source = stream.Stream(self.seed, "shuffle")
            drawn = [stream.below(source, bound) for _ in range(count)]
        return drawn[:count]

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Shuffle a pack as rounds do."""
        place = {card: number for number, card in enumerate(cards.PACK_52[:size])}
        for line in samples.shuffles(self.seed, cards.PACK_52[:size], count):
            yield [place[card] for card in line.split()]

    def raw(self, count: int) -> bytes:
        """Return the generator's raw output."""
        return b"".join(samples.raw(self.seed, count))


class Sound:
    """A sound generator that is not the house's, as the base of unsound ones."""

    def __init__(self) -> None:
        self.random = random.Random(5)

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return numbers without bias."""
        return [self.random.randrange(bound) for _ in range(count)]

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Yield orders without bias."""
        for _ in range(count):
            yield self.random.sample(range(size), size)

    def raw(self, count: int) -> bytes:
        """Return bytes without bias."""
        return self.random.randbytes(count)


class ModuloOfAByte(Sound):
    """Takes the remainder of a byte and throws nothing away."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return biased numbers."""
        return [self.random.getrandbits(8) % bound for _ in range(count)]


class SwapAnywhere(Sound):
    """Swaps each card with any other: a well-known wrong shuffle, whose orders are not equally likely."""

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Yield biased orders."""
        for _ in range(count):
            order = list(range(size))
            for place in range(size):
                other = self.random.randrange(size)
                order[place], order[other] = order[other], order[place]
            yield order


class NeverInPlace(Sound):
    """Swaps each card with one before it and never leaves it: gives only orders of one cycle."""

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Yield orders that are a single cycle."""
        for _ in range(count):
            order = list(range(size))
            for last in range(size - 1, 0, -1):
                other = self.random.randrange(last)
                order[last], order[other] = order[other], order[last]
            yield order


class HalfShuffled(Sound):
    """Riffles the pack of the last round three times, too few to forget it."""

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Yield orders that depend on the last one."""
        order = list(range(size))
        for _ in range(count):
            for _ in range(3):
                left = {place for place in range(size) if self.random.getrandbits(1)}
                halves = iter(order[: len(left)]), iter(order[len(left) :])
                order = [next(halves[0 if place in left else 1]) for place in range(size)]
            yield list(order)


class Congruential(Sound):
    """A linear congruential generator with a short period, whose low bits it gives away."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return numbers with a pattern."""
        states = itertools.accumulate(
            range(count), lambda state, _: (1103515245 * state + 12345) % (1 << 31), initial=7
        )
        return [state % bound for state in itertools.islice(states, count)]


class Sticky(Sound):
    """Now and then gives the last number again."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return numbers that depend on the one before."""
        drawn = [0]
        for _ in range(count):
            drawn.append(drawn[-1] if self.random.random() < 0.05 else self.random.randrange(bound))
        return drawn[1:]


class Hurried(Sound):
    """Shows every kind once in each sixteen numbers at the latest."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return numbers of which none is missing for long."""
        if bound != 8:
            return super().numbers(bound, count)
        blocks = (self.random.sample([*range(8), *self.random.choices(range(8), k=8)], 16) for _ in range(count // 16))
        return list(itertools.chain.from_iterable(blocks))


class LeaningBits(Sound):
    """One bit in a hundred is set for sure."""

    def raw(self, count: int) -> bytes:
        """Return bytes with too many set bits."""
        return bytes(
            byte | (1 << self.random.randrange(8) if self.random.random() < 0.08 else 0)
            for byte in self.random.randbytes(count)
        )


class TooEven(Sound):
    """A generator that yields every number equally often, which chance would not."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return all numbers in turn, in shuffled blocks."""
        if bound > 60:
            return super().numbers(bound, count)
        blocks = (self.random.sample(range(bound), bound) for _ in range(-(-count // bound)))
        return list(itertools.chain.from_iterable(blocks))[:count]


@functools.cache
def results(seed: bytes) -> dict[str, float]:
    """Run the battery on the house's generator under one seed."""
    return battery.run(House(seed), SCALE)


def worst(found: dict[str, float]) -> float:
    """Return the probability that the most extreme of as many results is at least as extreme as the one found."""
    extreme = min(2 * min(p, 1 - p) for p in found.values())
    return 1 - (1 - min(1.0, max(0.0, extreme))) ** len(found)


@pytest.mark.parametrize("seed", SEEDS, ids=["1", "2", "3"])
def test_the_house_passes_together_at_99_percent(seed: bytes) -> None:
    """No result of the battery is so striking that a sound generator shows it less than once in a hundred times."""
    found = results(seed)
    assert len(found) >= 25
    assert worst(found) > LEVEL, sorted(found.items(), key=lambda item: item[1])[:3]


def test_results_of_all_seeds_are_spread_evenly() -> None:
    """The p-values of all tests and seeds lie evenly between 0 and 1 (Kolmogorov and Smirnov, at 99 %)."""
    values = sorted(p for seed in SEEDS for p in results(seed).values())
    count = len(values)
    distance = max(max(p - at / count, (at + 1) / count - p) for at, p in enumerate(values))
    assert distance * math.sqrt(count) < 1.628


def test_a_sound_generator_passes_too() -> None:
    """The battery finds nothing in a sound generator that is not ours: it does not cry wolf."""
    assert worst(battery.run(Sound())) > LEVEL


@pytest.mark.parametrize(
    ("unsound", "finder"),
    [
        (ModuloOfAByte(), "frequencies below 52"),
        (SwapAnywhere(), "positions of cards"),
        (NeverInPlace(), "cycles"),
        (HalfShuffled(), "one card from round to round"),
        (Congruential(), "frequencies below 2"),
        (Sticky(), "serial correlation at 1"),
        (Sticky(), "poker"),
        (Hurried(), "coupon collector"),
        (LeaningBits(), "monobit"),
        (TooEven(), "frequencies below 52"),
        (TooEven(), "gaps"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value,
)
def test_unsound_generators_are_found(unsound: battery.Specimen, finder: str) -> None:
    """Each well-known fault is found, by the test that is meant to find it."""
    found = battery.run(unsound)
    assert worst(found) < LEVEL / 1000
    assert 2 * min(found[finder], 1 - found[finder]) < LEVEL / 1000, found


def test_one_bit_of_the_seed_changes_half_of_all_bits() -> None:
    """Seeds that differ in one bit give streams that differ in half of their bits, as independent ones do."""
    base = stream.Stream(bytes(32), "shuffle").take(64)
    differing = 0
    for bit in range(256):
        other = stream.Stream((1 << bit).to_bytes(32, "big"), "shuffle").take(64)
        differing += (int.from_bytes(base, "big") ^ int.from_bytes(other, "big")).bit_count()
    size = 256 * 512
    assert battery.normal((2 * differing - size) / math.sqrt(size)) > LEVEL


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [
        (3.841, 1, 0.05),
        (6.635, 1, 0.01),
        (18.307, 10, 0.05),
        (2.558, 10, 0.99),
        (124.342, 100, 0.05),
        (70.065, 100, 0.99),
    ],
)
def test_the_battery_reckons_as_the_tables_do(statistic: float, freedom: int, chance: float) -> None:
    """P-values of chi-square agree with the published tables."""
    assert battery.chi_square(statistic, freedom) == pytest.approx(chance, abs=2e-5)


def test_samples_are_what_rounds_get() -> None:
    """Samples have the size asked for, repeat for the same seed, and differ for another."""
    assert sum(map(len, samples.raw(SEEDS[0], 200_000))) == 200_000
    assert list(samples.raw(SEEDS[0], 0)) == []
    lines = list(samples.shuffles(SEEDS[0], cards.PACK_54, 20))
    assert lines == list(samples.shuffles(SEEDS[0], cards.PACK_54, 20))
    assert len(set(lines)) == 20
    assert all(sorted(line.split()) == sorted(cards.PACK_54) for line in lines)
    assert lines != list(samples.shuffles(SEEDS[1], cards.PACK_54, 20))
    throws = [line.split() for line in samples.throws(SEEDS[0], 3, 200)]
    assert {eyes for throw in throws for eyes in throw} == set("123456")
    assert {len(throw) for throw in throws} == {3}
    words = struct.unpack(">8I", next(samples.raw(SEEDS[0], 32)))
    assert len(set(words)) == 8
