"""Hands that are played in turn, card by card, up to a limit (blackjack, ten_and_a_half)."""

from collections.abc import Sequence
from typing import ClassVar

from services.rules import actions, illegal_actions
from services.rules.banker.bets import OneBetRound
from services.rules.banker.engine import PLAY
from services.rules.banker.hands import OPEN, Hand
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Decided, Happening, Noted
from services.rules.offers import Option, Waiting
from services.rules.worth import Worth, counted

BUST = "bust"
FIVE_CARDS = "five_cards"
FULL = "full"
STOOD = "stood"

NOBODY = -1


class TurnsRound(OneBetRound, kw_only=True):
    """A round with turns; ``turn`` is the seat whose turn it is, ``had_turn`` how many players have had theirs."""

    free_from: ClassVar[int]
    """The total from which a hand need not be hit, in the game's units."""
    limit: ClassVar[int]
    """The total at which a hand ends; above it it is bust."""
    most_cards: ClassVar[int] = 5
    """So many cards without bust end a player's hand."""

    turn: int = NOBODY
    had_turn: int = 0

    def total(self, cards: Sequence[Card]) -> int:
        """Count a hand in the game's units."""
        raise NotImplementedError

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return the total of a hand."""
        del owner, zone
        return counted(self.total(cards)) if cards else None

    def players_done(self) -> list[Happening]:
        """Go on when the last player's hand has ended."""
        raise NotImplementedError

    def banker_done(self) -> list[Happening]:
        """Go on when the hand of a banker that plays has ended."""
        raise NotImplementedError

    def banker_plays(self) -> bool:
        """Return whether the banker is a seat that hits and stands as it likes."""
        return False

    # -- whose turn it is -------------------------------------------------------------------------------------

    def begin_turns(self) -> list[Happening]:
        """Start the turns with the first player in the dealing order."""
        return self.enter(PLAY) + self.next_turn()

    def next_turn(self) -> list[Happening]:
        """Pass the turn to the next hand that has not ended by itself; a hand is checked when its turn comes."""
        happened: list[Happening] = []
        order = self.bettors()
        while self.had_turn < len(order):
            seat = order[self.had_turn]
            happened += self.assess(seat)
            if self.hands[seat].state == OPEN:
                return happened + self.give_turn(seat)
            self.had_turn += 1
        self.turn = NOBODY
        return happened + self.players_done()

    def give_turn(self, seat: int) -> list[Happening]:
        """Wait for a seat's decision, with a new deadline."""
        self.turn = seat
        self.clock += 1
        return [Noted("turn", seat)]

    def hand_in_turn(self) -> Hand:
        """Return the hand whose turn it is."""
        return self.bank_hand if self.turn == self.bank.seat else self.hands[self.turn]

    def assess(self, seat: int) -> list[Happening]:
        """Look whether a hand ends by itself: bust, at five cards (not the banker's), at the limit."""
        banks = seat == self.bank.seat
        hand = self.bank_hand if banks else self.hands[seat]
        total = self.total(hand.cards)
        if total > self.limit:
            hand.state = BUST
        elif not banks and len(hand.cards) >= self.most_cards:
            hand.state = FIVE_CARDS
        elif total == self.limit:
            hand.state = FULL
        return [] if hand.state == OPEN else [Noted(hand.state, seat)]

    # -- moves ------------------------------------------------------------------------------------------------

    def turn_actions(self) -> tuple[type[actions.Action], ...]:
        """List the actions of a turn."""
        return (actions.Hit, actions.Stand)

    def waiting(self) -> Waiting | None:
        """Wait for bets, later for the seat whose turn it is."""
        if self.phase == PLAY:
            return Waiting((self.turn,), self.clock, self.rules.turn_seconds)
        return super().waiting()

    def options(self, seat: int) -> list[Option]:
        """List hit and, where the hand is high enough, stand."""
        if self.phase != PLAY:
            return super().options(seat)
        if seat != self.turn:
            return []
        return [Option("hit"), *([Option("stand")] if self.may_stand() else [])]

    def may_stand(self) -> bool:
        """Return whether the hand whose turn it is may stand."""
        return self.total(self.hand_in_turn().cards) >= self.free_from

    def check(self, seat: int, action: actions.Action) -> None:
        """Test an action of a turn, or a bet."""
        if self.phase != PLAY:
            super().check(seat, action)
            return
        if not isinstance(action, self.turn_actions()) or (seat == self.bank.seat and not self.banker_plays()):
            raise self.not_now(seat, action)
        self.verify_turn(seat, self.turn)
        if isinstance(action, actions.Stand) and not self.may_stand():
            raise illegal_actions.illegal("the hand is too low to stand; it must hit", illegal_actions.MUST_HIT)

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Hit or stand, or take a bet."""
        if self.phase != PLAY:
            return super().do(seat, action, chance)
        return self.play_action(seat, action) + self.go_on()

    def play_action(self, seat: int, action: actions.Action) -> list[Happening]:
        """Deal a card, or end the hand."""
        if isinstance(action, actions.Hit):
            return [*self.deal([(seat, self.hand_in_turn())], up=True), *self.assess(seat)]
        self.hand_in_turn().state = STOOD
        return [Noted("stand", seat)]

    def go_on(self) -> list[Happening]:
        """Go on after an action: the same hand with a new deadline, the next one, or the end of the turns."""
        if self.hand_in_turn().state == OPEN:
            self.clock += 1
            return []
        if self.turn == self.bank.seat:
            self.turn = NOBODY
            return self.banker_done()
        self.had_turn += 1
        return self.next_turn()

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Play the hand out: hit while it must, then stand."""
        if self.phase != PLAY:
            return super().on_timeout(chance)
        happened: list[Happening] = []
        seat, hand = self.turn, self.hand_in_turn()
        while hand.state == OPEN:
            action = actions.Stand() if self.may_stand() else actions.Hit()
            happened += [Decided(seat, action), *self.play_action(seat, action)]
        return happened + self.go_on()

    # -- what is seen -----------------------------------------------------------------------------------------

    def live(self) -> bool:
        """Return whether any player's hand has still to be compared with the banker's."""
        return any(hand.state not in {BUST, FIVE_CARDS} for hand in self.hands.values())

    def status(self, seat: int) -> str:
        """Add to the status of a seat the turn and how its hand ended."""
        if self.phase == PLAY and seat == self.turn:
            return "turn"
        hand = self.hands.get(seat)
        return super().status(seat) if hand is None or hand.state == OPEN else hand.state
