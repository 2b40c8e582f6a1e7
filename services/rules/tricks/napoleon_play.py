"""Napoleon's tricks: the face-down leads of the first one, the calls, the draws (tricks, ``napoleon`` 4 to 8)."""

import msgspec

from services.rules import actions, chips
from services.rules.cards import BIG_JOKER, HIDDEN, Card
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import OneOf, Option
from services.rules.ranking import tricks as ladders
from services.rules.refusals import ILLEGAL_ACTION
from services.rules.tricks import napoleon_pack as pack
from services.rules.tricks.answers import card_of, one_card, refuse
from services.rules.tricks.napoleon_auction import AuctionRound
from services.rules.tricks.state import Laid


class PlayRound(AuctionRound, kw_only=True):
    """The play of a round.

    ``call``: what the leader of this trick called; ``taken``: cards in the tricks of each seat, those that were laid
    face down apart in ``taken_down``; ``laid_down``: who laid which card face down.
    """

    call: str | None = None
    taken: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    taken_down: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    laid_down: list[Laid] = msgspec.field(default_factory=list)

    ladder = ladders.NAPOLEON

    def count(self) -> list[Happening]:
        """End the round after the last trick."""
        raise NotImplementedError

    # -- what may be played -----------------------------------------------------------------------------------

    def leads(self) -> bool:
        """Return whether the seat in turn leads: no card lies face up in the trick."""
        return all(laid.down for laid in self.trick)

    def bound(self) -> bool:
        """Return whether the seat in turn leads the first trick and is not the last to do so: no trump, no spade.

        Source: [napoleon Play 4].
        """
        return self.number == 0 and self.leads() and len(self.to_play) > 1

    def must_lay_down(self, seat: int) -> bool:
        """Return whether the seat in turn leads, and holds no card that may be led [napoleon Play 4]."""
        return self.bound() and not self.legal(seat)

    def legal(self, seat: int) -> list[Card]:
        """List the cards that may be played face up (4 to 7)."""
        hand = self.hands[seat]
        if self.bound():
            return [card for card in hand if card[1] not in {self.trump, "s"}]
        if self.leads():
            return list(hand)
        if self.call == "trumps":
            return [card for card in hand if card[1] == self.trump] or list(hand)
        if self.call == "joker":
            return [BIG_JOKER] if BIG_JOKER in hand else list(hand)
        led = self.led()
        if not any(card[1] == led for card in hand):
            return list(hand)
        return [card for card in hand if card[1] == led or card == BIG_JOKER]

    def downs(self, seat: int) -> list[Card]:
        """List the cards that may be laid face down: those worth no points, or any if all count [napoleon Play 4]."""
        hand = self.hands[seat]
        return [card for card in hand if not pack.points([card], self.trump)] or list(hand)

    def plays(self, seat: int) -> list[Option]:
        """List the cards that may be played, with the calls that go with them."""
        if self.must_lay_down(seat):
            return [Option("play_down", {"card": card_of(self.downs(seat))})]
        legal = self.legal(seat)
        calls = [
            Option("play", {"cards": one_card([card]), "call": OneOf((call,))})
            for call, card in pack.CALLS.items()
            if self.leads() and card in legal
        ]
        return [Option("play", {"cards": one_card(legal)}), *calls]

    def check_play(self, seat: int, action: actions.Action) -> None:
        """Refuse a card face up where one must lie face down, and the other way round."""
        if not self.must_lay_down(seat):
            super().check_play(seat, action)
            return
        if not isinstance(action, actions.PlayDown):
            wrong = f"{action.name} is not possible now: you hold no card that may be led to the first trick"
            refuse(ILLEGAL_ACTION, f"{wrong}; lay one face down (play_down)")
        self.check_card(seat, (action.card,), self.downs(seat))

    def check_extras(self, _seat: int, action: actions.Play) -> None:
        """Refuse a call that does not go with the card led [napoleon Play 6, Play 7]."""
        if action.sign is not None or action.next is not None:
            refuse(ILLEGAL_ACTION, "Napoleon has no sign and no next; play one card without them")
        if action.call is None:
            return
        if action.call not in pack.CALLS:
            refuse(ILLEGAL_ACTION, f"{action.call!r} cannot be called; it must be trumps or joker")
        needed = pack.CALLS[action.call]
        if not self.leads() or action.cards != (needed,):
            refuse(ILLEGAL_ACTION, f"{action.call} can be called only by leading {needed}")

    def silence(self, seat: int) -> actions.AnyAction:
        """Play the weakest card, face down where that is demanded [napoleon Play 8]."""
        if not self.asking and self.must_lay_down(seat):
            return actions.PlayDown(card=self.ladder.weakest(self.downs(seat), self.trump))
        return super().silence(seat)

    def secret(self, action: actions.Action) -> bool:
        """Return whether the card is face down."""
        return isinstance(action, actions.PlayDown)

    def masked(self, action: actions.AnyAction) -> actions.AnyAction:
        """Hide a card that is face down."""
        return actions.PlayDown(card=HIDDEN) if isinstance(action, actions.PlayDown) else action

    # -- what follows -----------------------------------------------------------------------------------------

    def lead(self, leader: int) -> None:
        """Begin a trick; nothing has been called."""
        self.call = None
        super().lead(leader)

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Lay a card face down, or play it with what is called."""
        if isinstance(action, actions.PlayDown):
            self.laid_down.append(Laid(seat, action.card, down=True))
            return [Noted("down", seat=seat), *self.play_card(seat, action.card, down=True)]
        if isinstance(action, actions.Play) and action.call is not None:
            self.call = action.call
            return [Noted("call", seat=seat, facts={"call": action.call}), *super().do(seat, action, chance)]
        return super().do(seat, action, chance)

    def play_card(self, seat: int, card: Card, *, down: bool = False) -> list[Happening]:
        """Lay a card; the seat that plays the named card face up is public from then on [napoleon Play 3]."""
        shows = card == self.named and not down
        self.known = self.known or shows
        record = super().play_card(seat, card, down=down)
        if not shows:
            return record
        return [record[0], Noted("alone" if seat == self.napoleon else "adjutant", seat=seat), *record[1:]]

    def trick_won(self, winner: int) -> list[Happening]:
        """Collect the trick and draw; the winner leads, or the next seat to the left that holds cards.

        Source: [napoleon Play 5, Play 8].
        """
        for laid in self.last_trick:
            (self.taken_down if laid.down else self.taken).setdefault(winner, []).append(laid.card)
        record = self._draw_after(winner)
        holding = self.players()
        if len(holding) == 1 and self.rules.draw == "winner":
            record += self._take_all(holding[0])
            holding = []
        if not holding:
            return [*record, *self.count()]
        self.lead(winner if winner in holding else chips.to_the_left(holding, winner)[0])
        return record

    def stock_open(self) -> bool:
        """Return whether the top card of the stock lies face up: all do but the first [napoleon Play 1, D6]."""
        return bool(self.stock) and self.stock.next > pack.CARDS_EACH * len(self.order)

    def _draw_after(self, winner: int) -> list[Happening]:
        """Draw for every seat, the winner first, or for the winner alone [napoleon Play 5, D5]."""
        others = chips.to_the_left(self.order, winner)[:-1] if self.rules.draw == "each" else []
        record: list[Happening] = []
        for seat in [winner, *others]:
            if self.stock:
                record += self._draw_one(seat)
        if self.stock_open():
            record.append(Shown(owner=None, zone="stock", cards=self.stock_shown()[:1]))
        return record

    def _draw_one(self, seat: int) -> list[Happening]:
        """Draw a card; the named one makes its seat the public adjutant, or Napoleon alone [napoleon Play 3]."""
        face_up = self.stock_open()
        record = self.draw(seat, face_up=face_up)
        if self.hands[seat][-1] != self.named:
            return record
        if seat != self.napoleon:
            self.adjutant, self.known = seat, True
            record.append(Noted("adjutant", seat=seat))
        elif face_up:
            self.known = True
            record.append(Noted("alone", seat=seat))
        return record

    def _take_all(self, seat: int) -> list[Happening]:
        """Draw the whole stock for the last seat with cards; all its cards count for it at once [napoleon Play 8]."""
        record: list[Happening] = []
        while self.stock:
            record += self._draw_one(seat)
        hand = self.hands[seat]
        self.taken.setdefault(seat, []).extend(hand)
        record.append(Shown(owner=seat, zone="hand", cards=tuple(hand)))
        self.hands[seat] = []
        return record
