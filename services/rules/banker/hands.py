"""A hand on the table: cards in the order dealt, some of them face down."""

import msgspec

from services.rules.cards import HIDDEN, Card

OPEN = "open"
"""State of a hand in play; every other state is an end."""


class Hand(msgspec.Struct):
    """Cards of one hand; ``up``: whether each is face up. ``state``: the state of the hand, a word of the game."""

    cards: list[Card] = []
    up: list[bool] = []
    state: str = OPEN

    def take(self, card: Card, *, up: bool) -> None:
        """Add a card."""
        self.cards.append(card)
        self.up.append(up)

    def seen(self) -> tuple[Card, ...]:
        """Return the hand as anybody sees it."""
        return tuple(card if up else HIDDEN for card, up in zip(self.cards, self.up, strict=True))

    def known(self) -> tuple[Card, ...]:
        """Return the hand as its owner sees it."""
        return tuple(self.cards)

    def hidden(self) -> bool:
        """Return whether any card is face down."""
        return not all(self.up)

    def turn_up(self) -> None:
        """Lay all cards open."""
        self.up = [True] * len(self.cards)
