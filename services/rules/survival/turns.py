"""The phase of survival games in which one seat after the other acts."""

from collections.abc import Sequence
from typing import Generic

from services.rules import actions
from services.rules.offers import Option
from services.rules.phases import Phase
from services.rules.survival.table import RoundT

PLAY = "play"


class Turns(Phase[RoundT], Generic[RoundT], frozen=True):
    """Turns until the round has ended; a game's phase defines what the seat on turn may do."""

    name: str = PLAY

    def asked(self, round_: RoundT) -> Sequence[int]:
        """Return the seat on turn."""
        return (round_.turn,)

    def options(self, round_: RoundT, seat: int) -> list[Option]:
        """List what the seat on turn may do."""
        return self.plays(round_, seat) if seat == round_.turn else []

    def verify(self, round_: RoundT, seat: int, action: actions.Action) -> None:
        """Refuse a seat that is not on turn, seats that are out included."""
        round_.verify_turn(seat, round_.turn)
        self.check(round_, seat, action)

    def plays(self, round_: RoundT, seat: int) -> list[Option]:
        """List what the seat on turn may do."""
        raise NotImplementedError

    def check(self, round_: RoundT, seat: int, action: actions.Action) -> None:
        """Raise Refused where the seat on turn may not do this."""
        raise NotImplementedError
