"""How a round of Napoleon ends and pays, and what its players see of it (tricks, ``napoleon``) [napoleon "Pays"]."""

from typing import Any

from services.rules.cards import Card, face_down
from services.rules.happenings import Happening, Noted, Shown
from services.rules.outcomes import Stake
from services.rules.tricks import napoleon_pack as pack
from services.rules.tricks.napoleon_auction import BIDDING, NAMING
from services.rules.tricks.napoleon_play import PlayRound


class NapoleonRound(PlayRound, kw_only=True):
    """A whole round: auction, play, and the count of the army's points."""

    def no_bid(self) -> list[Happening]:
        """End the round without claims [napoleon Play 2]."""
        return [Noted("no_bid"), *self.settled({"napoleon": None, "adjutant": None, "points": 0}, {})]

    def army(self) -> list[int]:
        """List Napoleon and his adjutant, if he has one."""
        return [seat for seat in (self.napoleon, self.adjutant) if seat is not None]

    def count(self) -> list[Happening]:
        """Count the army's points and record the claims [napoleon "Pays", D4]."""
        self.known = True
        got = sum(pack.points(pile.get(seat, ()), self.trump) for seat in self.army() for pile in self._piles())
        won = got >= self.bid
        allies = [seat for seat in self.order if seat not in self.army()]
        for seat, amount in zip(self.army(), (2 * self.rules.base, self.rules.base), strict=False):
            for ally in allies:
                payer, payee = (ally, seat) if won else (seat, ally)
                self.owe(payer, payee, amount, "napoleon" if seat == self.napoleon else "adjutant")
        shown = [Shown(owner=laid.seat, zone="down", cards=(laid.card,)) for laid in self.laid_down]
        who = Noted("alone", seat=self.napoleon)
        if self.adjutant is not None:
            who = Noted("adjutant", seat=self.adjutant)
        result = Noted("won" if won else "lost", seat=self.napoleon, facts={"points": got, "bid": self.bid})
        facts = {"napoleon": self.napoleon, "adjutant": self.adjutant, "points": got}
        return [*shown, who, result, *self.settled(facts, {})]

    def _piles(self) -> tuple[dict[int, list[Card]], dict[int, list[Card]]]:
        return self.taken, self.taken_down

    def at_stake(self) -> tuple[Stake, ...]:
        """List what each seat would have lost, as far as it could pay: nothing where nobody bid."""
        if self.napoleon is None:
            return ()
        base, army = self.rules.base, self.army()
        allies = len(self.order) - len(army)
        risks = {seat: base * (2 + (len(army) > 1)) for seat in self.order}
        risks.update(zip(army, (2 * base * allies, base * allies), strict=False))
        amounts = {seat: min(risk, self.carry[seat]) for seat, risk in sorted(risks.items())}
        return tuple(Stake(seat, "napoleon", amount, amount) for seat, amount in amounts.items())

    # -- showing ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """Return Napoleon and what is public of adjutant and points; cards face down do not count yet."""
        if self.outcome is not None:
            return dict(self.outcome.facts)
        army = [seat for seat in self.army() if seat == self.napoleon or self.known]
        seen = sum(pack.points(self.taken.get(seat, ()), self.trump) for seat in army)
        return {"napoleon": self.napoleon, "adjutant": army[1] if len(army) > 1 else None, "points": seen}

    def public_facts(self) -> dict[str, Any]:
        """Add bid, named card and call."""
        said = {"bid": self.bid, "bid_trump": self.bid_trump, "bidder": self.bidder}
        return {**super().public_facts(), **said, "named": self.named, "call": self.call}

    def pots(self) -> tuple[int, ...]:
        """Return no pot."""
        return ()

    def status_for(self, seat: int, viewer: int | None) -> str:
        """Return Napoleon and, to himself or once it is known, his adjutant; the others then are allies."""
        if self.phase in {BIDDING, NAMING} or self.napoleon is None:
            return "playing"
        if seat == self.napoleon:
            return "napoleon"
        if seat == self.adjutant and (self.known or seat == viewer):
            return "adjutant"
        return "ally" if self.known or self.named is None else "playing"

    def stock_shown(self) -> tuple[Card, ...]:
        """Return the stock: its top card is open once the first has been drawn."""
        hidden = face_down(len(self.stock))
        return (self.stock.cards[self.stock.next], *hidden[1:]) if self.stock_open() else hidden
