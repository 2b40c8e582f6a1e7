"""The mechanics of all trick games: following suit, the trick, its winner, deadlines [tricks "Common to this file"].

A game derives a round from ``TrickRound``, names its ladder and says in ``trick_won`` what a trick brings. Phases in
which seats are asked one after another for something else than a card use ``asking``.
"""

from collections.abc import Iterable
from typing import ClassVar

from services.rules import actions, chips, illegal_actions
from services.rules.cards import Card, face_down
from services.rules.chance import Chance
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shown
from services.rules.offers import Option, Waiting
from services.rules.ranking import tricks as ladders
from services.rules.refusals import Reason, Refused
from services.rules.tricks.answers import one_card
from services.rules.tricks.state import PLAY, Laid, TrickState


class TrickRound(TrickState, kw_only=True):
    """A round of a trick game: legal actions and their effects."""

    ladder: ClassVar[ladders.Ladder] = ladders.PLAIN

    # -- what a game says of itself ---------------------------------------------------------------------------

    def players(self) -> list[int]:
        """List the seats that take part in the next trick, in the round's order: those that hold cards."""
        return [seat for seat in self.order if self.hands[seat]]

    def led(self) -> str | None:
        """Return the suit that was led in this trick; None before, and where any card may follow."""
        face_up = [laid for laid in self.trick if not laid.down]
        return self.ladder.suit(face_up[0].card, self.trump) if face_up else None

    def legal(self, seat: int) -> list[Card]:
        """List the cards that a seat in turn may play: those of the led suit, or any."""
        hand, led = self.hands[seat], self.led()
        following = [card for card in hand if self.ladder.suit(card, self.trump) == led]
        return following or list(hand)

    def cut_short(self) -> bool:
        """Return whether the trick is over although seats have not played to it."""
        return False

    def trick_won(self, winner: int) -> list[Happening]:
        """Do what a finished trick brings; ``last_trick`` holds it, ``number`` counts it."""
        raise NotImplementedError

    def answers(self, seat: int) -> list[Option]:
        """Return the possible answers of a seat that is asked."""
        raise NotImplementedError

    def check_answer(self, seat: int, action: actions.Action) -> None:
        """Refuse an answer that is not possible; whose turn it is has been tested."""
        raise NotImplementedError

    def answer(self, seat: int, action: actions.Action) -> list[Happening]:
        """Carry out an answer of the seat that is asked."""
        raise NotImplementedError

    def silence(self, seat: int) -> actions.AnyAction:
        """Return the action that a passed deadline takes: the weakest card in play, a pass where a seat is asked."""
        if self.asking:
            return actions.Pass()
        return actions.Play(cards=(self.ladder.weakest(self.legal(seat), self.trump),))

    # -- waiting and refusing ---------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """The seat that must act now."""
        return self.asking[0] if self.asking else self.to_play[0] if self.to_play else None

    def waiting(self) -> Waiting | None:
        """Return whose turn it is; None when the round has ended."""
        turn = self.turn
        if self.outcome is not None:
            return None
        assert turn is not None, "an open round waits for somebody"
        return Waiting(seats=(turn,), clock=self.clock, seconds=self.rules.turn_seconds)

    def options(self, seat: int) -> list[Option]:
        """List what the seat in turn may do; nothing for all others."""
        if self.outcome is not None or seat != self.turn:
            return []
        return self.answers(seat) if self.asking else self.plays(seat)

    def plays(self, seat: int) -> list[Option]:
        """List the cards that a seat may play."""
        return [Option("play", {"cards": one_card(self.legal(seat))})]

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test an action in the order of the sheet [tricks "Common to this file"]."""
        self.verify_open(seat)
        self.verify_turn(seat, self.turn)
        if self.asking:
            self.check_answer(seat, action)
        else:
            self.check_play(seat, action)

    def check_play(self, seat: int, action: actions.Action) -> None:
        """Refuse anything but one card that may be played now."""
        if not isinstance(action, actions.Play):
            raise illegal_actions.illegal(f"{action.name} is not possible now; play a card", illegal_actions.PLAY_CARD)
        self.check_extras(seat, action)
        self.check_card(seat, action.cards, self.legal(seat))

    def check_extras(self, _seat: int, action: actions.Play) -> None:
        """Refuse arguments that the game does not have."""
        if (action.call, action.sign, action.next) != (None, None, None):
            raise illegal_actions.illegal(
                "this game has no call, sign or next; play one card without them", illegal_actions.CARDS_ALONE
            )

    def check_card(self, seat: int, cards: tuple[Card, ...], legal: Iterable[Card]) -> None:
        """Refuse anything but exactly one card, held, and one of the legal ones."""
        hand = self.hands[seat]
        missing = [card for card in cards if hand.count(card) < cards.count(card)]
        if missing:
            raise Refused(Reason.CARD_NOT_HELD, f"you do not hold {missing[0]}; choose one of your own cards")
        allowed = list(legal)
        if len(cards) != 1 or cards[0] not in allowed:
            given = " ".join(cards) or "no card"
            raise Refused(
                Reason.ILLEGAL_CARDS, f"{given} is not possible now; it must be exactly one of {' '.join(allowed)}"
            )

    # -- moving -----------------------------------------------------------------------------------------------

    def do(
        self,
        seat: int,
        action: actions.Action,
        chance: Chance,
    ) -> list[Happening]:
        """Carry out a verified action, and what follows by itself."""
        if self.asking:
            return self.answer(seat, action)
        assert isinstance(action, actions.Play), f"{action.name} passed the tests of a play"
        return self.play_card(seat, action.cards[0])

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Act for the seat in turn, by the sheet, once the deadline has passed."""
        seat = self.turn
        assert seat is not None, "there is no deadline in a round that has ended"
        action = self.silence(seat)
        return [Decided(seat=seat, action=self.masked(action)), *self.act(seat, action, chance)]

    def masked(self, action: actions.AnyAction) -> actions.AnyAction:
        """Return an action as everybody may see it."""
        return action

    def ask(self, phase: str, seats: Iterable[int]) -> list[Happening]:
        """Begin a phase in which seats are asked one after another."""
        self.phase, self.asking = phase, list(seats)
        self.clock += 1
        return [Phase(phase)]

    def answered(self) -> bool:
        """Go on to the next seat that is asked; False when all have been."""
        del self.asking[0]
        self.clock += 1
        return bool(self.asking)

    def begin_play(self, leader: int, phase: str = PLAY) -> list[Happening]:
        """Begin the phase in which cards are played."""
        self.phase, self.asking = phase, []
        self.lead(leader)
        return [Phase(phase)]

    def lead(self, leader: int) -> None:
        """Begin a trick with a seat that holds cards."""
        ring = chips.to_the_left(self.players(), leader)
        assert ring[-1] == leader, f"seat {leader} cannot lead, it has no part in the trick"
        self.to_play = [leader, *ring[:-1]]
        self.trick = []
        self.clock += 1

    def play_card(self, seat: int, card: Card, *, down: bool = False) -> list[Happening]:
        """Lay a card into the trick; where it was the last one, the trick goes to its winner."""
        self.hands[seat].remove(card)
        self.trick.append(Laid(seat, card, down))
        del self.to_play[0]
        self.clock += 1
        record: list[Happening] = [] if down else [Shown(owner=seat, zone="hand", cards=(card,))]
        if self.to_play and not self.cut_short():
            return record
        return [*record, *self._finish_trick()]

    def _finish_trick(self) -> list[Happening]:
        winner = self.winner()
        self.last_trick, self.trick, self.to_play = self.trick, [], []
        self.number += 1
        return [Noted("trick", seat=winner, facts={"number": self.number}), *self.trick_won(winner)]

    def winner(self) -> int:
        """Return the seat whose card is winning the trick."""
        led = self.led()
        face_up = [laid for laid in self.trick if not laid.down]
        return max(face_up, key=lambda laid: self.ladder.strength(laid.card, led, self.trump)).seat

    def draw(self, seat: int, *, face_up: bool = False) -> list[Happening]:
        """Deal the top card of the stock to a seat."""
        position, card = self.stock.next, self.stock.deal()
        self.hands[seat].append(card)
        shown = (card,) if face_up else face_down(1)
        return [Dealt(to=seat, zone="hand", stock=self.stock.number, positions=(position,), cards=shown)]
