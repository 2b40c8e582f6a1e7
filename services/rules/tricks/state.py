"""What a round of a trick game holds: cards and chips, and how they are shown."""

from collections.abc import Iterable
from typing import Any

import msgspec

from services.rules import game
from services.rules.cards import HIDDEN, Card

PLAY = "play"
ENDED = "ended"


class Laid(msgspec.Struct, frozen=True):
    """A card that a seat laid into a trick; ``down``: its face is hidden, and it cannot win."""

    seat: int
    card: Card
    down: bool = False


class TrickState(game.Round, kw_only=True):
    """The cards and chips of a round of a trick game.

    ``order``: the seats of the round from the left of the button, the button last. ``asking``: seats still to be
    asked in this phase; ``to_play``: seats still to play to this trick; the first of them is in turn. ``table_pot``:
    the table's carried pool as it stands now. ``trump``: a suit, None where there is none (yet).
    """

    rules: game.HouseRules
    order: tuple[int, ...]
    hands: dict[int, list[Card]]
    stock: game.Stock
    phase: str = PLAY
    trump: str | None = None
    asking: list[int] = msgspec.field(default_factory=list)
    to_play: list[int] = msgspec.field(default_factory=list)
    trick: list[Laid] = msgspec.field(default_factory=list)
    last_trick: list[Laid] = msgspec.field(default_factory=list)
    number: int = 0
    claims: list[game.Claim] = msgspec.field(default_factory=list)
    table_pot: int = 0

    def status(self, seat: int) -> str:
        """Give the sheet's word for how a seat stands in the round."""
        return "playing" if seat in self.order else "out"

    def pots(self) -> tuple[int, ...]:
        """Give the pots as the view shows them, in chips."""
        return (self.table_pot,)

    # -- chips ------------------------------------------------------------------------------------------------

    def owe(self, payer: game.Party, payee: game.Party, amount: int, why: str) -> None:
        """Note a claim; chips to or from the table's pool count there at once."""
        assert game.HOUSE not in {payer, payee}, "no trick game is played against the house"
        if amount:
            self.claims.append(game.Claim(payer=payer, payee=payee, amount=amount, why=why))
            self.table_pot += amount * ((payee == game.POT) - (payer == game.POT))
        assert self.table_pot >= 0, "the pool cannot pay more than it holds"

    def stake(self, seats: Iterable[int], amount: int, what: str) -> list[game.Happening]:
        """Let each of the seats put chips into the table's pool."""
        record: list[game.Happening] = []
        for seat in seats:
            self.owe(seat, game.POT, amount, what)
            record.append(game.Staked(seat=seat, what=what, amount=amount))
        return record

    def staked(self, seat: int) -> int:
        """Say how many chips a seat has put into the pool in this round."""
        return sum(claim.amount for claim in self.claims if claim.payer == seat and claim.payee == game.POT)

    def at_stake(self) -> tuple[game.Stake, ...]:
        """List what the seats had at stake: what they put into the pool, by what it was for."""
        put: dict[tuple[game.Party, str], int] = {}
        for claim in self.claims:
            if claim.payee == game.POT:
                put[claim.payer, claim.why] = put.get((claim.payer, claim.why), 0) + claim.amount
        return tuple(game.Stake(int(seat), why, amount, amount) for (seat, why), amount in put.items())

    def end(self, outcome: game.Outcome) -> list[game.Happening]:
        """End the round."""
        self.outcome = outcome
        self.phase, self.asking, self.to_play = ENDED, [], []
        return [game.Phase(ENDED)]

    def settled(self, facts: dict[str, Any], memory: dict[str, Any]) -> list[game.Happening]:
        """End the round with the claims noted so far."""
        claims, stakes = tuple(self.claims), self.at_stake()
        return self.end(game.Outcome(claims=claims, stakes=stakes, facts=facts, memory=memory, button=self.button))

    # -- showing ----------------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> game.View:
        """Show the round: own cards, all that lies face up, and how many cards lie face down."""
        return game.View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self._seat_view(seat, viewer) for seat in sorted(self.carry)),
            zones=tuple(self.zones(viewer)),
            pots=self.pots(),
            facts=self.public_facts(),
        )

    def _seat_view(self, seat: int, viewer: int | None) -> game.SeatView:
        put = self.staked(seat)
        return game.SeatView(seat=seat, chips=self.carry[seat] - put, staked=put, status=self.status_for(seat, viewer))

    def status_for(self, seat: int, _viewer: int | None) -> str:
        """Give the status of a seat as one viewer may know it."""
        return self.status(seat)

    def public_facts(self) -> dict[str, Any]:
        """Give what everybody may know beside the cards that lie open."""
        return {"trump": self.trump, "number": self.number, **self.facts()}

    def zones(self, viewer: int | None) -> list[game.Zone]:
        """List all cards by where they lie: hands, this trick, the last one, the stock."""
        hands = [
            game.Zone(seat, "hand", tuple(hand) if seat == viewer else game.face_down(len(hand)))
            for seat, hand in sorted(self.hands.items())
        ]
        tricks = [
            game.Zone(laid.seat, name, (HIDDEN if laid.down and laid.seat != viewer else laid.card,))
            for name, trick in (("trick", self.trick), ("last_trick", self.last_trick))
            for laid in trick
        ]
        return [*hands, *tricks, game.Zone(None, "stock", self.stock_shown())]

    def stock_shown(self) -> tuple[Card, ...]:
        """Give the stock from the top as everybody sees it."""
        return game.face_down(len(self.stock))
