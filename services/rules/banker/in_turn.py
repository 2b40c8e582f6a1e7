"""Bets that players make in turn, each once (high_suit, bank)."""

from collections.abc import Sequence
from typing import Generic

from services.rules import actions, happenings
from services.rules.banker.table import BETS, NOBODY, BankRoundT
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted
from services.rules.offers import Option
from services.rules.phases import Phase


class InTurn(Phase[BankRoundT], Generic[BankRoundT], frozen=True):
    """One bet of each player in turn, from the first in the dealing order on; ``takes`` are the actions of a turn."""

    name: str = BETS
    takes: tuple[type[actions.Action], ...] = ()

    def passed_over(self, round_: BankRoundT, seat: int) -> bool:
        """Return whether a seat has nothing to decide when its turn comes."""
        del round_, seat
        return False

    def bets(self, round_: BankRoundT, seat: int) -> list[Option]:
        """List what the seat whose turn it is may do."""
        raise NotImplementedError

    def check(self, round_: BankRoundT, seat: int, action: actions.Action) -> None:
        """Test an action of the seat whose turn it is."""
        raise NotImplementedError

    def take(self, round_: BankRoundT, seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Carry out an action of a turn."""
        raise NotImplementedError

    def begin(self, round_: BankRoundT, chance: Chance, log: list[Happening]) -> bool:
        """Start with the first player."""
        log.append(happenings.Phase(self.name))
        round_.clock += 1
        return self.pass_on(round_, log)

    def pass_on(self, round_: BankRoundT, log: list[Happening]) -> bool:
        """Pass the turn to the next player that has something to decide; False when all have had theirs."""
        while round_.had_turn < len(round_.players):
            round_.turn = round_.players[round_.had_turn]
            if not self.passed_over(round_, round_.turn):
                log.append(Noted("turn", round_.turn))
                return True
            log.append(Noted("passed_over", round_.turn))
            round_.had_turn += 1
        round_.turn = NOBODY
        return False

    def asked(self, round_: BankRoundT) -> Sequence[int]:
        """Return the seat whose turn it is."""
        return (round_.turn,)

    def options(self, round_: BankRoundT, seat: int) -> list[Option]:
        """List the bets of the seat whose turn it is."""
        return self.bets(round_, seat) if seat == round_.turn else []

    def verify(self, round_: BankRoundT, seat: int, action: actions.Action) -> None:
        """Test an action of a turn."""
        if seat == round_.bank.seat or not isinstance(action, self.takes):
            raise round_.not_now(seat, action)
        round_.verify_turn(seat, round_.turn)
        self.check(round_, seat, action)

    def do(self, round_: BankRoundT, seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Carry out the action and pass the turn on."""
        self.take(round_, seat, action, log)
        round_.had_turn += 1
        if not self.pass_on(round_, log):
            return True
        round_.clock += 1
        return False
