"""The window in which each player makes one bet or passes [banker "One bet"]."""

import msgspec

from services.rules import actions
from services.rules.banker.bank import BetRules
from services.rules.banker.engine import BETS, BankedRound, amount_within
from services.rules.banker.hands import Hand
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted, Phase, Staked
from services.rules.offers import Between, Option, Waiting
from services.rules.refusals import Reason, Refused

PASSED = 0


class OneBetRound(BankedRound, kw_only=True):
    """A round that has a window for one bet of each player; ``bets``: by seat, 0 for a seat that passed."""

    rules: BetRules
    bets: dict[int, int] = msgspec.field(default_factory=dict)

    def duty(self) -> bool:
        """Return whether every player must bet: no pass, and the least bet at the deadline."""
        return False

    def all_bet(self, chance: Chance) -> list[Happening]:
        """Go on once the window is closed and somebody bet."""
        raise NotImplementedError

    # -- the window -------------------------------------------------------------------------------------------

    def open_window(self) -> list[Happening]:
        """Open the window for bets."""
        return self.enter(BETS)

    def waiting(self) -> Waiting | None:
        """Wait for the players that have neither bet nor passed."""
        if self.outcome is not None:
            return None
        silent = tuple(seat for seat in self.players if seat not in self.bets)
        return Waiting(silent, self.clock, self.rules.bet_seconds)

    def options(self, seat: int) -> list[Option]:
        """List bet and pass for a player that has done neither."""
        if self.outcome is not None or self.phase != BETS or seat in self.bets or seat not in self.players:
            return []
        found = [] if self.duty() else [Option("pass")]
        most = self.carry[seat] // self.rules.cover
        if self.rules.max_bet:
            most = min(most, self.rules.max_bet)
        if most >= self.rules.min_bet:
            found.insert(0, Option("bet", {"amount": Between(self.rules.min_bet, most)}))
        return found

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return a bet; to split a hand, where a game has that, takes the bet once more."""
        return self.bets[seat] if isinstance(action, actions.Split) else super().cost(seat, action)

    def check(self, seat: int, action: actions.Action) -> None:
        """Test a bet or a pass of the window."""
        if self.phase != BETS or seat == self.bank.seat or seat in self.bets:
            raise self.not_now(seat, action)
        if isinstance(action, actions.Bet):
            amount_within(action.amount, self.rules.min_bet, self.rules.max_bet or None)
            covered(action.amount, self.rules.cover, self.carry[seat])
        elif self.duty() or not isinstance(action, actions.Pass):
            raise self.not_now(seat, action)

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a bet or a pass, and go on once all have done one of them."""
        happened = self.take_bet(seat, action)
        return happened + self.close(chance) if len(self.bets) == len(self.players) else happened

    def take_bet(self, seat: int, action: actions.Action) -> list[Happening]:
        """Write down a bet or a pass."""
        if isinstance(action, actions.Bet):
            self.bets[seat] = action.amount
            return [Staked(seat, "bet", action.amount)]
        self.bets[seat] = PASSED
        return [Noted("pass", seat)]

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Pass for the seats that did not act, or make the least bet where a bet is required."""
        happened: list[Happening] = []
        for seat in self.players:
            if seat not in self.bets:
                action = actions.Bet(self.rules.min_bet) if self.duty() else actions.Pass()
                happened += [Decided(seat, action), *self.take_bet(seat, action)]
        return happened + self.close(chance)

    def close(self, chance: Chance) -> list[Happening]:
        """Close the window; without any bet the round ends with no claims."""
        if not any(self.bets.values()):
            return [Noted("no_bets"), *self.finish(self.new_payouts(), counts=False)]
        return self.all_bet(chance)

    # -- after it ---------------------------------------------------------------------------------------------

    def bettors(self) -> list[int]:
        """List the players that bet, in the dealing order."""
        return [seat for seat in self.players if self.bets.get(seat)]

    def give_hands(self) -> None:
        """Put an empty hand before each player that bet."""
        self.hands = {seat: Hand() for seat in self.bettors()}

    def staked_by(self, seat: int) -> int:
        """Return a player's bet."""
        return self.bets.get(seat, 0)

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, still to bet, bet or passed."""
        if seat == self.bank.seat:
            return "banker"
        if seat not in self.bets:
            return "betting" if self.phase == BETS else "waiting"
        return "bet" if self.bets[seat] else "passed"


class ShowdownRound(OneBetRound, kw_only=True):
    """One bet, a deal, and a showdown in which each player's hand meets the bank's."""

    def all_bet(self, chance: Chance) -> list[Happening]:
        """Deal and compare at once."""
        del chance
        self.give_hands()
        happened: list[Happening] = [Phase("deal"), *self.deal_all(), Phase("showdown"), *self.show(self.takers())]
        return happened + self.compare()

    def deal_all(self) -> list[Happening]:
        """Deal the hands of the players that bet, and the bank's."""
        raise NotImplementedError

    def compare(self) -> list[Happening]:
        """Compare each player's hand with the bank's and end the round."""
        raise NotImplementedError


def covered(amount: int, cover: int, carry: int) -> None:
    """Refuse bets that the seat's carry does not cover ``cover`` times."""
    if amount * cover > carry:
        needed = f"{cover} × {amount} chips" if cover > 1 else f"{amount} chips"
        message = f"the bet needs {needed}, and the seat brought {carry}; bet less"
        raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": carry, "needed": amount * cover})
