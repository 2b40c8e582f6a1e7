"""Seats that are asked one after another for something else than a card of a trick; how cards are offered."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from services.rules import illegal_actions
from services.rules.actions import Action, AnyAction, Pass
from services.rules.cards import SUITS, Card
from services.rules.chance import Chance
from services.rules.happenings import Happening
from services.rules.offers import Choice, OneOf, Option, SomeOf
from services.rules.phases import OneTurn
from services.rules.refusals import Reason, Refused
from services.rules.tricks.round import TrickRound

TrickRoundT = TypeVar("TrickRoundT", bound=TrickRound[Any])


class InTurn(OneTurn[TrickRoundT], Generic[TrickRoundT], frozen=True):
    """One seat after another must act; ``to_act`` of the round lists those that are left.

    An action is tested in the order of the sheet [tricks "Common to this file"].
    """

    def asked(self, round_: TrickRoundT) -> Sequence[int]:
        """List the seat in turn."""
        return round_.to_act[:1]


class Asking(InTurn[TrickRoundT], Generic[TrickRoundT], frozen=True):
    """Seats are asked one after another; the phase is skipped where nobody is."""

    def seats(self, round_: TrickRoundT) -> Sequence[int]:
        """List the seats to be asked, in order."""
        raise NotImplementedError

    def answer(self, round_: TrickRoundT, seat: int, action: Action, log: list[Happening]) -> bool:
        """Carry out a verified answer; True if nobody else is asked after it."""
        raise NotImplementedError

    def begin(self, round_: TrickRoundT, chance: Chance, log: list[Happening]) -> bool:
        """Ask the first seat."""
        round_.to_act = list(self.seats(round_))
        return bool(round_.to_act) and super().begin(round_, chance, log)

    def do(self, round_: TrickRoundT, seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Take an answer and go on to the next seat."""
        del chance  # the pack is shuffled
        if self.answer(round_, seat, action, log):
            return True
        del round_.to_act[0]
        round_.clock += 1
        return not round_.to_act and self.answered(round_, log)

    def answered(self, round_: TrickRoundT, log: list[Happening]) -> bool:
        """Conclude once all seats have answered; True, for the phase is over."""
        del round_, log  # nothing follows in most phases
        return True

    def forced(self, round_: TrickRoundT, seat: int) -> AnyAction:
        """Pass."""
        del round_, seat  # the same for all
        return Pass()


class TwoWays(Asking[TrickRoundT], Generic[TrickRoundT], frozen=True, kw_only=True):
    """Each seat takes one of two ways; ``no`` is the deadline's."""

    yes: AnyAction
    no: AnyAction

    def offered(self, round_: TrickRoundT, seat: int) -> list[Option]:
        """Offer both ways."""
        del round_, seat  # the same for all
        return [Option(self.yes.name), Option(self.no.name)]

    def check(self, round_: TrickRoundT, seat: int, action: Action) -> None:
        """Refuse any other answer."""
        del round_, seat  # the same for all
        if action not in (self.yes, self.no):
            names = [self.yes.name, self.no.name]
            raise illegal_actions.possible(f"{action.name} is not possible now; {' or '.join(names)} is", names)

    def forced(self, round_: TrickRoundT, seat: int) -> AnyAction:
        """Take the second way."""
        del round_, seat  # the same for all
        return self.no


def check_card(hand: Sequence[Card], cards: tuple[Card, ...], legal: Iterable[Card]) -> None:
    """Refuse anything but exactly one card, held, and one of the legal ones."""
    missing = [card for card in cards if hand.count(card) < cards.count(card)]
    if missing:
        raise Refused(Reason.CARD_NOT_HELD, f"you do not hold {missing[0]}; choose one of your own cards")
    allowed = list(legal)
    if len(cards) != 1 or cards[0] not in allowed:
        given = " ".join(cards) or "no card"
        raise Refused(
            Reason.ILLEGAL_CARDS, f"{given} is not possible now; it must be exactly one of {' '.join(allowed)}"
        )


def one_card(cards: Iterable[Card]) -> Choice:
    """Offer exactly one of the cards as the argument ``cards``."""
    return SomeOf(cards=by_suit(cards), least=1, most=1)


def card_of(cards: Iterable[Card]) -> Choice:
    """Offer one of the cards as an argument that names a single card."""
    return OneOf(by_suit(cards))


def by_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in an order that reveals nothing about the deal."""
    return tuple(sorted(cards, key=lambda card: (SUITS.find(card[1]), card)))
