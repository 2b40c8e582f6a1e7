"""Napoleon's bidding, and the naming of the adjutant (tricks, ``napoleon`` 2 and 3)."""

from services.rules import actions
from services.rules.cards import BIG_JOKER, SUITS, Card
from services.rules.happenings import Happening, Noted
from services.rules.offers import Between, OneOf, Option
from services.rules.ranking.tricks import ACE_OF_SPADES
from services.rules.refusals import AMOUNT_OUT_OF_RANGE, ILLEGAL_ACTION, ILLEGAL_CARDS
from services.rules.tricks import napoleon_pack as pack
from services.rules.tricks.answers import card_of, refuse
from services.rules.tricks.engine import TrickRound

BIDDING = "bidding"
NAMING = "naming"


class AuctionRound(TrickRound, kw_only=True):
    """Who plays for how many points.

    ``bid``, ``bid_trump``, ``bidder``: the highest bid so far; ``napoleon``: its bidder once the bidding is over.
    ``named``: the adjutant's card; ``adjutant``: the seat that holds it; ``known``: whether that is public.
    """

    rules: pack.NapoleonRules
    bid: int = 0
    bid_trump: str | None = None
    bidder: int | None = None
    napoleon: int | None = None
    named: Card | None = None
    adjutant: int | None = None
    known: bool = False

    def no_bid(self) -> list[Happening]:
        """End the round that nobody wants."""
        raise NotImplementedError

    def least_bid(self) -> int:
        """Return the points that the next bid needs: more than every bid before."""
        return max(self.rules.min_bid, self.bid + 1)

    def answers(self, _seat: int) -> list[Option]:
        """Offer every higher bid, by how far its trumps go; or every card of the pack for the adjutant's."""
        if self.phase == NAMING:
            return [Option("name_adjutant", {"card": card_of(pack.PACKS[len(self.order)])})]
        least = self.least_bid()
        bids = [
            Option("bid", {"points": Between(least, most), "trump": OneOf(suits)})
            for suits, most in ((("h", "d", "c"), pack.highest_bid("h")), (("s",), pack.highest_bid("s")))
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
            refuse(ILLEGAL_ACTION, f"{action.name} is not possible now; name the adjutant's card (name_adjutant)")
        if action.card not in pack.PACKS[len(self.order)]:
            refuse(ILLEGAL_CARDS, f"{action.card} is not in the pack with {len(self.order)} seats; name another")

    def _check_bid(self, action: actions.Action) -> None:
        if not isinstance(action, actions.Bid):
            refuse(ILLEGAL_ACTION, f"{action.name} is not possible now; bid points with a trump suit, or pass")
        if action.trump is None or action.trump not in tuple(SUITS):
            refuse(ILLEGAL_ACTION, f"{action.trump!r} is not a trump suit; it must be one of s, h, d, c")
        least, most = self.least_bid(), pack.highest_bid(action.trump)
        if not least <= action.points <= most:
            bounds = (
                f"from {least} to {most}" if least <= most else f"{least} or more, and these trumps have only {most}"
            )
            refuse(AMOUNT_OUT_OF_RANGE, f"{action.points} points cannot be bid now; it must be {bounds}")

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
        if len(self.order) >= pack.ADJUTANT_FROM:
            return [*record, *self.ask(NAMING, [self.napoleon])]
        return [*record, *self.begin_play(self.napoleon)]

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
        wanted = (ACE_OF_SPADES, BIG_JOKER, *(rank + str(self.trump) for rank in pack.HONOURS))
        return actions.NameAdjutant(card=next(card for card in wanted if card not in self.hands[seat]))
