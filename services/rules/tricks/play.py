"""Playing tricks: following suit, the trick, its winner, deadlines [tricks "Common to this file"].

A game derives its play from ``Tricks`` and says in ``won`` what a trick brings and which seat leads next.
"""

from typing import Generic

from services.rules import actions, chips, happenings, illegal_actions
from services.rules.actions import Action, AnyAction
from services.rules.cards import Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.tricks.questions import InTurn, TrickRoundT, check_card, one_card
from services.rules.tricks.round import Laid


class Tricks(InTurn[TrickRoundT], Generic[TrickRoundT], frozen=True):
    """Tricks one after another, until ``won`` names no next leader."""

    name: str = "play"

    # -- what a game says of its play --------------------------------------------------------------------------

    def leader(self, round_: TrickRoundT) -> int:
        """Return the seat that leads to the first trick: the one left of the button."""
        return round_.order[0]

    def players(self, round_: TrickRoundT) -> list[int]:
        """List the seats that take part in the next trick, in the round's order: those that hold cards."""
        return round_.holding()

    def legal(self, round_: TrickRoundT, seat: int) -> list[Card]:
        """List the cards that a seat in turn may play: those of the led suit, or any."""
        hand, led = round_.hands[seat], self.led(round_)
        if led is None:
            return list(hand)
        suit, trump = round_.ladder.suit, round_.trump
        return [card for card in hand if suit(card, trump) == led] or list(hand)

    def cut_short(self, round_: TrickRoundT) -> bool:
        """Return whether the trick is over although seats have not played to it."""
        del round_  # only some games cut tricks short
        return False

    def won(self, round_: TrickRoundT, winner: int, log: list[Happening]) -> int | None:
        """Do what a finished trick brings, and return the next leader; None: the play is over.

        ``last_trick`` holds the trick, ``number`` counts it, ``tricks`` counts it for its winner.
        """
        raise NotImplementedError

    def check_extras(self, round_: TrickRoundT, action: actions.Play) -> None:
        """Refuse arguments that the game does not have."""
        del round_  # a game that has some looks at it
        if (action.call, action.sign, action.next) != (None, None, None):
            raise illegal_actions.illegal(
                "this game has no call, sign or next; play one card without them", illegal_actions.CARDS_ALONE
            )

    # -- the course of a trick ---------------------------------------------------------------------------------

    def led(self, round_: TrickRoundT) -> str | None:
        """Return the suit that was led in this trick; None before."""
        for laid in round_.trick:
            if not laid.down:
                return round_.ladder.suit(laid.card, round_.trump)
        return None

    def begin(self, round_: TrickRoundT, chance: Chance, log: list[Happening]) -> bool:
        """Let the first seat lead."""
        del chance  # the pack is shuffled
        round_.number, round_.trick, round_.last_trick = 0, [], []
        log.append(happenings.Phase(self.name))
        self.lead(round_, self.leader(round_))
        return True

    def lead(self, round_: TrickRoundT, leader: int) -> None:
        """Begin a trick with a seat that holds cards."""
        ring = chips.to_the_left(self.players(round_), leader)
        assert ring[-1] == leader, f"seat {leader} cannot lead, it has no part in the trick"
        round_.to_act = [leader, *ring[:-1]]
        round_.trick = []

    def offered(self, round_: TrickRoundT, seat: int) -> list[Option]:
        """List the cards that a seat may play."""
        return [Option("play", {"cards": one_card(self.legal(round_, seat))})]

    def check(self, round_: TrickRoundT, seat: int, action: Action) -> None:
        """Refuse anything but one card that may be played now."""
        if not isinstance(action, actions.Play):
            raise illegal_actions.illegal(f"{action.name} is not possible now; play a card", illegal_actions.PLAY_CARD)
        self.check_extras(round_, action)
        check_card(round_.hands[seat], action.cards, self.legal(round_, seat))

    def do(self, round_: TrickRoundT, seat: int, action: Action, chance: Chance, log: list[Happening]) -> bool:
        """Play a card."""
        del chance  # the pack is shuffled
        assert isinstance(action, actions.Play), f"{action.name} passed the tests of a play"
        card = action.cards[0]
        log.append(Shown(owner=seat, zone="hand", cards=(card,)))
        return self.lay(round_, Laid(seat, card), log)

    def lay(self, round_: TrickRoundT, laid: Laid, log: list[Happening]) -> bool:
        """Lay a card into the trick; where it was the last one, the trick goes to its winner."""
        round_.hands[laid.seat].remove(laid.card)
        round_.trick.append(laid)
        del round_.to_act[0]
        round_.clock += 1
        if round_.to_act and not self.cut_short(round_):
            return False
        winner = self.winner(round_)
        round_.last_trick, round_.trick, round_.to_act = round_.trick, [], []
        round_.number += 1
        round_.tricks[winner] = round_.tricks.get(winner, 0) + 1
        log.append(Noted("trick", seat=winner, facts={"number": round_.number}))
        following = self.won(round_, winner, log)
        if following is None:
            return True
        self.lead(round_, following)
        round_.clock += 1
        return False

    def winner(self, round_: TrickRoundT) -> int:
        """Return the seat whose card is winning the trick."""
        led, trump, strength = self.led(round_), round_.trump, round_.ladder.strength
        face_up = [laid for laid in round_.trick if not laid.down]
        return max(face_up, key=lambda laid: strength(laid.card, led, trump)).seat

    def forced(self, round_: TrickRoundT, seat: int) -> AnyAction:
        """Play the weakest card."""
        return actions.Play(cards=(round_.ladder.weakest(self.legal(round_, seat), round_.trump),))
