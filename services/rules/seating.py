"""Who sits where: the button's way round the table [rules "Words"]."""

from collections.abc import Collection

from services.rules import chips
from services.rules.game import Table


def next_button(table: Table, seats: Collection[int]) -> int:
    """Return the round's button: the seat of the round closest to the left of the last button.

    In the first round that counts it is the table's ``first_button`` (seat 0 if unset), or the seat of the round
    closest to the left of it. ``seats`` are those of the round, at least one.
    """
    assert seats, "a button needs a seat"
    if table.button is not None:
        return chips.to_the_left(seats, table.button)[0]
    first = table.first_button or 0
    return first if first in seats else chips.to_the_left(seats, first)[0]
