"""All combinations of Fight the Landlord, written down from the sheet's table type by type.

A second way to the same figures: no code of the house is used, only ranks 0 (three) to 12 (two), 13 and 14 (jokers).
A combination is the sorted tuple of its ranks.
"""

import itertools
from collections.abc import Iterator
from math import comb

Ranks = tuple[int, ...]

ALL = range(15)
PLAIN = range(13)
IN_RUNS = range(12)
JOKERS = {13, 14}

FIGURES = {
    "single": {1: 15},
    "pair": {2: 13},
    "triple": {3: 13},
    "triple_single": {4: 182},
    "triple_pair": {5: 156},
    "straight": {5: 8, 6: 7, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1},
    "pairs": {6: 10, 8: 9, 10: 8, 12: 7, 14: 6, 16: 5, 18: 4, 20: 3},
    "plane": {6: 11, 9: 10, 12: 9, 15: 8, 18: 7},
    "plane_small": {8: 847, 12: 2100, 16: 2646, 20: 1568},
    "plane_large": {10: 605, 15: 1200, 20: 1134},
    "four_two": {6: 1326},
    "four_pairs": {8: 858},
    "bomb": {4: 13},
    "rocket": {2: 1},
}
"""The sheet's "Acceptance figures": combinations by type and number of cards."""

EQUAL_WINGS_SMALL = {8: 968, 12: 3291, 16: 7345, 20: 11258}
EQUAL_WINGS_READINGS = {8: 968, 12: 3300, 16: 7425, 20: 11552}
RLCARD_SMALL = {8: 968, 12: 3282, 16: 7184, 20: 10388}
"""What RLCard publishes for its ``trio_solo_chain_k`` (its issue 157)."""
RLCARD_ALL_WITH_PASS = 27472


def runs(length: int) -> Iterator[range]:
    """Return every run of ``length`` ranks from three to ace."""
    for start in range(len(IN_RUNS) - length + 1):
        yield range(start, start + length)


def kickers(body: range, count: int, *, repeat: bool, width: int = 1) -> Iterator[Ranks]:
    """Return every set of kickers: of no rank of the body, never both jokers, pairs of plain ranks only."""
    if width > 1:
        for chosen in itertools.combinations([rank for rank in PLAIN if rank not in body], count):
            yield tuple(rank for rank in chosen for _ in range(width))
        return
    ranks = [rank for rank in ALL if rank not in body]
    for chosen in itertools.combinations_with_replacement(ranks, count):
        most = max(chosen.count(rank) for rank in chosen)
        jokers = sum(chosen.count(joker) for joker in JOKERS)
        if most <= (4 if repeat else 1) and jokers <= 1:
            yield chosen


def written() -> Iterator[tuple[str, Ranks]]:
    """Return every combination around a single rank, with its type."""
    yield from (("single", (rank,)) for rank in ALL)
    yield "rocket", tuple(JOKERS)
    for rank in PLAIN:
        body = range(rank, rank + 1)
        yield "pair", (rank,) * 2
        yield "triple", (rank,) * 3
        yield "bomb", (rank,) * 4
        yield from (("triple_single", (rank,) * 3 + extra) for extra in kickers(body, 1, repeat=False))
        yield from (("triple_pair", (rank,) * 3 + extra) for extra in kickers(body, 1, repeat=False, width=2))
        yield from (("four_two", (rank,) * 4 + extra) for extra in kickers(body, 2, repeat=True))
        yield from (("four_pairs", (rank,) * 4 + extra) for extra in kickers(body, 2, repeat=False, width=2))


def written_in_a_row(length: int, *, equal_wings: bool) -> Iterator[tuple[str, Ranks]]:
    """Return every combination of ``length`` ranks in a row, with its type."""
    for run in runs(length):
        ranks = tuple(run)
        if 5 <= length <= 12:
            yield "straight", ranks
        if 3 <= length <= 10:
            yield "pairs", ranks * 2
        if 2 <= length <= 6:
            yield "plane", ranks * 3
        if 2 <= length <= 5:
            yield from (("plane_small", ranks * 3 + extra) for extra in kickers(run, length, repeat=equal_wings))
        if 2 <= length <= 4:
            yield from (("plane_large", ranks * 3 + extra) for extra in kickers(run, length, repeat=False, width=2))


def combinations(*, equal_wings: bool = False) -> dict[tuple[str, int], set[Ranks]]:
    """Return all combinations by type and number of cards; with equal wings one may stand under two types."""
    found: dict[tuple[str, int], set[Ranks]] = {}
    rows = (written_in_a_row(length, equal_wings=equal_wings) for length in range(2, 13))
    for kind, ranks in itertools.chain(written(), *rows):
        found.setdefault((kind, len(ranks)), set()).add(tuple(sorted(ranks)))
    return found


def plane_small(length: int) -> int:
    """Count planes with small wings by the sheet's formula."""
    return (13 - length) * (comb(15 - length, length) - comb(13 - length, length - 2))


def plane_large(length: int) -> int:
    """Count planes with large wings by the sheet's formula."""
    return (13 - length) * comb(13 - length, length)
