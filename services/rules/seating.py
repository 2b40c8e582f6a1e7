"""Who sits where: the button's way round the table [rules "Words"]."""

from collections.abc import Collection

from services.rules import chips
from services.rules.game import Table


def next_button(table: Table, seats: Collection[int]) -> int:
    """Give the round's button: the next seat to the left of the last one that is in the round.

    In the first round that counts it is the table's ``first_button``, or seat 0, or whoever of the round sits closest
    to the left of it. ``seats`` are those of the round, at least one.
    """
    assert seats, "a button needs a seat"
    if table.button is not None:
        return chips.to_the_left(seats, table.button)[0]
    first = table.first_button or 0
    return first if first in seats else chips.to_the_left(seats, first)[0]
