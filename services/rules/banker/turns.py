"""Hands that are played in turn, card by card, up to a limit (blackjack, ten_and_a_half)."""

from collections.abc import Callable, Sequence
from typing import Any, Generic

from services.rules import actions, happenings, illegal_actions
from services.rules.banker.hands import OPEN, Hand
from services.rules.banker.table import NOBODY, PLAY, BankRound, BankRoundT
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted
from services.rules.offers import Option
from services.rules.phases import Phase

BUST = "bust"
FIVE_CARDS = "five_cards"
FULL = "full"
STOOD = "stood"

MOST_CARDS = 5
"""Cards that end a player's hand."""


class Turns(Phase[BankRoundT], Generic[BankRoundT], frozen=True, kw_only=True):
    """Each hand is played in turn; all numbers are in the game's units.

    ``total`` counts a hand; ``free_from``: the total from which it need not be hit; ``limit``: the total at which it
    ends, above it it is bust. Five cards without bust end a player's hand, not the banker's. ``bank_acts``: a banker
    that is a seat hits and stands as it likes, in a phase of its own.
    """

    name: str = PLAY
    total: Callable[[Sequence[Card]], int]
    free_from: int
    limit: int
    bank_acts: bool = False
    takes: tuple[type[actions.Action], ...] = (actions.Hit, actions.Stand)

    def begin(self, round_: BankRoundT, chance: Chance, log: list[Happening]) -> bool:
        """Start with the first player in the dealing order."""
        log.append(happenings.Phase(self.name))
        round_.clock += 1
        return self.pass_on(round_, log)

    def pass_on(self, round_: BankRoundT, log: list[Happening]) -> bool:
        """Pass the turn to the next hand that has not ended by itself; a hand is checked when its turn comes."""
        order = round_.bettors()
        while round_.had_turn < len(order):
            seat = order[round_.had_turn]
            self.assess(round_, seat, log)
            if round_.hands[seat].state == OPEN:
                round_.turn = seat
                log.append(Noted("turn", seat))
                return True
            round_.had_turn += 1
        round_.turn = NOBODY
        return False

    def assess(self, round_: BankRoundT, seat: int, log: list[Happening]) -> None:
        """Look whether a hand ends by itself: bust, at so many cards, at the limit."""
        banks = seat == round_.bank.seat
        hand = round_.bank_hand if banks else round_.hands[seat]
        total = self.total(hand.cards)
        if total > self.limit:
            hand.state = BUST
        elif not banks and len(hand.cards) >= MOST_CARDS:
            hand.state = FIVE_CARDS
        elif total == self.limit:
            hand.state = FULL
        if hand.state != OPEN:
            log.append(Noted(hand.state, seat))

    def asked(self, round_: BankRoundT) -> Sequence[int]:
        """Return the seat whose turn it is."""
        return (round_.turn,)

    def options(self, round_: BankRoundT, seat: int) -> list[Option]:
        """List hit and, where the hand is high enough, stand."""
        if seat != round_.turn:
            return []
        return [Option("hit"), *([Option("stand")] if self.may_stand(round_) else [])]

    def may_stand(self, round_: BankRoundT) -> bool:
        """Return whether the hand whose turn it is may stand."""
        return self.total(hand_in_turn(round_).cards) >= self.free_from

    def verify(self, round_: BankRoundT, seat: int, action: actions.Action) -> None:
        """Test an action of a turn."""
        if not isinstance(action, self.takes) or (seat == round_.bank.seat and not self.bank_acts):
            raise round_.not_now(seat, action)
        round_.verify_turn(seat, round_.turn)
        if isinstance(action, actions.Stand) and not self.may_stand(round_):
            raise illegal_actions.illegal("the hand is too low to stand; it must hit", illegal_actions.MUST_HIT)

    def do(self, round_: BankRoundT, seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Hit or stand, and go on."""
        self.play(round_, seat, action, log)
        return self.go_on(round_, log)

    def play(self, round_: BankRoundT, seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Deal a card, or end the hand."""
        if isinstance(action, actions.Hit):
            round_.deal([(seat, hand_in_turn(round_))], log, up=True)
            self.assess(round_, seat, log)
            return
        hand_in_turn(round_).state = STOOD
        log.append(Noted("stand", seat))

    def go_on(self, round_: BankRoundT, log: list[Happening]) -> bool:
        """Go on after an action: the same hand with a new deadline, the next one, or the end of the turns."""
        if hand_in_turn(round_).state != OPEN:
            round_.had_turn += 1
            if not self.pass_on(round_, log):
                return True
        round_.clock += 1
        return False

    def on_timeout(self, round_: BankRoundT, chance: Chance, log: list[Happening]) -> bool:
        """Play the hand out: hit while it must, then stand."""
        seat, hand = round_.turn, hand_in_turn(round_)
        while hand.state == OPEN:
            action = actions.Stand() if self.may_stand(round_) else actions.Hit()
            log.append(Decided(seat, action))
            self.play(round_, seat, action, log)
        return self.go_on(round_, log)


class BankTurn(Turns[BankRound[Any]], frozen=True, kw_only=True):
    """The turn of a banker that is a seat, if a hand is left to beat."""

    bank_acts: bool = True

    def begin(self, round_: BankRound[Any], chance: Chance, log: list[Happening]) -> bool:
        """Put the banker on turn."""
        if round_.bank.seat is None or not live(round_):
            return False
        round_.turn = round_.bank.seat
        log.append(Noted("turn", round_.turn))
        return True

    def pass_on(self, round_: BankRound[Any], log: list[Happening]) -> bool:
        """End the turns: nobody follows the banker."""
        round_.turn = NOBODY
        return False


def hand_in_turn(round_: BankRound[Any]) -> Hand:
    """Return the hand whose turn it is."""
    return round_.bank_hand if round_.turn == round_.bank.seat else round_.hands[round_.turn]


def live(round_: BankRound[Any]) -> bool:
    """Return whether any player's hand has still to be compared with the banker's."""
    return any(hand.state not in {BUST, FIVE_CARDS} for hand in round_.hands.values())
