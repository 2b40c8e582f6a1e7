"""Napoleon's pack, the auction of points and trumps, and the alliances (tricks, ``napoleon`` 1 to 3)."""

from collections.abc import Iterable
from typing import Any, Final

from services.rules import actions, game, illegal_actions, keys
from services.rules.cards import BIG_JOKER, PACK_52, SUITS, Card, face_down
from services.rules.happenings import Happening, Noted
from services.rules.offers import Between, OneOf, Option
from services.rules.ranking.tricks import ACE_OF_SPADES
from services.rules.refusals import Reason, Refused
from services.rules.tricks import keys as tricks_keys
from services.rules.tricks.answers import card_of
from services.rules.tricks.engine import TrickRound

BIDDING: Final = "bidding"
NAMING: Final = "naming"

REMOVED: Final[dict[int, tuple[Card, ...]]] = {
    4: ("2c",),
    5: ("2c", "2h", "2d"),
    6: ("2s", "2h", "2d", "2c", "3h"),
    7: ("2s", "2h", "2d", "2c"),
}
"""Cards that are left out, by the number of seats [napoleon D1]."""

PACKS: Final[dict[int, tuple[Card, ...]]] = {
    seats: tuple(card for card in (*PACK_52, BIG_JOKER) if card not in removed) for seats, removed in REMOVED.items()
}

CARDS_EACH: Final = 4
ADJUTANT_FROM: Final = 6
"""Seats from which on Napoleon names an adjutant [napoleon Play 3]."""

HONOURS: Final = "AKQJT"
JOKER_CALLER: Final = "3c"
CALLS: Final[dict[str, Card]] = {"trumps": BIG_JOKER, "joker": JOKER_CALLER}
"""What may be called, and the card that must be led for it [napoleon Play 6, Play 7, D2]."""


class NapoleonRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``base`` chips, ``min_bid`` card points, ``draw`` each or winner.

    Source: [napoleon D8; napoleon D7; napoleon D5].
    """

    base: keys.Base = 10
    min_bid: tricks_keys.MinBid = 40
    draw: tricks_keys.Draw = "each"
    min_seats: int = 4
    max_seats: int = 7


def points(cards: Iterable[Card], trump: str | None) -> int:
    """Count card points: 15 for the ace of spades, 10 for other trump honours, 1 for all other honours.

    Source: [napoleon D3].
    """
    total = 0
    for card in cards:
        if card == ACE_OF_SPADES:
            total += 15
        elif card[0] in HONOURS:
            total += 10 if card[1] == trump else 1
    return total


def highest_bid(trump: str) -> int:
    """Return all points that there are with these trumps: 70 with spades, 79 otherwise."""
    return points(PACK_52, trump)


class AuctionRound(TrickRound, kw_only=True):
    """The bids of a round, and what is known of Napoleon and his adjutant.

    ``bid``, ``bid_trump``, ``bidder``: the highest bid so far; ``napoleon``: its bidder once the bidding is over.
    ``named``: the adjutant's card; ``adjutant``: the seat that holds it; ``known``: whether that is public.
    """

    rules: NapoleonRules
    bid: int = 0
    bid_trump: str | None = None
    bidder: int | None = None
    napoleon: int | None = None
    named: Card | None = None
    adjutant: int | None = None
    known: bool = False

    def least_bid(self) -> int:
        """Return the points that the next bid needs: more than every bid before."""
        return max(self.rules.min_bid, self.bid + 1)

    def answers(self, _seat: int) -> list[Option]:
        """Offer every higher bid, by how far its trumps go; or every card of the pack for the adjutant's."""
        if self.phase == NAMING:
            return [Option("name_adjutant", {"card": card_of(PACKS[len(self.order)])})]
        least = self.least_bid()
        bids = [
            Option("bid", {"points": Between(least, most), "trump": OneOf(suits)})
            for suits, most in ((("h", "d", "c"), highest_bid("h")), (("s",), highest_bid("s")))
            if least <= most
        ]
        return [*bids, Option("pass")]

    def check_answer(self, _seat: int, action: actions.Action) -> None:
        """Refuse an action that is not a bid, or a card that is not in the pack."""
        if self.phase == NAMING:
            self._check_naming(action)
        elif not isinstance(action, actions.Pass):
            self._check_bid(action)

    def _check_naming(self, action: actions.Action) -> None:
        if not isinstance(action, actions.NameAdjutant):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; name the adjutant's card (name_adjutant)",
                illegal_actions.NAME_ADJUTANT,
            )
        if action.card not in PACKS[len(self.order)]:
            raise Refused(
                Reason.ILLEGAL_CARDS, f"{action.card} is not in the pack with {len(self.order)} seats; name another"
            )

    def _check_bid(self, action: actions.Action) -> None:
        if not isinstance(action, actions.Bid):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; bid points with a trump suit, or pass", illegal_actions.BID_TRUMPS
            )
        if action.trump is None or action.trump not in tuple(SUITS):
            raise illegal_actions.illegal(
                f"{action.trump!r} is not a trump suit; it must be one of s, h, d, c", illegal_actions.TRUMP_SUIT
            )
        least, most = self.least_bid(), highest_bid(action.trump)
        if not least <= action.points <= most:
            bounds = (
                f"from {least} to {most}" if least <= most else f"{least} or more, and these trumps have only {most}"
            )
            message = f"{action.points} points cannot be bid now; it must be {bounds}"
            # A suit in which no bid is left bounds nothing: another one may have room.
            told = {"least": least, "greatest": most} if least <= most else {"least": least}
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata=told)

    def answer(self, seat: int, action: actions.Action) -> list[Happening]:
        """Take a bid, a pass or the adjutant's card."""
        if isinstance(action, actions.NameAdjutant):
            return self._name(seat, action.card)
        record: list[Happening] = []
        if isinstance(action, actions.Bid):
            self.bid, self.bid_trump, self.bidder = action.points, action.trump, seat
            record = [Noted("bid", seat=seat, facts={"points": action.points, "trump": action.trump})]
        return record if self.answered() else [*record, *self._close()]

    def _close(self) -> list[Happening]:
        """Make the highest bidder Napoleon; without a bid the round has ended [napoleon Play 2]."""
        if self.bidder is None:
            return self.no_bid()
        self.napoleon, self.trump = self.bidder, self.bid_trump
        record: list[Happening] = [
            Noted("napoleon", seat=self.napoleon, facts={"points": self.bid, "trump": self.trump})
        ]
        if len(self.order) >= ADJUTANT_FROM:
            return [*record, *self.ask(NAMING, [self.napoleon])]
        return [*record, *self.begin_play(self.napoleon)]

    def no_bid(self) -> list[Happening]:
        """End the round without claims [napoleon Play 2]."""
        return [Noted("no_bid"), *self.settled({"napoleon": None, "adjutant": None, "points": 0}, {})]

    def _name(self, napoleon: int, card: Card) -> list[Happening]:
        """Record the named card; its holder stays secret [napoleon Play 3]."""
        self.named = card
        holders = [seat for seat in self.order if seat != napoleon and card in self.hands[seat]]
        self.adjutant = holders[0] if holders else None
        return [Noted("named", seat=napoleon, facts={"card": card}), *self.begin_play(napoleon)]

    def silence(self, seat: int) -> actions.AnyAction:
        """Pass; name the first card of the sheet's list that Napoleon does not hold [napoleon Play 2, Play 3]."""
        if self.phase != NAMING:
            return super().silence(seat)
        wanted = (ACE_OF_SPADES, BIG_JOKER, *(rank + str(self.trump) for rank in HONOURS))
        return actions.NameAdjutant(card=next(card for card in wanted if card not in self.hands[seat]))

    # -- who plays with whom ----------------------------------------------------------------------------------

    def army(self) -> list[int]:
        """List Napoleon and his adjutant, if he has one."""
        return [seat for seat in (self.napoleon, self.adjutant) if seat is not None]

    def play_card(self, seat: int, card: Card, *, down: bool = False) -> list[Happening]:
        """Lay a card; the seat that plays the named card face up is public from then on [napoleon Play 3]."""
        shows = card == self.named and not down
        self.known = self.known or shows
        record = super().play_card(seat, card, down=down)
        if not shows:
            return record
        return [record[0], Noted("alone" if seat == self.napoleon else "adjutant", seat=seat), *record[1:]]

    def draw_one(self, seat: int) -> list[Happening]:
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

    def status_for(self, seat: int, viewer: int | None) -> str:
        """Return Napoleon and, to himself or once it is known, his adjutant; the others then are allies."""
        if self.phase in {BIDDING, NAMING} or self.napoleon is None:
            return "playing"
        if seat == self.napoleon:
            return "napoleon"
        if seat == self.adjutant and (self.known or seat == viewer):
            return "adjutant"
        return "ally" if self.known or self.named is None else "playing"

    def public_facts(self) -> dict[str, Any]:
        """Add the bid and the named card."""
        said = {"bid": self.bid, "bid_trump": self.bid_trump, "bidder": self.bidder}
        return {**super().public_facts(), **said, "named": self.named}

    def stock_open(self) -> bool:
        """Return whether the top card of the stock is face up: all are but the first [napoleon Play 1, D6]."""
        return bool(self.stock) and self.stock.next > CARDS_EACH * len(self.order)

    def stock_shown(self) -> tuple[Card, ...]:
        """Return the stock: its top card is open once the first has been drawn."""
        hidden = face_down(len(self.stock))
        return (self.stock.cards[self.stock.next], *hidden[1:]) if self.stock_open() else hidden
