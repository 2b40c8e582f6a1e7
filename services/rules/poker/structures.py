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

NOT_YET: Final = -1
NO_BET_YET: Final = -2
"""Marks of a seat that has not acted in a betting round, and of one that acted before the first full bet."""


class NoLimit:
    """Up to all chips; a raise is at least the last full raise."""

    def bet_unit(self, minimum: int, *, big_bet: bool) -> int:
        """Return the smallest full bet of a betting round."""
        del big_bet  # only fixed limit doubles its unit
        return minimum

    def may_raise(self, hand: "PokerRound", position: int) -> bool:
        """Return whether raising is open to a position: not yet acted, or a full raise since then [poker D3]."""
        mark = hand.acted[position]
        return mark < 0 or hand.to_call - mark >= hand.last_full_raise

    def bet(self, hand: "PokerRound", position: int) -> Span | None:
        """Return the span of an opening bet."""
        return self.within(hand, hand.full_bet(), self.most_bet(hand), hand.stacks[position])

    def raise_to(self, hand: "PokerRound", position: int) -> Span | None:
        """Return the span of a raise, as new totals."""
        whole = hand.totals[position] + hand.stacks[position]
        if whole <= hand.to_call or not self.may_raise(hand, position):
            return None
        return self.within(hand, hand.full_raise(), self.most_raise(hand, position), whole)

    def most_bet(self, hand: "PokerRound") -> int | None:
        """Return the most that may be bet; None: any amount."""
        del hand  # no limit
        return None

    def most_raise(self, hand: "PokerRound", position: int) -> int | None:
        """Return the most that may be raised to; None: any amount."""
        del hand, position  # no limit
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
        """Return all chips put in so far."""
        return sum(hand.paid)

    def most_raise(self, hand: "PokerRound", position: int) -> int | None:
        """Return the amount to call, plus all chips put in so far, plus what the seat still owes."""
        return hand.to_call + sum(hand.paid) + hand.to_call - hand.totals[position]


class FixedLimit(NoLimit):
    """Exactly one unit more, ``raise_cap`` times a betting round."""

    def bet_unit(self, minimum: int, *, big_bet: bool) -> int:
        """Return the unit: the minimum bet, doubled in the late rounds."""
        return minimum * 2 if big_bet else minimum

    def may_raise(self, hand: "PokerRound", position: int) -> bool:
        """Return whether raising is open to a position and the cap is not reached."""
        return super().may_raise(hand, position) and not self._capped(hand)

    def bet(self, hand: "PokerRound", position: int) -> Span | None:
        """Return the span of an opening bet: one unit."""
        return None if self._capped(hand) else super().bet(hand, position)

    def most_bet(self, hand: "PokerRound") -> int | None:
        """Return one unit, or the completion while a bring-in is due."""
        return hand.full_bet()

    def most_raise(self, hand: "PokerRound", position: int) -> int | None:
        """Return the amount to call plus one bet unit, or the completion of a bring-in."""
        del position  # the same for all
        return hand.completion or hand.to_call + hand.bet_unit

    def _capped(self, hand: "PokerRound") -> bool:
        return 0 < hand.rules.raise_cap <= hand.raises


STRUCTURES: Final[Mapping[str, NoLimit]] = {
    NO_LIMIT: NoLimit(),
    POT_LIMIT: PotLimit(),
    FIXED_LIMIT: FixedLimit(),
}
"""The betting structure for each value of the house rule ``betting``."""
