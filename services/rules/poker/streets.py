"""What a poker hand is made of: a game declares its streets as a row of these steps.

A step has no state of its own; all state is in the round. ``begin`` answers whether the step waits for decisions.
"""

from typing import TYPE_CHECKING, ClassVar

import msgspec

from services.rules.actions import Action
from services.rules.cards import face_down
from services.rules.chance import Chance
from services.rules.happenings import Dealt, Happening
from services.rules.offers import Option

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound

HAND = "hand"
UP = "up"
DEALER_DRAW = "dealer_draw"
"""Where the cards lie by which seats draw for the dealer: no part of anybody's hand."""


class Step(msgspec.Struct, frozen=True):
    """One step of a hand; the methods after ``begin`` are those of steps in which seats decide.

    They number seats by position.
    """

    has_bank: ClassVar[bool] = True
    """Whether a single seat may spend its time bank in it."""

    @property
    def title(self) -> str:
        """The phase that players see while the step waits."""
        raise NotImplementedError

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Carry the step out as far as nobody must decide; True if now somebody must."""
        raise NotImplementedError

    def asked(self, hand: "PokerRound") -> list[int]:
        """List the positions that may decide now."""
        return [hand.turn]

    def verify(self, hand: "PokerRound", position: int, action: Action) -> None:
        """Raise Refused if the action is not legal for a position that is asked."""
        raise NotImplementedError

    def do(self, hand: "PokerRound", position: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Carry out a verified action; True if the step is over, else the clock tells if a new deadline starts."""
        raise NotImplementedError

    def options(self, hand: "PokerRound", position: int) -> list[Option]:
        """Return the options of a position to act."""
        raise NotImplementedError

    def seconds(self, hand: "PokerRound") -> int:
        """Return the time for a decision, in seconds."""
        return hand.rules.turn_seconds

    def timeout_action(self, hand: "PokerRound", position: int) -> Action:
        """Return the action of a position whose deadline passed."""
        raise NotImplementedError


class Decisions(Step, frozen=True):
    """A step in which seats decide; ``name`` is the phase that players see."""

    name: str

    @property
    def title(self) -> str:
        """Its name."""
        return self.name


class Own(Step, frozen=True):
    """Each live seat gets cards, one at a time from the left of the button."""

    zone: str
    count: int = 1

    def begin(self, hand: "PokerRound", chance: Chance, log: list[Happening]) -> bool:
        """Deal to all live seats."""
        del chance  # the pack is shuffled
        self.deal(hand, self.zone, log)
        return False

    def deal(self, hand: "PokerRound", zone: str, log: list[Happening]) -> None:
        """Deal to all live seats into a zone."""
        order, stock = hand.dealing_order(), hand.stock
        face_up = zone == UP
        hidden = face_down(self.count)
        held, seats, number = hand.up if face_up else hand.down, hand.order, stock.number
        for position, (at, dealt) in zip(order, stock.deal_around(len(order), self.count), strict=True):
            held[position] += dealt
            log.append(Dealt(seats[position], zone, number, at, tuple(dealt) if face_up else hidden))
