"""A round against a bank: seats, dealing, views and claims."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from services.rules import actions, facts, illegal_actions
from services.rules.banker import bank
from services.rules.banker.bank import Bank, BankRules
from services.rules.banker.hands import Hand
from services.rules.banker.payouts import Payouts
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.facts import Facts
from services.rules.game import Round, Table
from services.rules.happenings import Dealt, Happening, Phase, Shown, Shuffled
from services.rules.outcomes import HOUSE, Outcome, Party
from services.rules.refusals import Reason, Refused
from services.rules.views import SeatView, View, Zone

BETS = "bets"
PLAY = "play"
SHOWDOWN = "showdown"
ENDED = "ended"

HAND = "hand"
BANK_HAND = "bank"


class BankedRound(Round, kw_only=True):
    """What all rounds against a bank share.

    ``players`` are in dealing order, without the banker; ``seated`` are all taken seats of the table;
    ``hands`` are the players' by seat. Phases are words of the sheets.
    """

    rules: BankRules
    bank: Bank
    players: list[int]
    seated: list[int]
    stock: Stock
    phase: str = BETS
    hands: dict[int, Hand] = msgspec.field(default_factory=dict)
    bank_hand: Hand = msgspec.field(default_factory=Hand)

    # -- moves ------------------------------------------------------------------------------------------------

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test an action in the family's order of refusals [banker "Refusals"]."""
        self.verify_open(seat)
        self.check(seat, action)

    def check(self, seat: int, action: actions.Action) -> None:
        """Test the action of a seat of an open round; each kind of round tests those of its phases."""
        raise self.not_now(seat, action)

    def not_now(self, seat: int, action: actions.Action) -> Refused:
        """Make the refusal of an action that the phase, or the seat's part in it, does not know."""
        able = [option.action for option in self.options(seat)]
        if able:
            message = f"seat {seat} cannot {action.name} now; it may {listed(able, 'or')}"
            return illegal_actions.possible(message, able)
        message = f"seat {seat} cannot {action.name} now; it has nothing to decide now"
        return illegal_actions.illegal(message, illegal_actions.NOTHING_TO_DECIDE)

    def enter(self, phase: str) -> list[Happening]:
        """Begin a phase, with a new deadline."""
        self.phase = phase
        self.clock += 1
        return [Phase(phase)]

    # -- cards ------------------------------------------------------------------------------------------------

    def takers(self) -> list[tuple[int | None, Hand]]:
        """Return the seats that are dealt to, in the dealing order: players with a hand, the banker last."""
        return [(seat, self.hands[seat]) for seat in self.players if seat in self.hands] + [self.bank_taker()]

    def bank_taker(self) -> tuple[int | None, Hand]:
        """Return the bank's seat (None: the house) and its hand."""
        return self.bank.seat, self.bank_hand

    def deal(self, takers: Sequence[tuple[int | None, Hand]], count: int = 1, *, up: bool = False) -> list[Happening]:
        """Deal ``count`` cards to each taker, one at a time and round by round."""
        first: int = self.stock.next
        for _ in range(count):
            for _, hand in takers:
                hand.take(self.stock.deal(), up=up)
        step = len(takers)
        return [
            Dealt(
                to=seat,
                zone=zone_of(seat),
                stock=self.stock.number,
                positions=tuple(range(first + place, first + step * count, step)),
                cards=hand.seen()[-count:],
            )
            for place, (seat, hand) in enumerate(takers)
        ]

    def show(self, takers: Iterable[tuple[int | None, Hand]]) -> list[Happening]:
        """Turn up the hands that still have cards face down."""
        happened: list[Happening] = []
        for seat, hand in takers:
            if hand.hidden():
                hand.turn_up()
                happened.append(Shown(seat, zone_of(seat), hand.known()))
        return happened

    # -- the end ----------------------------------------------------------------------------------------------

    def party(self) -> Party:
        """Return the bank as a party of claims."""
        return HOUSE if self.bank.seat is None else self.bank.seat

    def new_payouts(self) -> Payouts:
        """Return empty payouts against this round's bank."""
        return Payouts(self.party())

    def cap_order(self) -> tuple[int, ...]:
        """Cut the players' wins first, then the banker's (banker, "Settlement" c)."""
        return (*self.players, *(() if self.bank.seat is None else (self.bank.seat,)))

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Return the memory for the next round."""
        return self.bank.memory(counts=counts)

    def finish(self, payouts: Payouts, keys: dict[str, Any] | None = None, *, counts: bool = True) -> list[Happening]:
        """End the round with these claims; ``counts`` is False where nobody bet."""
        self.phase = ENDED
        self.outcome = Outcome(
            claims=tuple(payouts.claims),
            banker=self.bank.seat,
            net_claims=True,
            cap_order=self.cap_order(),
            stakes=tuple(payouts.stakes),
            facts=keys or {},
            memory=self.kept(counts=counts),
            button=self.bank.seat,
            counts=counts,
        )
        return [Phase(ENDED)]

    # -- what is seen -----------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show a seat its own cards and all cards face up, a spectator the latter."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self.seat_view(seat) for seat in sorted(self.carry)),
            zones=tuple(self.zones(viewer)),
            pots=(),
            facts=self.shown_facts(),
        )

    def shown_facts(self) -> Facts:
        """Return the case keys, and who banks."""
        keys = {"banker": HOUSE if self.rules.banker == bank.BY_HOUSE else self.bank.seat, **self.facts()}
        if self.outcome is not None:
            keys |= self.outcome.facts
        return facts.of("banker", keys)

    def seat_view(self, seat: int) -> SeatView:
        """Show chips, stake and status of a seat."""
        staked = self.staked_by(seat)
        return SeatView(seat, self.carry[seat] - staked, staked, self.status(seat))

    def staked_by(self, seat: int) -> int:
        """Return the chips that a seat has set aside for its bets."""
        raise NotImplementedError

    def status(self, seat: int) -> str:
        """Return the status of a seat, a word of the game."""
        raise NotImplementedError

    def zones(self, viewer: int | None) -> list[Zone]:
        """List the hands as a viewer sees them, in the dealing order."""
        return [
            Zone(seat, zone_of(seat), hand.known() if viewer is not None and viewer == seat else hand.seen())
            for seat, hand in self.takers()
            if hand.cards
        ]


R = TypeVar("R", bound=BankedRound)


def open_round(
    kind: type[R],
    rules: BankRules,
    table: Table,
    chance: Chance,
    *,
    banked: Bank,
    least: int,
    pack: Sequence[Card] = PACK_52,
    **more: Any,
) -> tuple[R, list[Happening]]:
    """Seat bank and players and shuffle; ``least`` is what a player must hold. The order is fixed before any bet."""
    players = bank.dealing_order(table, banked.seat, lambda held: held >= least)
    inside = sorted([*players, *(() if banked.seat is None else (banked.seat,))])
    round_ = kind(
        carry={seat: table.chips[seat] for seat in inside},
        button=banked.seat,
        rules=rules,
        bank=banked,
        players=players,
        seated=sorted(table.chips),
        stock=Stock(0, chance.shuffle(pack)),
        **more,
    )
    return round_, [Shuffled(0, len(pack))]


def zone_of(seat: int | None) -> str:
    """Return the zone of a party's cards."""
    return BANK_HAND if seat is None else HAND


def amount_within(amount: int, least: int, most: int | None) -> None:
    """Refuse an amount outside its bounds; ``most`` None: only the chips limit it."""
    if amount < least or (most is not None and amount > most):
        right, bounds = f"at least {least}", {"least": least}
        if most is not None and most >= least:
            right, bounds = f"from {least} to {most}", {"least": least, "greatest": most}
        elif most is not None:
            right = f"{right}, and only {max(most, 0)} more are possible here"
        message = f"{amount} chips are out of range; it must be {right}"
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata=bounds)


def listed(words: Iterable[object], last: str = "and") -> str:
    """Join words as in a sentence: commas, and ``last`` before the last one."""
    found = [str(word) for word in dict.fromkeys(words)]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"
