"""Chance as the rules see it: an argument that shuffles, picks and throws; and a stock dealt from the top."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import msgspec

from services.rules.cards import Card

T = TypeVar("T")


class Chance(Protocol):
    """The only source of chance that rules may use; every use is committed to, sealed and replayable."""

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the pack in random order, from the top. The n-th call of a round makes stock n (0 is the first)."""
        ...

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return one of the options, each equally likely; ``what`` (``seat``, ``card``) is how scripts name it."""
        ...

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw ``count`` dice, each 1 to 6."""
        ...


class Rng(Protocol):
    """Source of chance for players that are played by a program; no rule may use it."""

    def randrange(self, stop: int, /) -> int:
        """Return a whole number from 0 to ``stop`` − 1, each equally likely."""
        ...


class Stock(msgspec.Struct):
    """A shuffled pack that is dealt from the top; ``number`` identifies it among the stocks of one round."""

    number: int
    cards: list[Card]
    next: int = 0

    def __len__(self) -> int:
        """Count the cards not yet dealt."""
        return len(self.cards) - self.next

    def deal(self) -> Card:
        """Take the top card; the stock must not be empty."""
        assert self.next < len(self.cards), "the stock is empty"
        self.next += 1
        return self.cards[self.next - 1]

    def take(self, count: int) -> tuple[tuple[int, ...], tuple[Card, ...]]:
        """Take the top cards; return their positions in the stock, and the cards."""
        first, end = self.next, self.next + count
        assert end <= len(self.cards), f"the stock is too small to deal {count} cards"
        self.next = end
        return tuple(range(first, end)), tuple(self.cards[first:end])

    def deal_around(self, hands: int, each: int) -> list[tuple[tuple[int, ...], list[Card]]]:
        """Deal ``each`` cards to so many hands, one at a time; return the positions and the cards of each hand."""
        first, end = self.next, self.next + hands * each
        assert end <= len(self.cards), f"the stock is too small to deal {hands} hands of {each} cards"
        self.next = end
        cards = self.cards
        return [(places, cards[at:end:hands]) for at, places in enumerate(_around(first, hands, each), first)]

    def rest(self) -> list[Card]:
        """List the cards not yet dealt, from the top."""
        return self.cards[self.next :]


@lru_cache(maxsize=4096)
def _around(first: int, hands: int, each: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions of each hand where ``each`` cards go to so many hands, one at a time, from ``first`` on."""
    end = first + hands * each
    return tuple([tuple(range(at, end, hands)) for at in range(first, first + hands)])
