"""Survival games: stacks that are played from the top; seats that run out are out, and the last one takes the antes.

Every game has an upper limit after which the antes are shared, because it could go on without end. ``turns`` has the
phase in which one seat after the other acts, ``windows`` the one in which all may claim at once.
"""

from typing import Any, ClassVar, Final, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import ante_pot, cards, chips, facts, happenings, keys, seating
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.game import Game, HouseRules, Payout, Table
from services.rules.happenings import Dealt, Happening, Noted, Shuffled
from services.rules.kinds import Limit, Range
from services.rules.offers import Option
from services.rules.phases import BEFORE_ALL, ENDED, PhasedRound
from services.rules.refusals import Reason, Refused
from services.rules.survival import texts
from services.rules.text import Text
from services.rules.views import SeatView, View, Zone

IN: Final = "in"
OUT: Final = "out"
STACK: Final = "stack"

MOST_TURNS: Final = 10_000
"""Greatest limit on turns, flips or battles of one round."""


class SurvivalRules(HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of all survival games; ``ante`` in chips, 0: only the winner is recorded."""

    ante: keys.FreeAnte = 0


RulesT = TypeVar("RulesT", bound=SurvivalRules, default=SurvivalRules)


class SurvivalRound(PhasedRound[RulesT], Generic[RulesT], kw_only=True):
    """One round: face-down cards by seat, top first; who went out, in order; what the table remembers.

    ``turn`` is the seat that must act now, where seats act in turn; ``turns`` counts what the limit bounds. Where all
    may claim, ``flips`` numbers the flip that shows, and ``claimed`` are the seats that claimed in it.
    """

    stacks: dict[int, list[Card]]
    out: list[int] = msgspec.field(default_factory=list)
    memory: dict[str, Any] = msgspec.field(default_factory=dict)
    turn: int = 0
    turns: int = 0
    flips: int = 0
    claimed: list[int] = msgspec.field(default_factory=list)

    def keys(self) -> dict[str, Any]:
        """Return the game's own case keys."""
        raise NotImplementedError

    def holdings(self) -> dict[int, int]:
        """Count the cards of each seat."""
        return {seat: len(held) for seat, held in self.stacks.items()}

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show where cards lie; nobody sees into a stack, its owner neither."""
        return tuple(Zone(seat, STACK, face_down(len(held))) for seat, held in self.stacks.items())

    def offers(self, seat: int) -> list[Option]:
        """Offer each claim once: the one that names the flip, which cannot be meant for another card."""
        found = self.options(seat)
        return [option for option in found if "flip" in option.arguments] or found

    # -- who is in --------------------------------------------------------------------------------------------

    @property
    def dealer(self) -> int:
        """Return the button, which every round of this family has."""
        assert self.button is not None, "a round has a button"
        return self.button

    def seats_in(self) -> list[int]:
        """List the seats that are not out."""
        return [seat for seat in self.carry if seat not in self.out]

    def left_of(self, seat: int) -> int:
        """Return the next seat in to the left."""
        return chips.to_the_left(self.seats_in(), seat)[0]

    def drop_empty(self, after: int, log: list[Happening]) -> None:
        """Put out all seats without cards, in the order in which they sit to the left of ``after``."""
        held = self.holdings()
        gone = [seat for seat in chips.to_the_left(self.seats_in(), after) if not held[seat]]
        self.out.extend(gone)
        log += [Noted(OUT, seat) for seat in gone]

    def finish_if_over(self, log: list[Happening], *, spent: int, limit: int) -> bool:
        """End the round where one seat is left, or the limit is reached; return whether it has ended."""
        left = self.seats_in()
        if len(left) > 1 and spent < limit:
            return False
        self.finish(left if len(left) == 1 else self.richest(), log)
        return True

    def richest(self) -> list[int]:
        """List the seats in that hold the most cards."""
        held = self.holdings()
        most = max(held[seat] for seat in self.seats_in())
        return [seat for seat in self.seats_in() if held[seat] == most]

    def finish(self, winners: list[int], log: list[Happening]) -> None:
        """End the round: the winner, or several winners together, take the ante pot."""
        ended = {**self.facts(), "winner": winners[0] if len(winners) == 1 else winners}
        ended.pop("turn", None)
        self.outcome = ante_pot.outcome(
            self.rules.ante, tuple(self.carry), winners, self.dealer, facts=ended, memory=self.memory
        )
        log += [*(Noted("winner", seat) for seat in winners), happenings.Phase(ENDED)]

    # -- what is seen -----------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show the cards face up, and how many cards every seat holds."""
        ante = self.rules.ante
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(
                SeatView(seat, held - ante, ante, OUT if seat in self.out else IN) for seat, held in self.carry.items()
            ),
            zones=self.zones(viewer),
            pots=ante_pot.pot(ante, tuple(self.carry)),
            facts=facts.of("survival", self.facts() if self.outcome is None else self.outcome.facts),
        )

    def facts(self) -> dict[str, Any]:
        """Return the case keys of the family and of the game."""
        return {"hands": self.holdings(), OUT: list(self.out), **self.keys()}


RoundT = TypeVar("RoundT", bound=SurvivalRound[Any], default=SurvivalRound[Any])


class SurvivalGame(Game[RulesT, RoundT], Generic[RulesT, RoundT]):
    """What all survival games share; a game's file adds its round, its rules and its names."""

    family: ClassVar[str] = "survival"
    limit: ClassVar[str]
    """The house rule that ends a round which might not end by itself."""
    most_turns: ClassVar[int] = MOST_TURNS
    hand_size: ClassVar[int | None] = None
    """Cards dealt to each seat; None: the whole pack."""
    wins: ClassVar[Text] = texts.LAST_LEFT

    def limits(self, rules: RulesT) -> dict[str, Limit]:
        """Return also the limit of turns."""
        return {**super().limits(rules), self.limit: Range(1, self.most_turns)}

    def least_carry(self, rules: RulesT) -> int:
        """Return the ante; a seat with fewer chips is not dealt in."""
        return rules.ante

    def own_fields(self, table: Table, seats: list[int], stock: Stock) -> dict[str, Any]:
        """Return the fields of its own with which the game's round starts; ``stock`` holds what was not dealt."""
        del table, seats, stock
        return {}

    def start(self, rules: RulesT, table: Table, chance: Chance) -> tuple[RoundT, list[Happening]]:
        """Stake the antes and deal one card at a time from the left of the button. Raises Refused for too few seats."""
        carry = {seat: held for seat, held in table.chips.items() if held >= rules.ante}
        needed = max(self.fewest, rules.min_seats)
        if len(carry) < needed:
            message = f"{len(carry)} seats hold the ante of {rules.ante} chips; a round needs {needed}"
            figures = {"seats": len(carry), "needed": needed, "chips": rules.ante}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, carry)
        pack = chance.shuffle(cards.PACK_52)
        order = chips.to_the_left(carry, button)
        dealt = len(pack) if self.hand_size is None else self.hand_size * len(order)
        places = {seat: range(order.index(seat), dealt, len(order)) for seat in carry}
        round_ = self.round_type(
            at=BEFORE_ALL,
            carry=carry,
            button=button,
            rules=rules,
            stacks={seat: [pack[at] for at in places[seat]] for seat in carry},
            memory=dict(table.memory),
            **self.own_fields(table, list(carry), Stock(0, pack, dealt)),
        )
        zone = STACK if self.hand_size is None else "hand"
        log = [*ante_pot.staked(rules.ante, order), Shuffled(0, len(pack))]
        log += [Dealt(seat, zone, 0, tuple(places[seat]), face_down(len(places[seat]))) for seat in order]
        return round_, log + round_.begin(chance)

    def payouts(self, rules: RulesT) -> tuple[Payout, ...]:
        """Return what the last seat left wins."""
        return ante_pot.payouts(rules.ante, self.wins)

    def greatest_win(self, rules: RulesT) -> Text:
        """Return what a seat can win at most."""
        return ante_pot.greatest_win(rules.ante, rules)
