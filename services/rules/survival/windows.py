"""Survival games in which the server turns the cards and all seats may claim at once.

A claim's time is its place in the log: claims are worked off in the order in which they arrive.
"""

from typing import Any, ClassVar

import msgspec

from services.rules import actions, illegal_actions, keys
from services.rules.chance import Chance
from services.rules.happenings import Happening, Phase
from services.rules.offers import Choice, OneOf, Option, Waiting
from services.rules.survival.engine import SurvivalGame, SurvivalRound, SurvivalRules

WINDOW = "window"


class WindowRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: the limit of flips, and how long a window stays open."""

    max_flips: keys.MaxFlips = 100
    claim_seconds: keys.ClaimSeconds = 5


class WindowRound(SurvivalRound, kw_only=True):
    """A round in windows; ``flips`` numbers the flip that shows, ``claimed`` are the seats that claimed in it."""

    claim: ClassVar[type[actions.Slap | actions.CallNickname]]
    rules: WindowRules
    flips: int = 0
    claimed: list[int] = msgspec.field(default_factory=list)

    def may_claim(self, seat: int) -> bool:
        """Return whether the seat still has a claim in this window."""
        return seat not in self.out and seat not in self.claimed

    def close(self) -> list[Happening]:
        """Close the window: seats without cards go out, then the round ends or the next cards are turned."""
        raise NotImplementedError

    def open_window(self) -> None:
        """Set the number of the flip, and allow new claims until a new deadline."""
        self.flips += 1
        self.claimed = []
        self.clock += 1

    def phase(self) -> str:
        """Return the only phase."""
        return WINDOW

    def waiting(self) -> Waiting | None:
        """Wait for the seats that may still claim; with none, only for the deadline."""
        if self.outcome is not None:
            return None
        seats = tuple(seat for seat in self.carry if self.may_claim(seat))
        return Waiting(seats=seats, clock=self.clock, seconds=self.rules.claim_seconds)

    def check(self, seat: int, action: actions.Action) -> None:
        """Refuse, without a penalty, an action that is not a claim in this window."""
        if not isinstance(action, self.claim):
            right = self.claim.__struct_config__.tag
            message = f"{action.name} is not possible now; the window is open for {right}"
            raise illegal_actions.possible(message, [str(right)])
        if seat in self.out:
            raise illegal_actions.illegal(
                f"seat {seat} is out; it plays again in the next round", illegal_actions.OUT_OF_ROUND
            )
        if action.flip not in (None, self.flips):
            message = f"flip {action.flip} is not the one that shows; the current one is {self.flips}"
            raise illegal_actions.illegal(message, illegal_actions.OLD_FLIP)
        if seat in self.claimed:
            raise illegal_actions.illegal(
                f"seat {seat} has claimed in this window; wait for the next card", illegal_actions.CLAIMED
            )

    def claims(self, arguments: dict[str, Choice]) -> list[Option]:
        """List a claim with these arguments, with and without the number of the flip."""
        name = str(self.claim.__struct_config__.tag)
        return [Option(name, {**arguments, "flip": OneOf((self.flips,))}), Option(name, arguments)]

    def offers(self, seat: int) -> list[Option]:
        """Offer each claim once: the one that names the flip, which cannot be meant for another card."""
        return [option for option in self.options(seat) if "flip" in option.arguments]

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Close the window."""
        return self.close()

    def keys(self) -> dict[str, Any]:
        """Return the number of the flip that shows."""
        return {"flips": self.flips}


class WindowGame(SurvivalGame):
    """What both games in windows share."""

    limit = "max_flips"


def opened() -> list[Happening]:
    """Record that the windows begin."""
    return [Phase(WINDOW)]
