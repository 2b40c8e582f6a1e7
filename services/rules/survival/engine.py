"""Survival games: stacks that are played from the top, seats that run out and are out, the last one takes the antes.

Every game has an upper limit after which the antes are shared, because it could go on without end. ``turns`` adds games
in which one seat after the other acts, ``windows`` those in which all may claim at once.
"""

from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, ante_pot, cards, chips, facts, game, keys, seating
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.game import Payout, Table
from services.rules.happenings import Dealt, Happening, Noted, Phase, Shuffled
from services.rules.kinds import Limit, Range
from services.rules.refusals import Reason, Refused
from services.rules.survival import texts
from services.rules.text import Text
from services.rules.views import SeatView, View, Zone

ENDED: Final = "ended"
IN: Final = "in"
OUT: Final = "out"
STACK: Final = "stack"

MOST_TURNS: Final = 10_000
"""Greatest limit on turns, flips or battles of one round."""


class SurvivalRules(game.HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of all survival games; ``ante`` in chips, 0: only the winner is recorded."""

    ante: keys.FreeAnte = 0


class SurvivalRound(game.Round, kw_only=True):
    """One round: face-down cards by seat, top first; who went out, in order; what the table remembers."""

    rules: SurvivalRules
    stacks: dict[int, list[Card]]
    out: list[int] = msgspec.field(default_factory=list)
    memory: dict[str, Any] = msgspec.field(default_factory=dict)

    # -- what a game's file gives

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Go on from the deal to the first decision; ``stock`` holds what was not dealt."""
        raise NotImplementedError

    def phase(self) -> str:
        """Return the phase while the round goes on."""
        raise NotImplementedError

    def keys(self) -> dict[str, Any]:
        """Return the game's own case keys."""
        raise NotImplementedError

    def check(self, seat: int, action: actions.Action) -> None:
        """Raise Refused where this seat may not do this in the running round."""
        raise NotImplementedError

    def holdings(self) -> dict[int, int]:
        """Count the cards of each seat."""
        return {seat: len(held) for seat, held in self.stacks.items()}

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show where cards lie; nobody sees into a stack, its owner neither."""
        return tuple(Zone(seat, STACK, face_down(len(held))) for seat, held in self.stacks.items())

    # -- who is in

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

    def drop_empty(self, after: int) -> list[Happening]:
        """Put out all seats without cards, in the order in which they sit to the left of ``after``."""
        held = self.holdings()
        gone = [seat for seat in chips.to_the_left(self.seats_in(), after) if not held[seat]]
        self.out.extend(gone)
        return [Noted(OUT, seat) for seat in gone]

    def finish_if_over(self, *, spent: int, limit: int) -> list[Happening]:
        """End the round where one seat is left, or the limit is reached; empty while it goes on."""
        left = self.seats_in()
        if len(left) == 1:
            return self.finish(left)
        return self.finish(self.richest()) if spent >= limit else []

    def richest(self) -> list[int]:
        """List the seats in that hold the most cards."""
        held = self.holdings()
        most = max(held[seat] for seat in self.seats_in())
        return [seat for seat in self.seats_in() if held[seat] == most]

    def finish(self, winners: list[int]) -> list[Happening]:
        """End the round: the winner, or several winners together, take the ante pot."""
        ended = {**self.facts(), "winner": winners[0] if len(winners) == 1 else winners}
        ended.pop("turn", None)
        self.outcome = ante_pot.outcome(
            self.rules.ante, tuple(self.carry), winners, self.dealer, facts=ended, memory=self.memory
        )
        return [*(Noted("winner", seat) for seat in winners), Phase(ENDED)]

    # -- questions

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test in the order of tricks.md, "Refusals"."""
        self.verify_open(seat)
        self.check(seat, action)

    def view(self, viewer: int | None) -> View:
        """Show the cards face up, and how many cards every seat holds."""
        ante = self.rules.ante
        return View(
            phase=self.phase() if self.outcome is None else ENDED,
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


class SurvivalGame(game.Game):
    """What all survival games share; a game's file adds its round, its rules and its names."""

    family: ClassVar[str] = "survival"
    words: ClassVar[dict[str, Text]] = texts.WORDS
    rules_type: type[SurvivalRules]
    round_type: type[SurvivalRound]
    limit: ClassVar[str]
    """The house rule that ends a round which might not end by itself."""
    most_turns: ClassVar[int] = MOST_TURNS
    hand_size: ClassVar[int | None] = None
    """Cards dealt to each seat; None: the whole pack."""
    wins: ClassVar[Text] = texts.LAST_LEFT

    def own(self, rules: game.HouseRules) -> SurvivalRules:
        """Return the house rules as this game's own."""
        assert isinstance(rules, self.rules_type), f"{self.id} cannot be played by {type(rules).__name__}"
        return rules

    def limits(self, rules: game.HouseRules) -> dict[str, Limit]:
        """Return also the limit of turns."""
        return {**super().limits(rules), self.limit: Range(1, self.most_turns)}

    def least_carry(self, rules: game.HouseRules) -> int:
        """Return the ante; a seat with fewer chips is not dealt in."""
        return self.own(rules).ante

    def start(self, rules: game.HouseRules, table: Table, chance: Chance) -> tuple[SurvivalRound, list[Happening]]:
        """Stake the antes and deal one card at a time from the left of the button. Raises Refused for too few seats."""
        own = self.own(rules)
        carry = {seat: held for seat, held in table.chips.items() if held >= own.ante}
        needed = max(self.fewest, own.min_seats)
        if len(carry) < needed:
            message = f"{len(carry)} seats hold the ante of {own.ante} chips; a round needs {needed}"
            figures = {"seats": len(carry), "needed": needed, "chips": own.ante}
            raise Refused(Reason.NOT_ENOUGH_SEATS, message, metadata=figures)
        button = seating.next_button(table, carry)
        pack = chance.shuffle(cards.PACK_52)
        order = chips.to_the_left(carry, button)
        dealt = len(pack) if self.hand_size is None else self.hand_size * len(order)
        places = {seat: range(order.index(seat), dealt, len(order)) for seat in carry}
        round_ = self.round_type(
            carry=carry,
            button=button,
            rules=own,
            stacks={seat: [pack[at] for at in places[seat]] for seat in carry},
            memory=dict(table.memory),
        )
        zone = STACK if self.hand_size is None else "hand"
        happenings = ante_pot.staked(own.ante, order)
        happenings += [Shuffled(0, len(pack))]
        happenings += [Dealt(seat, zone, 0, tuple(places[seat]), face_down(len(places[seat]))) for seat in order]
        return round_, happenings + round_.open(Stock(0, pack, dealt), table, chance)

    def payouts(self, rules: game.HouseRules) -> tuple[Payout, ...]:
        """Return what the last seat left wins."""
        return ante_pot.payouts(self.own(rules).ante, self.wins)

    def greatest_win(self, rules: game.HouseRules) -> Text:
        """Return what a seat can win at most."""
        return ante_pot.greatest_win(self.own(rules).ante, rules)
