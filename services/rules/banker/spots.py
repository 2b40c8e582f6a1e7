"""The window in which players lay any number of bets on spots [banker "Spots"].

Each call costs the same, however many seats are at the table.
"""

from typing import Any

import msgspec

from services.rules import actions, illegal_actions
from services.rules.banker.bank import BetRules
from services.rules.banker.bets import covered
from services.rules.banker.engine import BETS, BankedRound, amount_within
from services.rules.banker.payouts import Payouts
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted, Staked
from services.rules.offers import Between, OneOf, Option, Waiting


class SpotsRound(BankedRound, kw_only=True):
    """A round of bets on spots; ``bets``: by seat and spot, ``totals``: by seat, ``finished``: seats that sent done."""

    rules: BetRules
    bets: dict[int, dict[str, int]] = msgspec.field(default_factory=dict)
    totals: dict[int, int] = msgspec.field(default_factory=dict)
    finished: dict[int, bool] = msgspec.field(default_factory=dict)

    def spots(self) -> tuple[str, ...]:
        """List the spots, in the sheet's order."""
        raise NotImplementedError

    def play_out(self) -> tuple[list[Happening], Payouts]:
        """Turn the cards and decide every bet."""
        raise NotImplementedError

    def outcome_facts(self, payouts: Payouts) -> dict[str, Any]:
        """Return the case keys of the ended round."""
        del payouts
        return {}

    def open_window(self) -> list[Happening]:
        """Open the window for bets."""
        return self.enter(BETS)

    def waiting(self) -> Waiting | None:
        """Wait for the seats that have not sent done."""
        if self.outcome is not None:
            return None
        betting = tuple(seat for seat in self.players if seat not in self.finished)
        return Waiting(betting, self.clock, self.rules.bet_seconds)

    def options(self, seat: int) -> list[Option]:
        """List the spots with what may be added to each, and done."""
        if self.outcome is not None or seat in self.finished or seat not in self.carry or seat == self.bank.seat:
            return []
        free = self.carry[seat] // self.rules.cover - self.totals.get(seat, 0)
        laid = self.bets.get(seat, {})
        by_most: dict[int, list[str]] = {}
        for spot in self.spots():
            most = min(free, self.rules.max_bet - laid.get(spot, 0)) if self.rules.max_bet else free
            if most >= self.rules.min_bet:
                by_most.setdefault(most, []).append(spot)
        found = [
            Option("place_bet", {"spot": OneOf(tuple(spots)), "amount": Between(self.rules.min_bet, most)})
            for most, spots in by_most.items()
        ]
        return [*found, Option("done")]

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a bet on a spot, or done."""
        if seat == self.bank.seat or seat in self.finished:
            raise self.not_now(seat, action)
        if isinstance(action, actions.Done):
            return
        if not isinstance(action, actions.PlaceBet):
            raise self.not_now(seat, action)
        if action.spot not in self.spots():
            right = ", ".join(self.spots())
            raise illegal_actions.illegal(
                f"{action.spot!r} is not a spot; the spots are {right}", illegal_actions.NO_SPOT
            )
        laid = self.bets.get(seat, {}).get(action.spot, 0)
        # A bet has its own least amount; the greatest one is for all bets of the seat on the spot together.
        amount_within(action.amount, self.rules.min_bet, self.rules.max_bet - laid if self.rules.max_bet else None)
        covered(self.totals.get(seat, 0) + action.amount, self.rules.cover, self.carry[seat])

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Lay a bet, or end the seat's betting; the last done closes the window."""
        del chance
        if isinstance(action, actions.PlaceBet):
            laid = self.bets.setdefault(seat, {})
            laid[action.spot] = laid.get(action.spot, 0) + action.amount
            self.totals[seat] = self.totals.get(seat, 0) + action.amount
            return [Staked(seat, action.spot, action.amount)]
        self.finished[seat] = True
        happened: list[Happening] = [Noted("done", seat)]
        return happened + self.close() if len(self.finished) == len(self.players) else happened

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """End the betting of all seats; the bets placed so far stand."""
        del chance
        happened: list[Happening] = [
            Decided(seat, actions.Done()) for seat in self.players if seat not in self.finished
        ]
        self.finished = dict.fromkeys(self.players, True)
        return happened + self.close()

    def close(self) -> list[Happening]:
        """Close the window and play; without any bet no card is turned and the round does not count."""
        payouts = self.new_payouts()
        if not self.totals:
            return [Noted("no_bets"), *self.finish(payouts, self.outcome_facts(payouts), counts=False)]
        happened, payouts = self.play_out()
        return happened + self.finish(payouts, self.outcome_facts(payouts))

    def staked_by(self, seat: int) -> int:
        """Return the sum of a seat's bets."""
        return self.totals.get(seat, 0)

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, betting or done."""
        if seat == self.bank.seat:
            return "banker"
        return "done" if seat in self.finished else "betting"
