"""The usual statistical tests of random numbers and shuffles, each giving a p-value [R21].

Methods and their names are those of Knuth, The Art of Computer Programming, volume 2, section 3.3.2.
"""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol

LEAST_EXPECTED: Final = 5
"""Chi-square needs at least so many expected of each kind."""


class Specimen(Protocol):
    """What is tested."""

    def numbers(self, bound: int, count: int) -> Sequence[int]:
        """Return ``count`` numbers from 0 to ``bound - 1``."""
        ...

    def orders(self, size: int, count: int) -> Iterable[Sequence[int]]:
        """Return ``count`` orders of the numbers from 0 to ``size - 1``."""
        ...

    def raw(self, count: int) -> bytes:
        """Return ``count`` bytes."""
        ...


def run(specimen: Specimen, scale: int = 1) -> dict[str, float]:
    """Run every test and return its p-value, from 0 to 1, each equally likely to be small if all is well."""
    return dict(
        [
            *_on_bytes(specimen.raw(100_000 * scale)),
            *_on_numbers(specimen, 40_000 * scale),
            *_on_orders(list(specimen.orders(52, 3_000 * scale))),
        ]
    )


# -- bytes ----------------------------------------------------------------------------------------------------


def _on_bytes(data: bytes) -> Iterator[tuple[str, float]]:
    bits = int.from_bytes(data, "big").bit_count()
    size = 8 * len(data)
    yield "monobit", normal((2 * bits - size) / math.sqrt(size))
    yield "bytes", even(Counter(data), 256, len(data))
    high = Counter((first >> 4, second >> 4) for first, second in zip(data[::2], data[1::2], strict=True))
    yield "pairs of half bytes", even(high, 256, len(data) // 2)
    words = int.from_bytes(data, "big")
    changes = (words ^ (words >> 1)) & ((1 << (size - 1)) - 1)
    yield "runs of bits", normal((2 * changes.bit_count() - (size - 1)) / math.sqrt(size - 1))


# -- numbers --------------------------------------------------------------------------------------------------


def _on_numbers(specimen: Specimen, count: int) -> Iterator[tuple[str, float]]:
    for bound in (2, 6, 9, 52, 54):
        yield f"frequencies below {bound}", even(Counter(specimen.numbers(bound, count)), bound, count)
    faces = specimen.numbers(6, count)
    yield "serial pairs of dice", even(Counter(zip(faces[::2], faces[1::2], strict=True)), 36, count // 2)
    deviates = specimen.numbers(1 << 32, count)
    for lag in (1, 2, 3, 51, 52):
        yield f"serial correlation at {lag}", normal(correlation(deviates[:-lag], deviates[lag:]) * math.sqrt(count))
    yield "runs up", _runs_up(deviates)
    yield "runs about the median", _runs_about(deviates, 1 << 31)
    yield "permutations of five", _permutations(deviates, 5)
    yield "gaps", _gaps(specimen.numbers(52, count), 13, Fraction(1, 4))
    yield "coupon collector", _coupons(specimen.numbers(8, count), 8)
    yield "poker", _poker(specimen.numbers(16, count), 16)
    groups = [max(deviates[at : at + 5]) / (1 << 32) for at in range(0, count - 4, 5)]
    yield "maximum of five", even(Counter(int(20 * top**5) for top in groups), 20, len(groups))


def _runs_up(deviates: Sequence[int]) -> float:
    """Count lengths of rising runs, the number after each run thrown away so that they are independent."""
    lengths: Counter[int] = Counter()
    at = 0
    while at < len(deviates) - 20:
        end = at + 1
        while deviates[end] > deviates[end - 1]:
            end += 1
        lengths[min(end - at, 6)] += 1
        at = end + 1
    chances = {length: 1 / math.factorial(length) - 1 / math.factorial(length + 1) for length in range(1, 6)}
    return fits(lengths, {**chances, 6: 1 / math.factorial(6)})


def _runs_about(deviates: Sequence[int], middle: int) -> float:
    """Count runs above and below a middle, after Wald and Wolfowitz."""
    above = [number >= middle for number in deviates]
    ups, downs = sum(above), len(above) - sum(above)
    runs = 1 + sum(one != other for one, other in itertools.pairwise(above))
    expected = 2 * ups * downs / (ups + downs) + 1 if ups and downs else 1
    variance = (expected - 1) * (expected - 2) / (ups + downs - 1)
    return normal((runs - expected) / math.sqrt(variance)) if variance > 0 else 0.0


def _permutations(deviates: Sequence[int], size: int) -> float:
    """Compare the relative orders of groups that do not overlap."""
    groups = [deviates[at : at + size] for at in range(0, len(deviates) - size + 1, size)]
    found = Counter(tuple(sorted(range(size), key=group.__getitem__)) for group in groups)
    return even(found, math.factorial(size), len(groups))


def _gaps(numbers: Sequence[int], below: int, chance: Fraction) -> float:
    """Count how many numbers lie between two below a bound."""
    gaps: Counter[int] = Counter()
    gap = 0
    for number in numbers:
        if number < below:
            gaps[min(gap, 20)] += 1
            gap = 0
        else:
            gap += 1
    hit = float(chance)
    return fits(gaps, {**{length: hit * (1 - hit) ** length for length in range(20)}, 20: (1 - hit) ** 20})


def _coupons(numbers: Sequence[int], kinds: int) -> float:
    """Count how many numbers it takes to see every kind."""
    longest = 5 * kinds
    lengths: Counter[int] = Counter()
    seen: set[int] = set()
    length = 0
    for number in numbers:
        length += 1
        seen.add(number)
        if len(seen) == kinds:
            lengths[min(length, longest)] += 1
            seen, length = set(), 0
    within = [
        sum((-1) ** missing * math.comb(kinds, missing) * (1 - missing / kinds) ** size for missing in range(kinds + 1))
        for size in range(longest)
    ]
    chances = {size: within[size] - within[size - 1] for size in range(kinds, longest)}
    return fits(lengths, {**chances, longest: 1 - within[longest - 1]})


def _poker(numbers: Sequence[int], kinds: int) -> float:
    """Count how many different ones are among five."""
    hands = [len(set(numbers[at : at + 5])) for at in range(0, len(numbers) - 4, 5)]
    partitions = {1: 1, 2: 15, 3: 25, 4: 10, 5: 1}
    chances = {count: math.perm(kinds, count) * ways / kinds**5 for count, ways in partitions.items()}
    return fits(Counter(hands), chances)


# -- orders ---------------------------------------------------------------------------------------------------


def _on_orders(orders: Sequence[Sequence[int]]) -> Iterator[tuple[str, float]]:
    size, rounds = len(orders[0]), len(orders)
    places = Counter((place, card) for order in orders for place, card in enumerate(order))
    expected = rounds / size
    squares = sum((places[place, card] - expected) ** 2 for place in range(size) for card in range(size))
    # Each row and column of the table sums to the number of rounds, which shrinks the statistic by (n - 1) / n.
    yield "positions of cards", chi_square(squares / expected * (size - 1) / size, (size - 1) ** 2)
    yield "first card", even(Counter(order[0] for order in orders), size, rounds)
    yield "last card", even(Counter(order[-1] for order in orders), size, rounds)
    groups = [order[at : at + 4] for order in orders for at in range(0, size - 3, 4)]
    found = Counter(tuple(sorted(range(4), key=group.__getitem__)) for group in groups)
    yield "permutations of four", even(found, 24, len(groups))
    aces = Counter(sum(card % 13 == 0 for card in order[:13]) for order in orders)
    yield "aces among thirteen", fits(aces, _drawn(13))
    next_to = Counter(sum(b - a == 1 for a, b in itertools.pairwise(order)) for order in orders)
    yield "neighbours that stay", fits(Counter(min(count, 4) for count in next_to.elements()), _successions(size))
    cycles = [_cycles(order) for order in orders]
    mean = sum(1 / length for length in range(1, size + 1))
    spread = math.sqrt(mean - sum(1 / length**2 for length in range(1, size + 1)))
    yield "cycles", normal((statistics.fmean(cycles) - mean) / spread * math.sqrt(rounds))
    tops = [order.index(0) for order in orders]
    yield "one card from round to round", normal(correlation(tops[:-1], tops[1:]) * math.sqrt(rounds - 1))
    kept = sum(
        one == other for first, second in itertools.pairwise(orders) for one, other in zip(first, second, strict=True)
    )
    yield "places kept from round to round", normal((kept - (rounds - 1)) / math.sqrt(rounds - 1))


def _drawn(hand: int) -> dict[int, float]:
    return {aces: math.comb(4, aces) * math.comb(48, hand - aces) / math.comb(52, hand) for aces in range(5)}


def _successions(size: int) -> dict[int, float]:
    """Chances that so many cards are followed by the next higher one, by inclusion and exclusion; 4 is four or more."""
    chances = {
        count: sum(
            (-1) ** (over - count) * math.comb(over, count) * math.comb(size - 1, over) * math.factorial(size - over)
            for over in range(count, size)
        )
        / math.factorial(size)
        for count in range(4)
    }
    return {**chances, 4: 1 - sum(chances.values())}


def _cycles(order: Sequence[int]) -> int:
    seen: set[int] = set()
    count = 0
    for start in range(len(order)):
        count += start not in seen
        at = start
        while at not in seen:
            seen.add(at)
            at = order[at]
    return count


# -- from statistics to p-values ------------------------------------------------------------------------------


def correlation(one: Sequence[int], other: Sequence[int]) -> float:
    """Correlate two sequences; equal values throughout count as wholly correlated."""
    try:
        return statistics.correlation(one, other)
    except statistics.StatisticsError:
        return 1.0


def even(found: Mapping[Any, int], kinds: int, total: int) -> float:
    """Compare counts with so many equally likely kinds, by chi-square."""
    assert sum(found.values()) == total, "each one must be of some kind"
    if len(found) > kinds:
        return 0.0
    expected = total / kinds
    assert expected >= LEAST_EXPECTED, f"{total} are too few for {kinds} kinds"
    squares = sum((count - expected) ** 2 for count in found.values()) + (kinds - len(found)) * expected**2
    return chi_square(squares / expected, kinds - 1)


def fits(found: Mapping[int, int], chances: Mapping[int, float]) -> float:
    """Compare counts with chances by chi-square; kinds too rare are counted with their neighbours."""
    total = sum(found.values())
    assert math.isclose(sum(chances.values()), 1), "chances must add up to 1"
    if total == 0 or not set(found) <= set(chances):
        return 0.0
    pools: list[tuple[float, int]] = []
    expected, count = 0.0, 0
    for kind in sorted(chances):
        expected, count = expected + total * chances[kind], count + found.get(kind, 0)
        if expected >= LEAST_EXPECTED:
            pools.append((expected, count))
            expected, count = 0.0, 0
    last = pools.pop()
    pools.append((last[0] + expected, last[1] + count))
    return chi_square(sum((count - expected) ** 2 / expected for expected, count in pools), len(pools) - 1)


def normal(deviation: float) -> float:
    """Return the probability that a standard normal deviate is at least this far from zero."""
    return math.erfc(abs(deviation) / math.sqrt(2))


def chi_square(statistic: float, freedom: int) -> float:
    """Return the probability that chi-square with these degrees of freedom is at least the statistic."""
    assert freedom > 0, "one kind alone tells nothing"
    shape, point = freedom / 2, statistic / 2
    if point <= 0:
        return 1.0
    front = math.exp(shape * math.log(point) - point - math.lgamma(shape))
    if point < shape + 1:
        return 1 - front * _series(shape, point)
    return front * _fraction(shape, point)


def _series(shape: float, point: float) -> float:
    """Return the lower incomplete gamma function without its leading factor, by its power series."""
    term = total = 1 / shape
    step = shape
    while abs(term) > abs(total) * 1e-12:
        step += 1
        term *= point / step
        total += term
    return total


def _fraction(shape: float, point: float) -> float:
    """Return the upper incomplete gamma function without its leading factor, by Lentz's continued fraction."""
    tiny = 1e-300
    b = point + 1 - shape
    c, d = 1 / tiny, 1 / b
    value = d
    for step in range(1, 100_000):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-12:
            return value
    raise ArithmeticError(f"no value for {shape}, {point}")
