"""Phases that games against a bank share: the window for one bet, the deal, the hands laid open."""

from collections.abc import Sequence
from typing import Any

from services.rules import actions, happenings
from services.rules.banker.bank import BetRules
from services.rules.banker.hands import Hand
from services.rules.banker.table import BETS, SHOWDOWN, BankRound, amount_within, covered
from services.rules.chance import Chance
from services.rules.happenings import Happening
from services.rules.offers import Between, Option
from services.rules.phases import Phase

BetRound = BankRound[BetRules]


class OneBet(Phase[BetRound], frozen=True):
    """The window in which each player makes one bet or passes, all at once [banker "One bet"].

    Where the rules make a bet a duty nobody may pass, and the least bet is made at the deadline.
    """

    time = "bet_seconds"

    name: str = BETS

    def asked(self, round_: BetRound) -> Sequence[int]:
        """List the players that have neither bet nor passed."""
        return [seat for seat in round_.players if seat not in round_.bets]

    def options(self, round_: BetRound, seat: int) -> list[Option]:
        """List bet and pass for a player that has done neither."""
        rules = round_.rules
        if seat in round_.bets or seat not in round_.players:
            return []
        found = [] if rules.duty else [Option("pass")]
        most = round_.carry[seat] // rules.cover
        if rules.max_bet:
            most = min(most, rules.max_bet)
        if most >= rules.min_bet:
            found.insert(0, Option("bet", {"amount": Between(rules.min_bet, most)}))
        return found

    def verify(self, round_: BetRound, seat: int, action: actions.Action) -> None:
        """Test a bet or a pass."""
        rules = round_.rules
        if seat == round_.bank.seat or seat in round_.bets:
            raise round_.not_now(seat, action)
        if isinstance(action, actions.Bet):
            amount_within(action.amount, rules.min_bet, rules.max_bet or None)
            covered(action.amount, rules.cover, round_.carry[seat])
        elif rules.duty or not isinstance(action, actions.Pass):
            raise round_.not_now(seat, action)

    def do(self, round_: BetRound, seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Take a bet or a pass; the last one closes the window. Without any bet the round ends with no claims."""
        round_.bet_or_pass(seat, action, log)
        if len(round_.bets) < len(round_.players):
            return False
        round_.end_without_bets(log)
        return True

    def forced(self, round_: BetRound, seat: int) -> actions.AnyAction:
        """Pass, or make the least bet where a bet is required."""
        return actions.Bet(round_.rules.min_bet) if round_.rules.duty else actions.Pass()


class Deal(Phase[BankRound[Any]], frozen=True):
    """Each player that bet gets ``count`` cards, face down or ``up``, the banker last."""

    count: int = 1
    up: bool = False

    def begin(self, round_: BankRound[Any], chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        log.append(happenings.Phase("deal"))
        give_hands(round_)
        round_.deal(round_.takers(), log, self.count, up=self.up)
        return False


class Reveal(Phase[BankRound[Any]], frozen=True):
    """All hands are laid open."""

    name: str = SHOWDOWN

    def begin(self, round_: BankRound[Any], chance: Chance, log: list[Happening]) -> bool:
        """Turn up every hand."""
        log.append(happenings.Phase(self.name))
        round_.show(round_.takers(), log)
        return False


def give_hands(round_: BankRound[Any]) -> None:
    """Put an empty hand before each player that bet."""
    round_.hands = {seat: Hand() for seat in round_.bettors()}
