"""The button's way round the table."""

import pytest

from services.rules import seating
from services.rules.game import Table


@pytest.mark.parametrize(
    ("last", "first", "seats", "button"),
    [
        (None, None, (0, 1, 2), 0),  # seat 0 begins
        (None, None, (3, 5), 3),  # or the next to its left that is in the round
        (None, 2, (0, 2, 4), 2),  # or who a case names
        (None, 3, (0, 2, 4), 4),  # who is not in the round hands it to the left
        (None, 5, (0, 2, 4), 0),  # round the table
        (0, 2, (0, 1, 2), 1),  # later it moves one seat to the left, whatever the first one was
        (2, None, (0, 1, 2), 0),  # round the table
        (1, None, (0, 4), 4),  # the last one may have left
        (7, None, (7, 8), 8),
    ],
)
def test_the_button_goes_to_the_left(last: int | None, first: int | None, seats: tuple[int, ...], button: int) -> None:
    """README, "Words": to the next seat dealt in; before the first round the table's choice, else seat 0."""
    table = Table(chips=dict.fromkeys(range(9), 10), button=last, first_button=first)
    assert seating.next_button(table, seats) == button


def test_a_button_needs_a_seat() -> None:
    """Nobody in the round, no button."""
    with pytest.raises(AssertionError, match="needs a seat"):
        seating.next_button(Table(chips={}), ())
