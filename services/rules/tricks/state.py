"""What a round of a trick game holds: cards and chips, and how they are shown."""

from collections.abc import Iterable
from typing import Any

import msgspec

from services.rules import facts, game
from services.rules.cards import HIDDEN, Card, face_down
from services.rules.chance import Stock
from services.rules.facts import PlayedCard
from services.rules.happenings import Happening, Phase, Staked
from services.rules.outcomes import HOUSE, POT, Claim, Outcome, Party, Stake
from services.rules.views import SeatView, View, Zone

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
    the table's carried pool now. ``trump``: a suit, or None if there is none (yet).
    """

    rules: game.HouseRules
    order: tuple[int, ...]
    hands: dict[int, list[Card]]
    stock: Stock
    phase: str = PLAY
    trump: str | None = None
    asking: list[int] = msgspec.field(default_factory=list)
    to_play: list[int] = msgspec.field(default_factory=list)
    trick: list[Laid] = msgspec.field(default_factory=list)
    last_trick: list[Laid] = msgspec.field(default_factory=list)
    number: int = 0
    claims: list[Claim] = msgspec.field(default_factory=list)
    table_pot: int = 0

    def status(self, seat: int) -> str:
        """Return the status of a seat, a word of the sheet."""
        return "playing" if seat in self.order else "out"

    def pots(self) -> tuple[int, ...]:
        """Return the pots as the view shows them, in chips."""
        return (self.table_pot,)

    # -- chips ------------------------------------------------------------------------------------------------

    def owe(self, payer: Party, payee: Party, amount: int, why: str) -> None:
        """Note a claim; chips to or from the table's pool count there at once."""
        assert HOUSE not in {payer, payee}, "no trick game is played against the house"
        if amount:
            self.claims.append(Claim(payer=payer, payee=payee, amount=amount, why=why))
            self.table_pot += amount * ((payee == POT) - (payer == POT))
        assert self.table_pot >= 0, "the pool cannot pay more than it holds"

    def stake(self, seats: Iterable[int], amount: int, what: str) -> list[Happening]:
        """Move chips from each of the seats into the table's pool."""
        record: list[Happening] = []
        for seat in seats:
            self.owe(seat, POT, amount, what)
            record.append(Staked(seat=seat, what=what, amount=amount))
        return record

    def staked(self, seat: int) -> int:
        """Return how many chips a seat has put into the pool in this round."""
        return sum(claim.amount for claim in self.claims if claim.payer == seat and claim.payee == POT)

    def at_stake(self) -> tuple[Stake, ...]:
        """List what the seats had at stake: what they put into the pool, by what it was for."""
        put: dict[tuple[Party, str], int] = {}
        for claim in self.claims:
            if claim.payee == POT:
                put[claim.payer, claim.why] = put.get((claim.payer, claim.why), 0) + claim.amount
        return tuple(Stake(int(seat), why, amount, amount) for (seat, why), amount in put.items())

    def end(self, outcome: Outcome) -> list[Happening]:
        """End the round."""
        self.outcome = outcome
        self.phase, self.asking, self.to_play = ENDED, [], []
        return [Phase(ENDED)]

    def settled(self, facts: dict[str, Any], memory: dict[str, Any]) -> list[Happening]:
        """End the round with the claims noted so far."""
        claims, stakes = tuple(self.claims), self.at_stake()
        return self.end(Outcome(claims=claims, stakes=stakes, facts=facts, memory=memory, button=self.button))

    # -- showing ----------------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show the round: own cards, all cards face up, and the number of cards face down."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self._seat_view(seat, viewer) for seat in sorted(self.carry)),
            zones=tuple(self.zones(viewer)),
            pots=self.pots(),
            facts=facts.of("tricks", self._known(), trick=self._trick(viewer)),
        )

    def _known(self) -> dict[str, Any]:
        return self.public_facts() if self.outcome is None else {**self.public_facts(), **self.outcome.facts}

    def _trick(self, viewer: int | None) -> tuple[PlayedCard, ...]:
        return tuple(
            PlayedCard(laid.seat, HIDDEN if laid.down and laid.seat != viewer else laid.card) for laid in self.trick
        )

    def _seat_view(self, seat: int, viewer: int | None) -> SeatView:
        put = self.staked(seat)
        return SeatView(seat=seat, chips=self.carry[seat] - put, staked=put, status=self.status_for(seat, viewer))

    def status_for(self, seat: int, _viewer: int | None) -> str:
        """Return the status of a seat as one viewer may know it."""
        return self.status(seat)

    def public_facts(self) -> dict[str, Any]:
        """Return the public facts besides the cards that are face up."""
        return {"trump": self.trump, "number": self.number, **self.facts()}

    def zones(self, viewer: int | None) -> list[Zone]:
        """List all cards by zone: hands, this trick, the last one, the stock."""
        hands = [
            Zone(seat, "hand", tuple(hand) if seat == viewer else face_down(len(hand)))
            for seat, hand in sorted(self.hands.items())
        ]
        tricks = [
            Zone(laid.seat, name, (HIDDEN if laid.down and laid.seat != viewer else laid.card,))
            for name, trick in (("trick", self.trick), ("last_trick", self.last_trick))
            for laid in trick
        ]
        return [*hands, *tricks, Zone(None, "stock", self.stock_shown())]

    def stock_shown(self) -> tuple[Card, ...]:
        """Return the stock from the top as everybody sees it."""
        return face_down(len(self.stock))
