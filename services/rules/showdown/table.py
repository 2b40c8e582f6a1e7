"""Showdown games: house rules, the state of a round, and the phases that all of them have.

Nothing is decided after the deal: every seat may reveal, and the deadline reveals the rest [showdown "Common"].
A game's file gives pack, hand size and ladder; ``comparison`` holds the two ways in which hands are paid.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Generic

import msgspec
from typing_extensions import TypeVar

from services.rules import actions, facts, game, happenings, illegal_actions, keys
from services.rules.cards import Card, face_down
from services.rules.chance import Chance, Stock
from services.rules.common_keys import ACTIVITY_FEE_BPS
from services.rules.happenings import Dealt, Happening, Shown
from services.rules.offers import Option
from services.rules.outcomes import Outcome
from services.rules.phases import ENDED, Phase, PhasedRound
from services.rules.ranking.pip_counts import Ranked
from services.rules.views import SeatView, View, Zone
from services.rules.worth import Worth, of_ranked

MULTIPLES: Final = "multiples"
REVEAL: Final = "reveal"
SHOWDOWN: Final = "showdown"
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


RulesT = TypeVar("RulesT", bound=ShowdownRules, default=ShowdownRules)


class ShowdownRound(PhasedRound[RulesT], Generic[RulesT], kw_only=True):
    """One round. ``seats`` are in dealing order; ``acted`` are the seats that have acted in the current window.

    ``multiples`` stay empty in a game without that window; ``stock`` is shuffled before anybody chooses.
    """

    hand_size: ClassVar[int]
    niu: ClassVar[str] = ""
    """What stands before points in Chinese where they are those of a niu."""

    seats: tuple[int, ...]
    stock: Stock
    multiples: dict[int, int] = msgspec.field(default_factory=dict)
    hands: dict[int, list[Card]] = msgspec.field(default_factory=dict)
    acted: list[int] = msgspec.field(default_factory=list)

    def rank(self, hand: Sequence[Card]) -> Ranked:
        """Rank a hand by the game's ladder."""
        raise NotImplementedError

    def worth(self, owner: int | None, zone: str, cards: Sequence[Card]) -> Worth | None:
        """Return a hand's category, or its points where it counts any."""
        return of_ranked(self.rank(cards), self.niu)

    def stake(self, seat: int) -> int:
        """Return what a seat has put at stake: ``base`` times its multiple, or all that it carries if that is less."""
        return self.stake_at(seat, self.multiples.get(seat, 1))

    def stake_at(self, seat: int, multiple: int) -> int:
        """Return what a multiple puts at stake."""
        return min(self.rules.base * multiple, self.carry[seat])

    def cost(self, seat: int, action: actions.Action) -> int:
        """Return the stake that a multiple makes."""
        return self.stake_at(seat, action.multiple) if isinstance(action, actions.BetMultiple) else 0

    def finish(self, outcome: Outcome, log: list[Happening]) -> None:
        """End the round."""
        self.outcome = outcome
        log += [happenings.Phase(SHOWDOWN), happenings.Noted(SHOWDOWN, None, outcome.facts), happenings.Phase(ENDED)]

    # -- what is seen -----------------------------------------------------------------------------------------

    def view(self, viewer: int | None) -> View:
        """Show the multiples to all, and the hands that are open or the viewer's own."""
        return View(
            phase=self.phase,
            button=self.button,
            seats=tuple(self.seat_view(seat) for seat in sorted(self.seats)),
            zones=tuple(self.zone(seat, viewer) for seat in sorted(self.hands)),
            pots=(),
            facts=facts.of("showdown", self.facts()),
        )

    def facts(self) -> dict[str, Any]:
        """Return the chosen multiples, and at the end the facts of the outcome."""
        chosen: dict[str, Any] = {"multiples": dict(sorted(self.multiples.items()))} if self.multiples else {}
        return chosen if self.outcome is None else {**chosen, **self.outcome.facts}

    def seat_view(self, seat: int) -> SeatView:
        """Show chips, stake, and whether a seat has acted in the window."""
        choosing = self.phase == MULTIPLES
        words = ("choosing", "chosen") if choosing else ("looking", "revealed")
        staked = self.stake(seat) if not choosing or seat in self.multiples else 0
        return SeatView(seat=seat, chips=self.carry[seat] - staked, staked=staked, status=words[seat in self.acted])

    def zone(self, seat: int, viewer: int | None) -> Zone:
        """Show a hand that is revealed, or the viewer's own."""
        hand = self.hands[seat]
        seen = seat == viewer or seat in self.acted
        return Zone(owner=seat, name=HAND, cards=tuple(hand) if seen else face_down(len(hand)))


class Deal(Phase[ShowdownRound], frozen=True):
    """Hands are dealt, one card at a time from the left of the button."""

    def begin(self, round_: ShowdownRound, chance: Chance, log: list[Happening]) -> bool:
        """Deal."""
        stock, seats = round_.stock, round_.seats
        hidden = face_down(round_.hand_size)
        for seat, (positions, hand) in zip(seats, stock.deal_around(len(seats), round_.hand_size), strict=True):
            round_.hands[seat] = hand
            log.append(Dealt(seat, HAND, stock.number, positions, hidden))
        return False


class Reveal(Phase[ShowdownRound], frozen=True):
    """The window in which seats show their hands; the deadline shows the rest."""

    name: str = REVEAL

    def begin(self, round_: ShowdownRound, chance: Chance, log: list[Happening]) -> bool:
        """Open the window."""
        round_.acted = []
        return super().begin(round_, chance, log)

    def asked(self, round_: ShowdownRound) -> Sequence[int]:
        """List the seats that have not shown their hands."""
        return silent(round_)

    def options(self, round_: ShowdownRound, seat: int) -> list[Option]:
        """List the one thing to do after the deal."""
        return [] if seat in round_.acted else [Option("reveal")]

    def verify(self, round_: ShowdownRound, seat: int, action: actions.Action) -> None:
        """Test that the action reveals, once."""
        verify_once(round_, seat, action, actions.Reveal)

    def do(
        self, round_: ShowdownRound, seat: int, action: actions.Action, chance: Chance, log: list[Happening]
    ) -> bool:
        """Show a hand."""
        round_.acted.append(seat)
        log.append(Shown(seat, HAND, tuple(round_.hands[seat])))
        return len(round_.acted) == len(round_.seats)

    def forced(self, round_: ShowdownRound, seat: int) -> actions.AnyAction:
        """Show the hand."""
        return actions.Reveal()


def silent(round_: ShowdownRound[Any]) -> list[int]:
    """List the seats that have not acted in this window."""
    return [seat for seat in round_.seats if seat not in round_.acted]


def verify_once(round_: ShowdownRound[Any], seat: int, action: actions.Action, wanted: type[actions.Action]) -> None:
    """Refuse another action than the one of the window, and the same one a second time."""
    if not isinstance(action, wanted):
        right = str(wanted.__struct_config__.tag)
        message = f"{action.name} is not possible now; the table waits for {right}"
        raise illegal_actions.possible(message, [right], illegal_actions.WAITS)
    if seat in round_.acted:
        raise illegal_actions.illegal(
            f"seat {seat} has done this already; once is enough", illegal_actions.DONE_ALREADY
        )
