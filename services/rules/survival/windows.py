"""The phase of survival games in which the server turns the cards and all seats may claim at once.

A claim's time is its place in the log: claims are worked off in the order in which they arrive.
"""

from collections.abc import Sequence
from typing import Any, Generic

from typing_extensions import TypeVar

from services.rules import actions, illegal_actions, keys
from services.rules.chance import Chance
from services.rules.happenings import Happening
from services.rules.offers import Choice, OneOf, Option
from services.rules.phases import Phase
from services.rules.survival.table import SurvivalRound, SurvivalRules

WINDOW = "window"


class WindowRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: the limit of flips, and how long a window stays open."""

    max_flips: keys.MaxFlips = 100
    claim_seconds: keys.ClaimSeconds = 5


WindowT = TypeVar("WindowT", bound=SurvivalRound[Any])


class Windows(Phase[WindowT], Generic[WindowT], frozen=True, kw_only=True):
    """One window after the other, until the round has ended; ``claim`` is the action that claims."""

    time = "claim_seconds"

    name: str = WINDOW
    claim: type[actions.Slap | actions.CallNickname]

    def may_claim(self, round_: WindowT, seat: int) -> bool:
        """Return whether the seat still has a claim in this window."""
        return seat not in round_.out and seat not in round_.claimed

    def claims(self, round_: WindowT, seat: int) -> dict[str, Choice]:
        """Return the arguments that a claim may have beside the number of the flip."""
        del round_, seat
        return {}

    def close(self, round_: WindowT, log: list[Happening]) -> None:
        """Close the window: seats without cards go out, then the round ends or the next cards are turned."""
        raise NotImplementedError

    def asked(self, round_: WindowT) -> Sequence[int]:
        """List the seats that may still claim; with none, only the deadline is waited for."""
        return [seat for seat in round_.carry if self.may_claim(round_, seat)]

    def options(self, round_: WindowT, seat: int) -> list[Option]:
        """List a claim, with and without the number of the flip."""
        if not self.may_claim(round_, seat):
            return []
        name, arguments = str(self.claim.__struct_config__.tag), self.claims(round_, seat)
        return [Option(name, {**arguments, "flip": OneOf((round_.flips,))}), Option(name, arguments)]

    def verify(self, round_: WindowT, seat: int, action: actions.Action) -> None:
        """Refuse, without a penalty, an action that is not a claim in this window."""
        if not isinstance(action, self.claim):
            right = self.claim.__struct_config__.tag
            message = f"{action.name} is not possible now; the window is open for {right}"
            raise illegal_actions.possible(message, [str(right)])
        if seat in round_.out:
            raise illegal_actions.illegal(
                f"seat {seat} is out; it plays again in the next round", illegal_actions.OUT_OF_ROUND
            )
        if action.flip not in (None, round_.flips):
            message = f"flip {action.flip} is not the one that shows; the current one is {round_.flips}"
            raise illegal_actions.illegal(message, illegal_actions.OLD_FLIP)
        if seat in round_.claimed:
            raise illegal_actions.illegal(
                f"seat {seat} has claimed in this window; wait for the next card", illegal_actions.CLAIMED
            )

    def on_timeout(self, round_: WindowT, chance: Chance, log: list[Happening]) -> bool:
        """Close the window; the next one has a deadline of its own."""
        self.close(round_, log)
        round_.clock += 1
        return round_.outcome is not None


def next_flip(round_: SurvivalRound[Any]) -> None:
    """Set the number of the flip, and allow new claims."""
    round_.flips += 1
    round_.claimed = []
