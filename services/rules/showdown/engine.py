"""Showdown games: a window for multiples (where the game has one), a deal, hands laid open, the comparison.

Nothing is decided after the deal: every seat may reveal, and the deadline reveals the rest [showdown "Common"].
A game's file gives pack, hand size and ladder; ``comparison`` holds the two ways in which hands are paid.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from services.rules import actions, facts, game, illegal_actions, keys
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.happenings import Dealt, Decided, Happening, Noted, Phase, Shown
from services.rules.offers import OneOf, Option, Waiting
from services.rules.outcomes import Outcome
from services.rules.ranking.pip_counts import Ranked
from services.rules.refusals import Reason, Refused
from services.rules.views import SeatView, View, Zone
from services.rules.worth import Worth, of_ranked

MULTIPLES: Final = "multiples"
REVEAL: Final = "reveal"
SHOWDOWN: Final = "showdown"
ENDED: Final = "ended"
HAND: Final = "hand"


class ShowdownRules(game.HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of all showdown games; ``base`` is the table's base stake in chips."""

    fee_bps: int = ACTIVITY_FEE_BPS
    win_cap: str = "stake"
    base: keys.Base = 10
    multipliers: dict[str, int] = msgspec.field(default_factory=dict)

    ladder: ClassVar[Mapping[str, int]]
    """The sheet's multipliers by category, from low to high."""

    def factors(self) -> dict[str, int]:
        """Return each category's multiplier, from low to high; a category not named keeps the sheet's."""
        return {category: self.multipliers.get(category, factor) for category, factor in self.ladder.items()}

    def greatest_claim(self) -> int:
        """Return the most that one seat can owe another, in chips, before any limit."""
        return self.base * max(self.factors().values())


class ShowdownRound(game.Round, kw_only=True):
    """One round. ``seats`` are in dealing order; ``acted`` are the seats that have acted in the current window.

    ``multiples`` stay empty in a game without that window; ``stock`` is shuffled before anybody chooses.
    """

    hand_size: ClassVar[int]

    rules: ShowdownRules
    seats: tuple[int, ...]
    stock: Stock
    phase: str = REVEAL
    multiples: dict[int, int] = msgspec.field(default_factory=dict)
    hands: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    acted: list[int] = msgspec.field(default_factory=list)

    # -- what the game's file and the way of comparison give

    def choices(self) -> tuple[int, ...]:
        """List the multiples that a seat may choose from; none where the game has no such window."""
        return ()

    niu: ClassVar[str] = ""
    """What stands before points in Chinese where they are those of a niu."""

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank a hand by the game's ladder."""
        raise NotImplementedError

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a hand's category, or its points where it counts any."""
        return of_ranked(self.rank(cards), self.niu)

    def compare(self, ranked: dict[int, Ranked]) -> Outcome:
        """Return the outcome from all ranked hands, by seat in dealing order."""
        raise NotImplementedError

    # -- questions

    def waiting(self) -> Waiting | None:
        """Wait for all seats that have not acted in this window."""
        if self.outcome is not None:
            return None
        seconds = self.rules.bet_seconds if self.phase == MULTIPLES else self.rules.turn_seconds
        return Waiting(seats=self._silent(), clock=self.clock, seconds=seconds)

    def options(self, seat: int) -> list[Option]:
        """List the multiples, or the one thing to do after the deal."""
        if self.outcome is not None or seat not in self.carry or seat in self.acted:
            return []
        if self.phase == MULTIPLES:
            return [Option("bet_multiple", {"multiple": OneOf(self.choices())})]
        return [Option("reveal")]

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return the stake that a multiple makes."""
        return self._stake_at(seat, action.multiple) if isinstance(action, actions.BetMultiple) else 0

    def verify(self, seat: int, action: actions.Action) -> None:
        """Test in the sheet's order: not seated, round over, not possible now, multiple not offered."""
        self.verify_open(seat)
        wanted = actions.BetMultiple if self.phase == MULTIPLES else actions.Reveal
        if not isinstance(action, wanted):
            right = wanted.__struct_config__.tag
            message = f"{action.name} is not possible now; the table waits for {right}"
            raise illegal_actions.possible(message, [str(right)], illegal_actions.WAITS)
        if seat in self.acted:
            raise illegal_actions.illegal(
                f"seat {seat} has done this already; once is enough", illegal_actions.DONE_ALREADY
            )
        if isinstance(action, actions.BetMultiple) and action.multiple not in self.choices():
            offered = ", ".join(str(choice) for choice in self.choices())
            message = f"multiple {action.multiple} is not offered; choose from {offered}"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"choices": offered})

    def view(self, viewer: int | None) -> View:
        """Show the multiples to all, and the hands that are open or the viewer's own."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self._seat_view(seat) for seat in sorted(self.seats)),
            zones=tuple(self._zone(seat, viewer) for seat in sorted(self.hands)),
            pots=(),
            facts=facts.of("showdown", self.facts()),
        )

    def facts(self) -> dict[str, Any]:
        """Return the chosen multiples, and at the end the facts of the outcome."""
        chosen: dict[str, Any] = {"multiples": dict(sorted(self.multiples.items()))} if self.multiples else {}
        return chosen if self.outcome is None else {**chosen, **self.outcome.facts}

    def _seat_view(self, seat: int) -> SeatView:
        words = ("choosing", "chosen") if self.phase == MULTIPLES else ("looking", "revealed")
        staked = self.stake(seat) if self.phase != MULTIPLES or seat in self.multiples else 0
        held = self.carry[seat]
        return SeatView(seat=seat, chips=held - staked, staked=staked, status=words[seat in self.acted])

    def _zone(self, seat: int, viewer: int | None) -> Zone:
        hand = self.hands[seat]
        seen = seat == viewer or (self.phase != MULTIPLES and seat in self.acted)
        return Zone(owner=seat, name=HAND, cards=tuple(hand) if seen else face_down(len(hand)))

    def _silent(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.acted)

    def stake(self, seat: int) -> int:
        """Return what a seat has put at stake: ``base`` times its multiple, or all that it carries if that is less."""
        return self._stake_at(seat, self.multiples.get(seat, 1))

    def _stake_at(self, seat: int, multiple: int) -> int:
        return min(self.rules.base * multiple, self.carry[seat])

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Take a multiple or a revealed hand; the last one closes the window."""
        self.acted.append(seat)
        happenings: list[Happening]
        if isinstance(action, actions.BetMultiple):
            self.multiples[seat] = action.multiple
            happenings = [Noted("multiple", seat, {"multiple": action.multiple})]
        else:
            happenings = [Shown(seat, HAND, tuple(self.hands[seat]))]
        if self._silent():
            return happenings
        return happenings + (self.deal() if self.phase == MULTIPLES else self._show_down())

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Choose the first multiple, or reveal, for every seat that did not act."""
        happenings: list[Happening] = []
        action = actions.BetMultiple(self.choices()[0]) if self.phase == MULTIPLES else actions.Reveal()
        for seat in self._silent():
            happenings += [Decided(seat, action), *self.do(seat, action, chance)]
        return happenings

    def deal(self) -> list[Happening]:
        """Deal one card at a time from the left of the button, and open the window in which hands are revealed."""
        self.phase, self.acted = REVEAL, []
        self.clock += 1
        first = self.stock.next
        count = len(self.seats)
        for _ in range(self.hand_size):
            for seat in self.seats:
                self.hands.setdefault(seat, []).append(self.stock.deal())
        hidden = face_down(self.hand_size)
        return [
            *(
                Dealt(seat, HAND, self.stock.number, tuple(range(first + place, self.stock.next, count)), hidden)
                for place, seat in enumerate(self.seats)
            ),
            Phase(REVEAL),
        ]

    def _show_down(self) -> list[Happening]:
        self.phase = ENDED
        self.outcome = self.compare({seat: self.rank(self.hands[seat]) for seat in self.seats})
        return [Phase(SHOWDOWN), Noted(SHOWDOWN, None, self.outcome.facts), Phase(ENDED)]
