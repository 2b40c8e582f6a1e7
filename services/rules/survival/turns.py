"""The phase of survival games in which one seat after the other acts."""

from collections.abc import Sequence
from typing import Generic

from services.rules.phases import OneTurn
from services.rules.survival.table import RoundT

PLAY = "play"


class Turns(OneTurn[RoundT], Generic[RoundT], frozen=True):
    """Turns until the round has ended; a game's phase defines what the seat on turn may do."""

    name: str = PLAY

    def asked(self, round_: RoundT) -> Sequence[int]:
        """Return the seat on turn."""
        return (round_.turn,)
