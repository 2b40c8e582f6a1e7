"""Partnerships: sides of a round whose seats win and lose together.

A round of such a game names the side of each seat, from 1. A side is no account: claims are between seats.
"""

from collections.abc import Mapping, Sequence

from services.rules.text import Text

Sides = dict[int, int]
"""The side of each seat; empty in a round in which every seat plays for itself."""

STATUS: tuple[str, ...] = ("side_1", "side_2")
"""The status of a seat of each side, as views show it."""

WORDS: dict[str, Text] = {
    "side_1": Text("first side", "第一方", "第一方"),
    "side_2": Text("second side", "第二方", "第二方"),
}


def opposite(order: Sequence[int]) -> Sides:
    """Return two sides of seats that sit opposite each other; ``order`` lists an even number of seats clockwise."""
    assert len(order) % 2 == 0, f"{len(order)} seats do not make two equal sides"
    return dict(sorted((seat, 1 + place % 2) for place, seat in enumerate(order)))


def members(sides: Sides, side: int) -> list[int]:
    """List the seats of a side, in seat order."""
    return sorted(seat for seat, own in sides.items() if own == side)


def totals(sides: Sides, of_seats: Mapping[int, int]) -> dict[int, int]:
    """Add up what the seats of each side have, such as tricks."""
    return {side: sum(of_seats.get(seat, 0) for seat in members(sides, side)) for side in sorted(set(sides.values()))}


def status(sides: Sides, seat: int) -> str:
    """Return the word for a seat's side."""
    return STATUS[sides[seat] - 1]
