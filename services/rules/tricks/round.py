"""What a round of a trick game holds: cards and chips, and how they are shown."""

from collections.abc import Iterable
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import facts, happenings, partnerships
from services.rules.cards import HIDDEN, Card, face_down
from services.rules.chance import Stock
from services.rules.facts import PlayedCard
from services.rules.game import HouseRules
from services.rules.happenings import Dealt, Happening, Staked
from services.rules.outcomes import HOUSE, POT, Claim, Outcome, Party, Stake
from services.rules.phases import ENDED, PhasedRound
from services.rules.ranking import tricks as ladders
from services.rules.views import SeatView, View, Zone

RulesT = TypeVar("RulesT", bound=HouseRules, default=Any)


class Laid(msgspec.Struct, frozen=True):
    """A card that a seat laid into a trick; ``down``: its face is hidden, and it cannot win."""

    seat: int
    card: Card
    down: bool = False


class TrickRound(PhasedRound[RulesT], Generic[RulesT], kw_only=True):
    """The cards and chips of a round of a trick game.

    ``order``: the seats of the round from the left of the button, the button last. ``to_act``: seats still to be asked
    in this phase, or still to play to this trick; the first of them is in turn. ``number``: tricks of this play so far,
    ``tricks``: those that each seat has won. ``table_pot``: the table's carried pool now. ``trump``: a suit, or None if
    there is none (yet); ``turned``: the card that shows it. ``sides``: the side of each seat in a game of partnerships.
    ``memory``: what the table will remember of the round.
    """

    ladder: ClassVar[ladders.Ladder] = ladders.PLAIN

    order: tuple[int, ...]
    stock: Stock
    hands: dict[int, list[Card]]
    trump: str | None = None
    turned: Card | None = None
    to_act: list[int] = msgspec.field(default_factory=list)
    trick: list[Laid] = msgspec.field(default_factory=list)
    last_trick: list[Laid] = msgspec.field(default_factory=list)
    number: int = 0
    tricks: dict[int, int] = msgspec.field(default_factory=dict)
    claims: list[Claim] = msgspec.field(default_factory=list)
    table_pot: int = 0
    sides: partnerships.Sides = msgspec.field(default_factory=dict)
    memory: dict[str, Any] = msgspec.field(default_factory=dict)

    @property
    def turn(self) -> int | None:
        """The seat that must act now."""
        return self.to_act[0] if self.to_act else None

    def holding(self) -> list[int]:
        """List the seats that hold cards, in the round's order."""
        return [seat for seat in self.order if self.hands[seat]]

    def draw(self, seat: int, *, face_up: bool = False) -> Dealt:
        """Deal the top card of the stock to a seat."""
        position, card = self.stock.next, self.stock.deal()
        self.hands[seat].append(card)
        shown = (card,) if face_up else face_down(1)
        return Dealt(to=seat, zone="hand", stock=self.stock.number, positions=(position,), cards=shown)

    # -- chips ------------------------------------------------------------------------------------------------

    def owe(self, payer: Party, payee: Party, amount: int, why: str) -> None:
        """Note a claim; chips to or from the table's pool count there at once."""
        assert HOUSE not in {payer, payee}, "no trick game is played against the house"
        if amount:
            self.claims.append(Claim(payer=payer, payee=payee, amount=amount, why=why))
            self.table_pot += amount * ((payee == POT) - (payer == POT))
        assert self.table_pot >= 0, "the pool cannot pay more than it holds"

    def stake(self, seats: Iterable[int], amount: int, what: str, log: list[Happening]) -> None:
        """Move chips from each of the seats into the table's pool."""
        for seat in seats:
            self.owe(seat, POT, amount, what)
            log.append(Staked(seat=seat, what=what, amount=amount))

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

    def most_owed(self, why: str, most: dict[int, int]) -> tuple[Stake, ...]:
        """List what each seat could have lost at most, as far as it could pay."""
        amounts = {seat: min(risk, self.carry[seat]) for seat, risk in sorted(most.items())}
        return tuple(Stake(seat, why, amount, amount) for seat, amount in amounts.items())

    def end(self, outcome: Outcome, log: list[Happening]) -> None:
        """End the round."""
        self.outcome, self.to_act = outcome, []
        log.append(happenings.Phase(ENDED))

    def settle(self, log: list[Happening]) -> None:
        """End the round with the claims noted so far."""
        claims, stakes = tuple(self.claims), self.at_stake()
        outcome = Outcome(claims=claims, stakes=stakes, facts=self.facts(), memory=self.memory, button=self.button)
        self.end(outcome, log)

    # -- showing ----------------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show the round: own cards, all cards face up, and the number of cards face down."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self._seat_view(seat, viewer) for seat in sorted(self.carry)),
            zones=tuple(self.zones(viewer)),
            pots=self.pots(),
            facts=facts.of(
                "tricks", self._known(), trick=self._trick(viewer), tricks=self.tricks_won(), sides=self.sides
            ),
        )

    def _known(self) -> dict[str, Any]:
        return self.public_facts() if self.outcome is None else {**self.public_facts(), **self.outcome.facts}

    def _trick(self, viewer: int | None) -> tuple[PlayedCard, ...]:
        return tuple(PlayedCard(laid.seat, _seen(laid, viewer)) for laid in self.trick)

    def _seat_view(self, seat: int, viewer: int | None) -> SeatView:
        put = self.staked(seat)
        return SeatView(seat=seat, chips=self.carry[seat] - put, staked=put, status=self.status(seat, viewer))

    def status(self, _seat: int, _viewer: int | None) -> str:
        """Return the status of a seat of the round, a word of the sheet, as one viewer may know it."""
        return "playing"

    def pots(self) -> tuple[int, ...]:
        """Return the pots as the view shows them, in chips."""
        return (self.table_pot,)

    def side_tricks(self) -> dict[int, int]:
        """Return the tricks that each side has won; none where every seat plays for itself."""
        return partnerships.totals(self.sides, self.tricks)

    def tricks_won(self) -> dict[int, int]:
        """Return the tricks that each seat has won, as far as they are one count."""
        return dict(sorted(self.tricks.items()))

    def public_facts(self) -> dict[str, Any]:
        """Return the public facts besides the cards that are face up."""
        return {"trump": self.trump, "number": self.number, "side_tricks": self.side_tricks(), **self.facts()}

    def sees(self, viewer: int | None, seat: int) -> bool:
        """Return whether a viewer sees a seat's hand."""
        return seat == viewer

    def zones(self, viewer: int | None) -> list[Zone]:
        """List all cards by zone: hands, this trick, the last one, the stock."""
        hands = [
            Zone(seat, "hand", tuple(hand) if self.sees(viewer, seat) else face_down(len(hand)))
            for seat, hand in sorted(self.hands.items())
        ]
        tricks = [
            Zone(laid.seat, name, (_seen(laid, viewer),))
            for name, trick in (("trick", self.trick), ("last_trick", self.last_trick))
            for laid in trick
        ]
        return [*hands, *tricks, Zone(None, "stock", self.stock_shown())]

    def stock_shown(self) -> tuple[Card, ...]:
        """Return the stock from the top as everybody sees it."""
        return face_down(len(self.stock))


def _seen(laid: Laid, viewer: int | None) -> Card:
    return HIDDEN if laid.down and laid.seat != viewer else laid.card
