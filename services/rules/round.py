"""The state of one round and the moves on it: what every engine derives its own rounds from."""

from typing import Any

from services.rules import actions
from services.rules.chance import Chance
from services.rules.choices import Choices
from services.rules.happenings import Happening
from services.rules.offers import Waiting
from services.rules.outcomes import Outcome
from services.rules.refusals import Reason, Refused
from services.rules.views import View


class Round(Choices, kw_only=True):
    """The state of one round, mutable, and the moves on it; each engine derives its own.

    All fields must be plain values that msgspec can store and load again (no references shared between fields).
    ``carry`` holds the chips of each seat in the round at its start; ``outcome`` is set when the round has ended.
    """

    carry: dict[int, int]
    button: int | None = None
    clock: int = 0
    outcome: Outcome | None = None

    def waiting(self) -> Waiting | None:
        """Return the seats and the time that the round waits for; None when it has ended."""
        raise NotImplementedError

    def verify(self, seat: int, action: actions.Action) -> None:
        """Raise Refused if the action is not legal now; the sheet gives the order of tests."""
        raise NotImplementedError

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Carry out a verified action, and all that follows by itself."""
        raise NotImplementedError

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Act by the sheet for each seat that is waited for (``Decided``), once the deadline has passed."""
        raise NotImplementedError

    def view(self, viewer: int | None) -> View:
        """Show the round to a seat, or to a spectator (None)."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Return those of the sheet's "Case keys" that are public now, with seats as numbers."""
        return {}

    def secret(self, action: actions.Action) -> bool:
        """Return whether an action's arguments stay sealed until the round has ended; the log shows its name only."""
        return False

    def leave_asked(self, seat: int) -> None:
        """Record that a seat will leave when the round is settled; most games ignore it."""

    def allow(self, seat: int, chips: int) -> None:
        """Bound what a seat may stake in this round to ``chips``; a later call may lower it.

        Nearly every game ignores it: no stake exceeds the carry, and the carry never exceeds what a seat may stake.
        A game in which chips won are staked again within the round must enforce it.
        """

    def verify_open(self, seat: int) -> None:
        """Raise Refused: NOT_SEATED for a seat outside the round, ROUND_NOT_OPEN once the round has ended."""
        if seat not in self.carry:
            message = f"seat {seat} is not in this round; its seats are {sorted(self.carry)}"
            raise Refused(Reason.NOT_SEATED, message, metadata={"seat": seat})
        if self.outcome is not None:
            raise Refused(Reason.ROUND_NOT_OPEN, "this round has ended; wait for the next one")

    def verify_turn(self, seat: int, *on_turn: int | None) -> None:
        """Raise Refused (OUT_OF_TURN) if the seat is not among those on turn."""
        if seat not in on_turn:
            turns = ", ".join(map(str, on_turn))
            message = f"it is the turn of seat {turns}, not of seat {seat}"
            raise Refused(Reason.OUT_OF_TURN, message, metadata={"turn": turns})

    def can(self, seat: int, action: actions.Action) -> bool:
        """Return whether the action would be accepted now."""
        try:
            self.verify(seat, action)
        except Refused:
            return False
        return True

    def act(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Verify, then do. Raises Refused and changes nothing where the rules do not allow the action."""
        self.verify(seat, action)
        return self.do(seat, action, chance)
