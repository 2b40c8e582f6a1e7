"""A round of san gong against a banker: the bank is given, multiples are chosen, hands of three are compared."""

from typing import Any, Final

import msgspec

from services.rules import actions
from services.rules.banker.bank import BANKER
from services.rules.banker.engine import SHOWDOWN
from services.rules.banker.grabbed_bank import CARDS, FREE_BANK, GRAB, GrabbedBankRound, counter_clockwise
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted, Phase, Staked
from services.rules.offers import OneOf, Option, Waiting
from services.rules.ranking import san_gong
from services.rules.refusals import AMOUNT_OUT_OF_RANGE, Refused

MULTIPLES: Final = "multiples"
"""Phase in which all but the banker choose their multiples."""


class SanGongBankerRound(GrabbedBankRound, kw_only=True):
    """``multiples`` by seat; ``zero_points``: whether the banker's hand had 0 points."""

    multiples: dict[int, int] = msgspec.field(default_factory=dict)
    zero_points: bool = False

    def bank_given(self) -> list[Happening]:
        """Let the others choose their multiples."""
        return self.enter(MULTIPLES)

    # -- moves ------------------------------------------------------------------------------------------------

    def to_decide(self) -> tuple[int, ...]:
        """List the seats that have still to decide."""
        if self.outcome is not None:
            return ()
        if self.phase != MULTIPLES:
            return super().to_decide()
        return tuple(seat for seat in self.players if seat not in self.multiples)

    def waiting(self) -> Waiting | None:
        """Wait for bids, or for multiples."""
        if self.outcome is not None:
            return None
        seconds = self.rules.bet_seconds if self.phase == MULTIPLES else self.rules.turn_seconds
        return Waiting(self.to_decide(), self.clock, seconds)

    def options(self, seat: int) -> list[Option]:
        """List bid and pass, or the multiples."""
        if seat not in self.to_decide():
            return []
        if self.phase == MULTIPLES:
            return [Option("bet_multiple", {"multiple": OneOf(self.rules.multiples)})]
        return [Option("bid_banker"), Option("pass")]

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a bid, a pass or a multiple."""
        if self.phase != MULTIPLES:
            self.check_bid(seat, action)
            return
        if not isinstance(action, actions.BetMultiple) or seat not in self.to_decide():
            raise self.not_now(seat, action)
        if action.multiple not in self.rules.multiples:
            right = ", ".join(map(str, self.rules.multiples))
            raise Refused(AMOUNT_OUT_OF_RANGE, f"{action.multiple} is no multiple of this table; take one of {right}")

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a bid, a pass or a multiple."""
        if not isinstance(action, actions.BetMultiple):
            return self.bid(seat, action, chance)
        self.multiples[seat] = action.multiple
        happened: list[Happening] = [Staked(seat, "multiple", self.rules.base * action.multiple)]
        return happened + self.deal_and_compare() if len(self.multiples) == len(self.players) else happened

    def lapse(self, chance: Chance) -> list[Happening]:
        """Pass for the seats asked for the bank, or take the first multiple."""
        happened: list[Happening] = []
        for seat in self.to_decide():
            action: actions.BetMultiple | actions.Pass = actions.Pass()
            if self.phase == MULTIPLES:
                action = actions.BetMultiple(self.rules.multiples[0])
            happened += [Decided(seat, action), *self.do(seat, action, chance)]
        return happened

    # -- showdown ---------------------------------------------------------------------------------------------

    def deal_and_compare(self) -> list[Happening]:
        """Deal the missing cards counter-clockwise from the banker, show all and compare."""
        order: list[int | None] = list(counter_clockwise(list(self.carry), self.bank.seat))
        order = [None, *order] if self.bank.seat is None else order
        happened: list[Happening] = [Phase("deal"), *self.deal_to_seats(order, CARDS - self.rules.preview())]
        happened += [Phase(SHOWDOWN), *self.show(self.takers())]
        bank = san_gong.online(self.bank_hand.cards)
        self.zero_points = bank.points == 0
        happened.append(Noted("hand", self.bank.seat, {"category": bank.category, "points": bank.points}))
        reckoning = self.reckon()
        for seat in self.players:
            own, unit = san_gong.online(self.hands[seat].cards), self.rules.base * self.multiples[seat]
            happened.append(Noted("hand", seat, {"category": own.category, "points": own.points}))
            if own.key > bank.key:
                pays = unit * self.rules.multipliers[own.category]
                reckoning.won(seat, "multiple", self.staked_by(seat), pays, own.category)
            else:
                owes = unit * self.rules.multipliers[bank.category]
                reckoning.lost(seat, "multiple", self.staked_by(seat), owes, bank.category)
        return happened + self.finish(reckoning, {"banker": "house" if self.bank.seat is None else self.bank.seat})

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the banker, and whether the bank must be grabbed again."""
        del counts
        return {BANKER: self.bank.seat, FREE_BANK: self.zero_points}

    # -- what is seen -----------------------------------------------------------------------------------------

    def staked_by(self, seat: int) -> int:
        """Count the base times the multiple, or all that the seat brought if that is less."""
        return min(self.rules.base * self.multiples.get(seat, 0), self.carry[seat])

    def status(self, seat: int) -> str:
        """Say who banks, who has still to decide, who asked for the bank."""
        if seat == self.bank.seat:
            return "banker"
        if seat in self.to_decide():
            return "turn"
        if self.phase == GRAB:
            return "bidder" if self.bids[seat] else "passed"
        return "bet" if seat in self.multiples else "waiting"

    def facts(self) -> dict[str, Any]:
        """Name the banker once there is one."""
        return {} if self.bank.seat is None else {"banker": self.bank.seat}
