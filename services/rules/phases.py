"""Phases: what a round is made of, and the runner that takes every round from one to the next.

A game declares a row of phases (a window for bets, a deal, turns, a showdown). A phase has no state of its own; all
state is in the round, flat. Each phase answers six questions: how does it begin, which seats are asked, what may a seat
do, what is refused, what does an action do, and what happens when the deadline passes. Happenings go into ``log``.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import happenings
from services.rules.actions import Action, AnyAction
from services.rules.chance import Chance
from services.rules.game import HouseRules, Round
from services.rules.happenings import Decided, Happening
from services.rules.offers import Option, Waiting

ENDED = "ended"
BEFORE_ALL = -1
"""Place of a round that has not begun."""

RulesT = TypeVar("RulesT", bound=HouseRules, default=HouseRules)
RoundT = TypeVar("RoundT", bound="PhasedRound[Any]")


class Phase(msgspec.Struct, Generic[RoundT], frozen=True):
    """One phase of a round; ``name`` is the word of the sheet that players see while it waits.

    A phase in which nobody decides defines ``begin`` alone. It is skipped where ``begin`` finds nothing to do.
    """

    time: ClassVar[str] = "turn_seconds"
    """The house rule that sets the time for a decision."""

    name: str = ""

    def begin(self, round_: RoundT, chance: Chance, log: list[Happening]) -> bool:
        """Carry the phase out as far as nobody must decide; True if now somebody must, False if it is over.

        Unless a phase says otherwise, it is a window that opens at once.
        """
        del chance  # nothing is drawn
        log.append(happenings.Phase(self.name))
        return True

    def asked(self, round_: RoundT) -> Sequence[int]:
        """List the seats that may decide now, in the order in which they are waited for."""
        raise NotImplementedError

    def options(self, round_: RoundT, seat: int) -> list[Option]:
        """List all that a seat of the round may do now; nothing where it is not asked."""
        raise NotImplementedError

    def verify(self, round_: RoundT, seat: int, action: Action) -> None:
        """Raise Refused if the action of a seat of an open round is not legal now."""
        raise NotImplementedError

    def do(self, round_: RoundT, seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Carry out a verified action; True if the phase is over. A new deadline starts where the clock moves."""
        raise NotImplementedError

    def on_timeout(self, round_: RoundT, chance: Chance, log: list[Happening]) -> bool:
        """Act for every seat that is asked, by ``forced``; True if the phase is over."""
        over = False
        for seat in self.asked(round_):
            action = self.forced(round_, seat)
            log.append(Decided(seat, round_.masked(action)))
            over = self.do(round_, seat, action, chance, log)
        return over

    def forced(self, round_: RoundT, seat: int) -> AnyAction:
        """Return what a seat does when its deadline passes."""
        raise NotImplementedError

    def seconds(self, round_: RoundT) -> int:
        """Return the time for a decision, in seconds."""
        seconds: int = getattr(round_.rules, self.time)
        return seconds


class OneTurn(Phase[RoundT], Generic[RoundT], frozen=True):
    """A phase in which only the seat that ``asked`` returns may act; the turn is tested before the action."""

    def options(self, round_: RoundT, seat: int) -> list[Option]:
        """List what the seat on turn may do; nothing for all others."""
        return self.offered(round_, seat) if seat in self.asked(round_) else []

    def verify(self, round_: RoundT, seat: int, action: Action) -> None:
        """Refuse a seat that is not on turn, then test the action."""
        round_.verify_turn(seat, *self.asked(round_))
        self.check(round_, seat, action)

    def offered(self, round_: RoundT, seat: int) -> list[Option]:
        """List what the seat on turn may do."""
        raise NotImplementedError

    def check(self, round_: RoundT, seat: int, action: Action) -> None:
        """Raise Refused for an action that the seat on turn may not take."""
        raise NotImplementedError


class Step(Phase[RoundT], Generic[RoundT], frozen=True, kw_only=True):
    """Something that happens by itself between the phases in which seats decide."""

    run: Callable[[RoundT, list[Happening]], None]

    def begin(self, round_: RoundT, chance: Chance, log: list[Happening]) -> bool:
        """Let it happen."""
        del chance  # a step draws nothing
        self.run(round_, log)
        return False


class PhasedRound(Round, Generic[RulesT], kw_only=True):
    """A round that is made of phases; ``at`` is the place of the current one in the row.

    ``at`` has no default, so that a round stored before it had phases is not read as one that has not begun.
    """

    phases: ClassVar[tuple[Phase[Any], ...]]

    rules: RulesT
    at: int

    @property
    def current(self) -> Phase[Any]:
        """The phase that the round is in."""
        return self.phases[self.at]

    @property
    def phase(self) -> str:
        """The name of the phase, or ``ended``."""
        return self.current.name if self.outcome is None else ENDED

    def masked(self, action: AnyAction) -> AnyAction:
        """Return an action that the house decided as everybody may see it."""
        return action

    def begin(self, chance: Chance) -> list[Happening]:
        """Go from the first phase to the first decision."""
        log: list[Happening] = []
        self.advance(chance, log)
        return log

    def advance(self, chance: Chance, log: list[Happening]) -> None:
        """Go on to the next phase that waits for a decision, or to the end; a deadline starts there.

        A phase ends the round by setting the outcome; the phases behind it are not begun then.
        """
        phases = self.phases
        while self.outcome is None:
            self.at += 1
            if phases[self.at].begin(self, chance, log):
                self.clock += 1
                return

    # -- the interface of all rounds ----------------------------------------------------------------------------

    def waiting(self) -> Waiting | None:
        """Return the seats that the phase asks; None when the round has ended."""
        if self.outcome is not None:
            return None
        phase = self.phases[self.at]
        return Waiting(tuple(phase.asked(self)), self.clock, phase.seconds(self))

    def options(self, seat: int) -> list[Option]:
        """List the legal actions of a seat; none for a seat outside the round, and none after its end."""
        if self.outcome is not None or seat not in self.carry:
            return []
        return self.phases[self.at].options(self, seat)

    def verify(self, seat: int, action: Action) -> None:
        """Raise Refused for a seat outside the round and after its end; everything else is the phase's to refuse."""
        if self.outcome is not None or seat not in self.carry:
            self.verify_open(seat)
        self.phases[self.at].verify(self, seat, action)

    def do(self, seat: int, action: Action, chance: Chance) -> list[Happening]:
        """Carry out a verified action, and go on to the next decision or the end."""
        log: list[Happening] = []
        if self.phases[self.at].do(self, seat, action, chance, log):
            self.advance(chance, log)
        return log

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Let the phase act for the seats that it asks."""
        log: list[Happening] = []
        if self.phases[self.at].on_timeout(self, chance, log):
            self.advance(chance, log)
        return log
