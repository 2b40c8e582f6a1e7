"""What the bets of a banked game return to the player: exact where the game enumerates it, else simulated.

Returns are those of best play, before the fee: the fee is rounded down, and bets that hedge each other pay none, so a
game whose bets return more than 1 before the fee can be beaten after it.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

import msgspec

from services.rules.faults import Fault
from services.rules.game import Game, HouseRules

HOUSE, SEAT = "house", "seat"

EVEN: Final = Fraction(1)
MOST_FOR_BANK: Final = 0.1
"""What a seat that banks may keep of each chip, by the worst bet, before a table says so."""

Z99: Final = 2.5758293035489004
"""Half the width of a 99 % confidence interval, in standard errors."""


class BetReturn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a bet returns for each chip: ``exact`` as a fraction, or with its 99 % interval over so many ``rounds``."""

    bet: str
    returned: float
    exact: str = ""
    low: float = 0.0
    high: float = 0.0
    rounds: int = 0

    @property
    def at_most_even(self) -> bool:
        """Return whether it is shown that the bet returns no more than is staked."""
        return Fraction(self.exact) <= EVEN if self.exact else self.high <= 1

    @property
    def is_above_even(self) -> bool:
        """Return whether it is shown that the bet returns more than is staked."""
        return Fraction(self.exact) > EVEN if self.exact else self.low > 1


class Appraisal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The banker (empty: nobody) and the return of every bet."""

    banker: str = ""
    returns: tuple[BetReturn, ...] = ()

    @property
    def least(self) -> BetReturn | None:
        """The bet that returns least; None where nobody banks."""
        return min(self.returns, key=lambda one: one.returned, default=None)

    @property
    def favours_bank(self) -> bool:
        """Return whether a seat banks and keeps more than ``MOST_FOR_BANK`` of the worst bet."""
        return self.banker == SEAT and self.least is not None and self.least.returned < 1 - MOST_FOR_BANK


Simulate = Callable[[Game, HouseRules], tuple[BetReturn, ...]]


def banker_of(rules: HouseRules) -> str:
    """Return the banker under these rules; empty if there is none."""
    found: str = getattr(rules, "banker", "")
    return found


def enumerated(game: Game, rules: HouseRules) -> Appraisal | None:
    """Return the exact appraisal of rules; None where only a simulation can find a bet's return."""
    banker = banker_of(rules)
    if not banker:
        return Appraisal()
    found = game.best_returns(rules)
    if found is None:
        return None
    exact = tuple(BetReturn(bet=bet, returned=float(returned), exact=str(returned)) for bet, returned in found.items())
    return Appraisal(banker=banker, returns=exact)


def least_return(found: Appraisal) -> str:
    """Write what the worst bet returns where the rules favour a seat that banks; empty where they do not."""
    return f"{found.least.returned:.6f}" if found.favours_bank and found.least else ""


def faults(found: Appraisal) -> list[Fault]:
    """Return which bets would return more than the house can bank; nothing where it does not bank."""
    if found.banker != HOUSE:
        return []
    return [Fault(one.bet, _too_high(one)) for one in found.returns if not one.at_most_even]


def _too_high(one: BetReturn) -> str:
    if one.exact:
        return f"returns {one.returned:.6f} of each chip at best play, before the fee; the house pays at most 1"
    shown = f"returns {one.low:.4f} to {one.high:.4f} of each chip at best play, before the fee ({one.rounds} rounds)"
    return f"{shown}; it must be shown to stay at or below 1"
