"""Whole chips: shares by largest remainder, equal parts, and who sits to the left of whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rules import chips

WEIGHTS = st.dictionaries(st.integers(0, 9), st.integers(0, chips.MOST_CHIPS), min_size=1)


def test_share_in_proportion() -> None:
    """100 chips on weights 50, 70, 80 are 25, 35, 40."""
    assert chips.share(100, {1: 50, 2: 70, 3: 80}, [1, 2, 3]) == {1: 25, 2: 35, 3: 40}


def test_share_gives_odd_chips_to_the_largest_remainders() -> None:
    """10 chips on 3, 3, 8 are 2.14, 2.14, 5.71: one odd chip, to the last."""
    assert chips.share(10, {1: 3, 2: 3, 3: 8}, [1, 2, 3]) == {1: 2, 2: 2, 3: 6}


def test_share_breaks_ties_by_the_order_given() -> None:
    """5 chips on three equal weights leave two odd chips for the first two of the order."""
    assert chips.share(5, {0: 1, 1: 1, 2: 1}, [2, 0, 1]) == {2: 2, 0: 2, 1: 1}


def test_share_with_nobody_to_weigh_gives_nothing() -> None:
    """Weights of zero share nothing."""
    assert chips.share(0, {1: 0, 2: 0}, [1, 2]) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("amount", "weights", "order", "why"),
    [
        (-1, {1: 1}, [1], "cannot share -1"),
        (1, {1: 1, 2: 1}, [1], "name every sharer"),
        (1, {1: 0}, [1], "nobody may share"),
    ],
)
def test_share_refuses_what_cannot_be(amount: int, weights: dict[int, int], order: list[int], why: str) -> None:
    """Negative amounts, sharers without a place and chips without a sharer are faults of the caller."""
    with pytest.raises(AssertionError, match=why):
        chips.share(amount, weights, order)


@given(amount=st.integers(0, chips.MOST_CHIPS), weights=WEIGHTS)
def test_shares_add_up_and_differ_from_the_exact_part_by_less_than_a_chip(amount: int, weights: dict[int, int]) -> None:
    """Whatever the weights are, nothing is lost or made, and rounding moves less than one chip."""
    total = sum(weights.values())
    if total == 0:
        return
    parts = chips.share(amount, weights, sorted(weights))
    assert sum(parts.values()) == amount
    assert all(abs(parts[key] * total - amount * weights[key]) < total for key in weights)


def test_split_gives_odd_chips_to_the_first() -> None:
    """11 chips for three are 4, 4, 3."""
    assert chips.split(11, [2, 0, 1]) == {2: 4, 0: 4, 1: 3}


def test_split_needs_somebody() -> None:
    """Chips cannot be split among nobody."""
    with pytest.raises(AssertionError, match="somebody must share"):
        chips.split(1, [])


@given(amount=st.integers(0, chips.MOST_CHIPS), sharers=st.lists(st.integers(0, 99), min_size=1, unique=True))
def test_split_parts_add_up_and_differ_by_at_most_one(amount: int, sharers: list[int]) -> None:
    """Equal parts are equal to the chip, the greater ones first."""
    parts = list(chips.split(amount, sharers).values())
    assert sum(parts) == amount
    assert parts == sorted(parts, reverse=True)
    assert parts[0] - parts[-1] <= 1


@pytest.mark.parametrize(
    ("of", "order"),
    [
        (0, [2, 5, 0]),
        (2, [5, 0, 2]),
        (5, [0, 2, 5]),
        (3, [5, 0, 2]),
        (-1, [0, 2, 5]),
        (9, [0, 2, 5]),
    ],
)
def test_left_is_the_next_higher_seat_and_wraps(of: int, order: list[int]) -> None:
    """The seat itself comes last; a seat that is not there still has a left."""
    assert chips.to_the_left([5, 0, 2], of) == order
