"""Survival games in which one seat after the other acts."""

from typing import Any

from services.rules import actions
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Phase
from services.rules.offers import Waiting
from services.rules.survival.engine import SurvivalRound

PLAY = "play"


class TurnRound(SurvivalRound, kw_only=True):
    """A round in turns; ``turn`` is the seat that must act now, ``turns`` counts what the limit bounds."""

    turn: int = 0
    turns: int = 0

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Raise Refused where the seat on turn may not do this."""
        raise NotImplementedError

    def forced(self) -> actions.AnyAction:
        """Return what the seat on turn does when its deadline passes."""
        raise NotImplementedError

    def begin(self, seat: int) -> None:
        """Put a seat on turn: a new deadline starts."""
        self.turn = seat
        self.clock += 1

    def phase(self) -> str:
        """Return the only phase."""
        return PLAY

    def waiting(self) -> Waiting | None:
        """Wait for the seat on turn."""
        if self.outcome is not None:
            return None
        return Waiting(seats=(self.turn,), clock=self.clock, seconds=self.rules.turn_seconds)

    def check(self, seat: int, action: actions.Action) -> None:
        """Refuse a seat that is not on turn, seats that are out included."""
        self.verify_turn(seat, self.turn)
        self.check_turn(seat, action)

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Act for the seat on turn."""
        action = self.forced()
        return [Decided(self.turn, action), *self.do(self.turn, action, chance)]

    def facts(self) -> dict[str, Any]:
        """Add whose turn it is while the round goes on."""
        return {**super().facts(), "turn": self.turn}


def opened() -> list[Happening]:
    """Record that the play begins."""
    return [Phase(PLAY)]
