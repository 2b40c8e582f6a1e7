"""A round against a bank: its state, dealing, views and claims."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import actions, facts, happenings, illegal_actions
from services.rules.banker import bank
from services.rules.banker.bank import Bank, BankRules
from services.rules.banker.hands import OPEN, Hand
from services.rules.banker.payouts import Payouts
from services.rules.cards import PACK_52, Card
from services.rules.chance import Chance, Stock
from services.rules.facts import Facts, SpotBet
from services.rules.game import Table
from services.rules.happenings import Dealt, Happening, Noted, Shown, Shuffled, Staked
from services.rules.outcomes import HOUSE, Outcome, Party
from services.rules.phases import BEFORE_ALL, ENDED, PhasedRound
from services.rules.refusals import Reason, Refused
from services.rules.views import SeatView, View, Zone

BETS = "bets"
PLAY = "play"
SHOWDOWN = "showdown"

HAND = "hand"
BANK_HAND = "bank"

NOBODY = -1
PASSED = 0

RulesT = TypeVar("RulesT", bound=BankRules, default=BankRules)


class BankRound(PhasedRound[RulesT], Generic[RulesT], kw_only=True):
    """A round against a bank.

    ``players`` are in dealing order, without the banker; ``seated`` are all taken seats of the table; ``hands`` are the
    players' by seat. ``bets``: chips that a seat bet in all, 0 for a seat that passed; ``spots``: by seat and spot,
    where there are spots; ``finished``: seats that sent done. ``turn``: the seat whose turn it is, where seats act in
    turn; ``had_turn``: how many have had theirs. ``apart``: the word of what is staked on no spot.
    """

    apart: ClassVar[str] = "bet"

    bank: Bank
    players: list[int]
    seated: list[int]
    stock: Stock
    hands: dict[int, Hand] = msgspec.field(default_factory=dict)
    bank_hand: Hand = msgspec.field(default_factory=Hand)
    bets: dict[int, int] = msgspec.field(default_factory=dict)
    spots: dict[int, dict[str, int]] = msgspec.field(default_factory=dict)
    finished: dict[int, bool] = msgspec.field(default_factory=dict)
    turn: int = NOBODY
    had_turn: int = 0

    def not_now(self, seat: int, action: actions.Action) -> Refused:
        """Make the refusal of an action that the phase, or the seat's part in it, does not know."""
        able = [option.action for option in self.options(seat)]
        if able:
            message = f"seat {seat} cannot {action.name} now; it may {listed(able, 'or')}"
            return illegal_actions.possible(message, able)
        message = f"seat {seat} cannot {action.name} now; it has nothing to decide now"
        return illegal_actions.illegal(message, illegal_actions.NOTHING_TO_DECIDE)

    def lay(self, seat: int, spot: str, amount: int) -> None:
        """Add chips to a spot of a seat."""
        laid = self.spots.setdefault(seat, {})
        laid[spot] = laid.get(spot, 0) + amount
        self.bets[seat] = self.bets.get(seat, 0) + amount

    def bet_or_pass(self, seat: int, action: actions.Action, log: list[Happening]) -> None:
        """Write down the one bet of a seat, or its pass."""
        if isinstance(action, actions.Bet):
            self.bets[seat] = action.amount
            log.append(Staked(seat, "bet", action.amount))
        else:
            self.bets[seat] = PASSED
            log.append(Noted("pass", seat))

    def end_without_bets(self, log: list[Happening]) -> None:
        """End the round with no claims where nobody bet; it does not count."""
        if not self.bettors():
            log.append(Noted("no_bets"))
            self.finish(self.new_payouts(), log, counts=False)

    def bettors(self) -> list[int]:
        """List the players that bet, in the dealing order."""
        return [seat for seat in self.players if self.bets.get(seat)]

    # -- cards ------------------------------------------------------------------------------------------------

    def takers(self) -> list[tuple[int | None, Hand]]:
        """Return the seats that are dealt to, in the dealing order: players with a hand, the banker last."""
        return [(seat, self.hands[seat]) for seat in self.players if seat in self.hands] + [self.bank_taker()]

    def bank_taker(self) -> tuple[int | None, Hand]:
        """Return the bank's seat (None: the house) and its hand."""
        return self.bank.seat, self.bank_hand

    def deal(
        self, takers: Sequence[tuple[int | None, Hand]], log: list[Happening], count: int = 1, *, up: bool = False
    ) -> None:
        """Deal ``count`` cards to each taker, one at a time and round by round."""
        around = self.stock.deal_around(len(takers), count)
        for (seat, hand), (positions, cards) in zip(takers, around, strict=True):
            for card in cards:
                hand.take(card, up=up)
            log.append(Dealt(seat, zone_of(seat), self.stock.number, positions, hand.seen()[-count:]))

    def deal_open(self, to: int | None, zone: str, count: int, log: list[Happening]) -> tuple[Card, ...]:
        """Deal the next cards face up into a zone, and return them."""
        positions, dealt = self.stock.take(count)
        log.append(Dealt(to, zone, self.stock.number, positions, dealt))
        return dealt

    def show(self, takers: Iterable[tuple[int | None, Hand]], log: list[Happening]) -> None:
        """Turn up the hands that still have cards face down."""
        for seat, hand in takers:
            if hand.hidden():
                hand.turn_up()
                log.append(Shown(seat, zone_of(seat), hand.known()))

    # -- the end ----------------------------------------------------------------------------------------------

    def party(self) -> Party:
        """Return the bank as a party of claims."""
        return HOUSE if self.bank.seat is None else self.bank.seat

    def new_payouts(self) -> Payouts:
        """Return empty payouts against this round's bank."""
        return Payouts(self.party())

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Return the memory for the next round."""
        return self.bank.memory(counts=counts)

    def result(self, payouts: Payouts) -> dict[str, Any]:
        """Return the case keys of the ended round."""
        del payouts
        return {}

    def finish(self, payouts: Payouts, log: list[Happening], *, counts: bool = True) -> None:
        """End the round with these claims; ``counts`` is False where nobody bet.

        A win cap cuts the players' wins first, then the banker's [banker "Settlement"].
        """
        self.outcome = Outcome(
            claims=tuple(payouts.claims),
            banker=self.bank.seat,
            net_claims=True,
            cap_order=(*self.players, *(() if self.bank.seat is None else (self.bank.seat,))),
            stakes=tuple(payouts.stakes),
            facts=self.result(payouts),
            memory=self.kept(counts=counts),
            button=self.bank.seat,
            counts=counts,
        )
        log.append(happenings.Phase(ENDED))

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
        """Return the case keys, who banks, and the bets of every seat."""
        keys = {"banker": HOUSE if self.rules.banker == bank.BY_HOUSE else self.bank.seat, **self.facts()}
        if self.outcome is not None:
            keys |= self.outcome.facts
        return facts.of("banker", keys | {"spot_bets": spot_bets({seat: self.laid_by(seat) for seat in self.carry})})

    def seat_view(self, seat: int) -> SeatView:
        """Show chips, stake and status of a seat."""
        staked = self.staked_by(seat)
        return SeatView(seat, self.carry[seat] - staked, staked, self.status(seat))

    def staked_by(self, seat: int) -> int:
        """Return the chips that a seat has set aside for its bets."""
        return self.bets.get(seat, 0)

    def laid_by(self, seat: int) -> Mapping[str, int]:
        """Return the chips of a seat by spot, and what it has staked besides under ``apart``."""
        laid = self.spots.get(seat, {})
        return {**laid, self.apart: self.staked_by(seat) - sum(laid.values())}

    def status(self, seat: int) -> str:
        """Return the status of a seat: on turn, how its hand ended, banker, still to bet, bet or passed."""
        if seat == self.turn:
            return "turn"
        hand = self.hands.get(seat)
        if hand is not None and hand.state != OPEN:
            return hand.state
        if seat == self.bank.seat:
            return "banker"
        if seat in self.bets:
            return "bet" if self.bets[seat] else "passed"
        return "betting" if self.phase == BETS and self.turn == NOBODY else "waiting"

    def zones(self, viewer: int | None) -> list[Zone]:
        """List the hands as a viewer sees them, in the dealing order."""
        return [
            Zone(seat, zone_of(seat), hand.known() if viewer is not None and viewer == seat else hand.seen())
            for seat, hand in self.takers()
            if hand.cards
        ]


BankRoundT = TypeVar("BankRoundT", bound=BankRound[Any])


def seat_round(
    kind: type[BankRoundT],
    rules: BankRules,
    table: Table,
    chance: Chance,
    *,
    banked: Bank,
    least: int,
    pack: Sequence[Card] = PACK_52,
    **more: Any,
) -> tuple[BankRoundT, list[Happening]]:
    """Seat bank and players and shuffle; ``least`` is what a player must hold. The order is fixed before any bet."""
    players = bank.dealing_order(table, banked.seat, lambda held: held >= least)
    inside = sorted([*players, *(() if banked.seat is None else (banked.seat,))])
    round_ = kind(
        at=BEFORE_ALL,
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


def spot_bets(laid: Mapping[int, Mapping[str, int]]) -> list[SpotBet]:
    """List the bets of the seats in order; spots without chips are left out."""
    return [SpotBet(seat, spot, amount) for seat in sorted(laid) for spot, amount in laid[seat].items() if amount]


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


def covered(amount: int, cover: int, carry: int) -> None:
    """Refuse bets that the seat's carry does not cover ``cover`` times."""
    if amount * cover > carry:
        needed = f"{cover} × {amount} chips" if cover > 1 else f"{amount} chips"
        message = f"the bet needs {needed}, and the seat brought {carry}; bet less"
        raise Refused(Reason.INSUFFICIENT_CHIPS, message, metadata={"chips": carry, "needed": amount * cover})


def listed(words: Iterable[object], last: str = "and") -> str:
    """Join words as in a sentence: commas, and ``last`` before the last one."""
    found = [str(word) for word in dict.fromkeys(words)]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"
