"""A ladder: how the hands of a game of poker are ranked, high or low, whole packs or short ones.

A game names the ladders by which its pots are won: one, or two where pots are divided into a high and a low half.
"""

from collections.abc import Sequence
from typing import Protocol

from services.rules.cards import Card

HIGH = "high"
LOW = "low"
NIBBLE = 4
"""Bits of one rank in a packed strength."""


class Ladder(Protocol):
    """How hands are ranked that are made of own and table cards."""

    def strength(self, own: Sequence[Card], table: Sequence[Card]) -> int | None:
        """Return the strength of the best hand, greater is better; None: these cards make no hand of this ladder."""
        ...

    def category(self, strength: int) -> str:
        """Return the category of a strength, a word of the sheet."""
        ...

    def best(self, own: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards of the best hand, the weightiest first; ``strength`` must not be None for them."""
        ...


def packed(ranks: Sequence[int]) -> int:
    """Return ranks from the weightiest on as one number; of numbers of equal length the greater has greater ranks."""
    number = 0
    for rank in ranks:
        number = number << NIBBLE | rank
    return number
