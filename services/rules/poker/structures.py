"""How much may be bet and raised [poker 0.4]: one class for each value of the house rule ``betting``.

A span is (least, most) of a bet's amount or of a raise's new total, both included; None means that no amount at all
is legal. Only a seat that puts in all its chips may stay below the usual least.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

Span = tuple[int, int]

NO_LIMIT: Final = "no_limit"
POT_LIMIT: Final = "pot_limit"
FIXED_LIMIT: Final = "fixed_limit"


class NoLimit:
    """Up to all chips; a raise is at least the last full raise."""

    def unit(self, minimum: int, *, late: bool) -> int:
        """Give the smallest full bet of a betting round."""
        del late  # only fixed limit doubles its unit
        return minimum

    def mark(self, hand: "PokerRound") -> int:
        """Give what to remember of a seat's action, to tell later whether it may raise again."""
        return hand.price

    def may_raise(self, hand: "PokerRound", place: int) -> bool:
        """Whether raising is open to a place: not yet acted, or a full raise since then [poker D3]."""
        mark = hand.acted[place]
        return mark < 0 or hand.price - mark >= hand.full

    def bet(self, hand: "PokerRound", place: int) -> Span | None:
        """Give the span of an opening bet."""
        stack = hand.stacks[place]
        return self.within(hand, hand.unit, self.most_bet(hand), stack)

    def raise_to(self, hand: "PokerRound", place: int) -> Span | None:
        """Give the span of a raise, as new totals."""
        whole = hand.totals[place] + hand.stacks[place]
        if whole <= hand.price or not self.may_raise(hand, place):
            return None
        return self.within(hand, hand.price + hand.full, self.most_raise(hand, place), whole)

    def most_bet(self, hand: "PokerRound") -> int | None:
        """Give the most that may be bet; None: any amount."""
        del hand  # no limit
        return None

    def most_raise(self, hand: "PokerRound", place: int) -> int | None:
        """Give the most that may be raised to; None: any amount."""
        del hand, place  # no limit
        return None

    def within(self, hand: "PokerRound", least: int, limit: int | None, whole: int) -> Span | None:
        """Fit a span to the chips: ``whole`` is the amount of an all-in, which may be short."""
        most = whole if limit is None or limit > whole else limit
        if hand.reserve and most == whole:
            most = whole - hand.reserve
        elif most == whole and whole < least:
            return (whole, whole)
        return (least, most) if least <= most else None


class PotLimit(NoLimit):
    """Up to what has been put in so far, for a raise after calling."""

    def most_bet(self, hand: "PokerRound") -> int | None:
        """Give all chips put in so far."""
        return sum(hand.paid)

    def most_raise(self, hand: "PokerRound", place: int) -> int | None:
        """Give the price plus all chips put in so far plus what is missing to call."""
        return hand.price + sum(hand.paid) + hand.price - hand.totals[place]


class FixedLimit(NoLimit):
    """Exactly one unit more, ``raise_cap`` times a betting round."""

    def unit(self, minimum: int, *, late: bool) -> int:
        """Give the unit: the minimum bet, doubled in the late rounds."""
        return minimum * 2 if late else minimum

    def may_raise(self, hand: "PokerRound", place: int) -> bool:
        """Whether raising is open to a place and the cap is not reached."""
        return super().may_raise(hand, place) and not self._capped(hand)

    def bet(self, hand: "PokerRound", place: int) -> Span | None:
        """Give the span of an opening bet: one unit."""
        return None if self._capped(hand) else super().bet(hand, place)

    def most_bet(self, hand: "PokerRound") -> int | None:
        """Give one unit."""
        return hand.unit

    def most_raise(self, hand: "PokerRound", place: int) -> int | None:
        """Give the price plus one unit."""
        del place  # the same for all
        return hand.price + hand.unit

    def _capped(self, hand: "PokerRound") -> bool:
        return 0 < hand.rules.raise_cap <= hand.raises


STRUCTURES: Final[Mapping[str, NoLimit]] = {
    NO_LIMIT: NoLimit(),
    POT_LIMIT: PotLimit(),
    FIXED_LIMIT: FixedLimit(),
}
"""The betting structure for each value of the house rule ``betting``."""
