"""Sums on the wire: fields have 64 bits, sums over a house's whole history may need more."""

from collections.abc import Iterable
from typing import Final

MOST: Final = 2**63 - 1


def fitting(value: int) -> int:
    """Return a sum limited to the bounds of its field."""
    return max(-MOST, min(MOST, value))


def note(values: Iterable[int]) -> str:
    """Return the note of a report that shows sums at their bound; "" if it shows all in full."""
    if all(value == fitting(value) for value in values):
        return ""
    return f"sums beyond {MOST} are shown as {MOST}; take a shorter span, or add up the exported ledger"
