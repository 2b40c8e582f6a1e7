"""Sums on the wire: fields have 64 bits, sums over a house's whole history may need more."""

from collections.abc import Iterable
from typing import Final

MOST: Final = 2**63 - 1


def fitting(value: int) -> int:
    """Give a sum as its field holds it: beyond the field's bounds, the bound."""
    return max(-MOST, min(MOST, value))


def note(values: Iterable[int]) -> str:
    """Say in words that a report shows sums at their bound; "" where it shows all as they are."""
    if all(value == fitting(value) for value in values):
        return ""
    return f"sums beyond {MOST} are shown as {MOST}; take a shorter span, or add up the exported ledger"
