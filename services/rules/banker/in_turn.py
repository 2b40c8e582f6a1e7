"""Bets that players make in turn, each once (high_suit, bank)."""

from typing import ClassVar

import msgspec

from services.rules import actions
from services.rules.banker.engine import BETS, BankedRound
from services.rules.banker.turns import NOBODY
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted
from services.rules.offers import Waiting


class InTurnRound(BankedRound, kw_only=True):
    """A round with one bet of each player in turn; ``bets``: by seat, 0 for a pass."""

    turn_actions: ClassVar[tuple[type[actions.Action], ...]]

    turn: int = NOBODY
    had_turn: int = 0
    bets: dict[int, int] = msgspec.field(default_factory=dict)

    def passed_over(self, seat: int) -> bool:
        """Return whether a seat has nothing to decide when its turn comes."""
        del seat
        return False

    def silent(self, seat: int) -> actions.AnyAction:
        """Return the action taken for a seat whose deadline passes."""
        raise NotImplementedError

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Test an action of the seat whose turn it is."""
        raise NotImplementedError

    def take(self, seat: int, action: actions.Action) -> list[Happening]:
        """Carry out an action of a turn."""
        raise NotImplementedError

    def all_had_turn(self) -> list[Happening]:
        """Go on when the last player has had its turn."""
        raise NotImplementedError

    def begin_turns(self) -> list[Happening]:
        """Start with the first player in the dealing order."""
        return self.enter(BETS) + self.next_turn()

    def next_turn(self) -> list[Happening]:
        """Pass the turn on."""
        happened: list[Happening] = []
        while self.had_turn < len(self.players):
            self.turn = self.players[self.had_turn]
            if not self.passed_over(self.turn):
                self.clock += 1
                return [*happened, Noted("turn", self.turn)]
            happened.append(Noted("passed_over", self.turn))
            self.had_turn += 1
        self.turn = NOBODY
        return happened + self.all_had_turn()

    def waiting(self) -> Waiting | None:
        """Wait for the seat whose turn it is."""
        return None if self.outcome is not None else Waiting((self.turn,), self.clock, self.rules.turn_seconds)

    def check(self, seat: int, action: actions.Action) -> None:
        """Test an action of a turn."""
        if seat == self.bank.seat or not isinstance(action, self.turn_actions):
            raise self.not_now(seat, action)
        self.verify_turn(seat, self.turn)
        self.check_turn(seat, action)

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Carry out the action and pass the turn on."""
        del chance
        happened = self.take(seat, action)
        self.had_turn += 1
        return happened + self.next_turn()

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Act for the seat whose turn it is."""
        seat = self.turn
        action = self.silent(seat)
        return [Decided(seat, action), *self.do(seat, action, chance)]

    def staked_by(self, seat: int) -> int:
        """Return a player's bet."""
        return self.bets.get(seat, 0)

    def status(self, seat: int) -> str:
        """Return the status of a seat: banker, on turn, waiting, bet or passed."""
        if seat == self.bank.seat:
            return "banker"
        if seat == self.turn:
            return "turn"
        if seat not in self.bets:
            return "waiting"
        return "bet" if self.bets[seat] else "passed"
