"""The bets of casino hold'em: an ante, which holds back the chips for a call, and a bonus beside it."""

from typing import ClassVar, Final

import msgspec

from services.rules import actions, limits
from services.rules.banker.bank import BY_HOUSE, BankRules, max_bet_faults
from services.rules.banker.engine import BankedRound, amount_within
from services.rules.game import Fault
from services.rules.happenings import Happening, Noted, Staked
from services.rules.offers import Between, OneOf, Option
from services.rules.refusals import ILLEGAL_ACTION, INSUFFICIENT_CHIPS, Refused

ANTE: Final = "ante"
BONUS: Final = "bonus"
CALL_MULTIPLE: Final = 2
MOST_SEATS: Final = 1000
"""Greatest number that ``min_seats`` and ``max_seats`` may be; 0 for the latter is no limit."""


class CasinoHoldemRules(BankRules, frozen=True, kw_only=True):
    """House rules; ``max_seats`` 0: no limit. The house banks, and the call is twice the ante."""

    players: ClassVar[tuple[int, int]] = (1, MOST_SEATS)

    min_seats: int = 1
    min_bet: int = 10
    max_bet: int = 10_000
    min_bonus: int = 1
    call_multiple: int = CALL_MULTIPLE

    def __post_init__(self) -> None:
        """Leave the numbers of seats as they are."""

    def faults(self) -> list[Fault]:
        """Check the table limits."""
        bounded = msgspec.structs.replace(self, max_seats=self.max_seats or MOST_SEATS)
        faults = limits.common(bounded, fewest=1, most=MOST_SEATS) + limits.word(self, "banker", (BY_HOUSE,))
        faults += limits.between(self, "min_bet", 1) + limits.between(self, "min_bonus", 1)
        faults += limits.between(self, "call_multiple", CALL_MULTIPLE, CALL_MULTIPLE)
        return faults + max_bet_faults(self, self.min_bet, self.max_bet)


class CasinoBetsRound(BankedRound, kw_only=True):
    """A round that opens with antes and bonuses; ``antes``, ``bonuses`` by seat; ``finished``: done betting."""

    rules: CasinoHoldemRules
    antes: dict[int, int] = msgspec.field(default_factory=dict)
    bonuses: dict[int, int] = msgspec.field(default_factory=dict)
    finished: dict[int, bool] = msgspec.field(default_factory=dict)

    def close_bets(self) -> list[Happening]:
        """Go on when all have bet."""
        raise NotImplementedError

    def betting(self) -> tuple[int, ...]:
        """List the seats that have not said that they are done."""
        return tuple(seat for seat in self.players if seat not in self.finished)

    def reserved(self, seat: int) -> int:
        """Return the chips that a seat's bets need: the ante, what is held for the call, the bonus."""
        return needed(self.antes.get(seat, 0), self.bonuses.get(seat, 0))

    def laid_on(self, seat: int, spot: str) -> int:
        """Return the chips on a spot of a seat."""
        return (self.antes if spot == ANTE else self.bonuses).get(seat, 0)

    def bet_options(self, seat: int) -> list[Option]:
        """List what may be added to the ante and to the bonus."""
        found: list[Option] = []
        ante, bonus = self.antes.get(seat, 0), self.bonuses.get(seat, 0)
        free = self.carry[seat] - self.reserved(seat)
        most_ante = free // (1 + CALL_MULTIPLE)
        if self.rules.max_bet:
            most_ante = min(most_ante, self.rules.max_bet - ante)
        bounds = {
            ANTE: (max(1, self.rules.min_bet - ante), most_ante),
            BONUS: (max(1, self.rules.min_bonus - bonus), min(free, ante - bonus)),
        }
        for spot, (least, most) in bounds.items():
            if least <= most:
                found.append(Option("place_bet", {"spot": OneOf((spot,)), "amount": Between(least, most)}))
        return found

    def check_bet(self, seat: int, action: actions.PlaceBet) -> None:
        """Test what a bet makes of the sum on its spot, and whether the chips cover all bets and the call."""
        ante, bonus = self.antes.get(seat, 0), self.bonuses.get(seat, 0)
        if action.spot not in {ANTE, BONUS}:
            raise Refused(ILLEGAL_ACTION, f"{action.spot!r} is not a spot; the spots are {ANTE} and {BONUS}")
        if action.spot == BONUS and not ante:
            raise Refused(ILLEGAL_ACTION, "a bonus needs an ante; place the ante first")
        amount_within(action.amount, 1, None)
        if action.spot == ANTE:
            ante += action.amount
            amount_within(ante, self.rules.min_bet, self.rules.max_bet or None)
        else:
            bonus += action.amount
            amount_within(bonus, self.rules.min_bonus, ante)
        stake = needed(ante, bonus)
        if stake > self.carry[seat]:
            message = f"three times the ante and the bonus are {stake} chips, and seat {seat} has {self.carry[seat]}"
            raise Refused(INSUFFICIENT_CHIPS, message)

    def lay_bet(self, seat: int, action: actions.PlaceBet) -> list[Happening]:
        """Add chips to a spot."""
        laid = self.antes if action.spot == ANTE else self.bonuses
        laid[seat] = laid.get(seat, 0) + action.amount
        return [Staked(seat, action.spot, action.amount)]

    def end_betting(self, seat: int) -> list[Happening]:
        """Note that a seat is done; the last one closes the betting."""
        self.finished[seat] = True
        happened: list[Happening] = [Noted("done", seat)]
        return happened if self.betting() else happened + self.close_bets()


def needed(ante: int, bonus: int) -> int:
    """Return the chips that an ante with its call and a bonus need."""
    return (1 + CALL_MULTIPLE) * ante + bonus
