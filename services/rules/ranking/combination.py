"""Combinations of climbing games: what a set of cards is read as, and what the engine asks of a game's combinations."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from services.rules.cards import Card


class Combination(msgspec.Struct, frozen=True, array_like=True):
    """A reading of some cards: the type, the number of cards, and a key that is greater for the better of its kind."""

    kind: str
    size: int
    key: int


class Combinations(Protocol):
    """The combinations of one game: reading them, comparing them, listing them."""

    def sort_key(self, card: Card) -> int:
        """Order cards from the lowest single to the highest."""
        ...

    def read(self, some: Sequence[Card], to_beat: Combination | None) -> Combination | None:
        """Return what the cards are read as; None where they are no combination."""
        ...

    def beats(self, new: Combination, old: Combination) -> bool:
        """Return whether ``new`` may be played on ``old``."""
        ...

    def legal(self, hand: Sequence[Card], to_beat: Combination | None) -> list[tuple[Card, ...]]:
        """List every play of a hand that beats the last one, or that may lead where there is none."""
        ...
