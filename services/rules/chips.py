"""Whole chips, and the two ways in which a house divides them [rules "From claims to chips"]."""

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

K = TypeVar("K", bound=Hashable)

MOST_CHIPS: Final = 10**15
"""Greatest amount of chips that the house takes at once, in any place; far below the bounds of int64."""
MOST_PAID: Final = 10**17
"""Chips that the house's bank pays at most in one round at one table, all seats together."""
MOST_SEATS: Final = 250
"""Seats that are taken at one table at most: one append and one ledger entry have room to pay all of them out."""


def share(amount: int, weights: Mapping[K, int], order: Sequence[K]) -> dict[K, int]:
    """Share an amount in proportion to weights by largest remainder.

    ``order`` lists the keys of ``weights``; of equal remainders the earlier one gets the odd chip (the seat
    closest to the left of the payer). The parts add up to ``amount`` exactly.
    """
    total = sum(weights.values())
    assert amount >= 0, f"cannot share {amount} chips"
    assert set(order) == set(weights), "the order must name every sharer once"
    if total == 0:
        assert amount == 0, "nobody may share, yet there are chips"
        return dict.fromkeys(order, 0)
    parts = {key: amount * weights[key] // total for key in order}
    left = amount - sum(parts.values())
    by_remainder = sorted(order, key=lambda key: -(amount * weights[key] % total))
    for key in by_remainder[:left]:
        parts[key] += 1
    return parts


def split(amount: int, sharers: Sequence[int]) -> dict[int, int]:
    """Split an amount equally; odd chips go one each to the first of ``sharers``."""
    assert amount >= 0, f"cannot split {amount} chips"
    assert sharers, "somebody must share"
    each, odd = divmod(amount, len(sharers))
    return {key: each + (1 if place < odd else 0) for place, key in enumerate(sharers)}


def to_the_left(seats: Iterable[int], of: int) -> list[int]:
    """Order seats clockwise, beginning with the one closest to the left of a seat; that seat itself comes last.

    "Left" is the next higher seat, wrapping [rules "Words"].
    """
    ring = sorted(seats)
    place = bisect_right(ring, of)
    return ring[place:] + ring[:place]
