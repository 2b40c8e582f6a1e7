"""War · 戰爭 (survival, war; seed: home-games.txt, 生存類 ６.戰爭)."""

from typing import Any, Final

import msgspec

from services.rules import actions, cards, chips, illegal_actions, keys
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.survival import keys as survival_keys
from services.rules.survival import texts, turns
from services.rules.survival.engine import SurvivalGame, SurvivalRules
from services.rules.survival.turns import TurnRound
from services.rules.views import Zone

SEATS: Final = 4
BATTLE: Final = "battle"
MOST_BATTLES: Final = 2000
"""A round is played within one move when the server turns the cards, so its length is bounded more tightly."""


class WarRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: with ``auto_flip`` the server turns all cards and nobody has a decision."""

    min_seats: int = SEATS
    max_seats: int = SEATS
    turn_seconds: int = 5
    auto_flip: survival_keys.AutoFlip = True
    max_turns: keys.MaxTurns = 500


class Turned(msgspec.Struct, frozen=True, array_like=True):
    """A card that a seat turned in this battle."""

    seat: int
    card: Card


class WarRound(TurnRound, kw_only=True):
    """One round; ``turned`` are the cards of this battle in their order, the last ``compared`` of them are compared.

    ``queue`` lists the seats that still turn a card before the next comparison.
    """

    rules: WarRules
    turned: list[Turned] = msgspec.field(default_factory=list)
    queue: list[int] = msgspec.field(default_factory=list)
    compared: int = 0

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Begin with the button [war D5]; with ``auto_flip`` fight all battles at once."""
        happenings = turns.opened()
        self._muster(self.dealer)
        while self.rules.auto_flip and self.outcome is None:
            self._turn_card()
            happenings += self._judge()
        return happenings

    def _muster(self, first: int) -> None:
        """Begin a battle: ``first`` turns, then the other seats in, clockwise."""
        self.turned = []
        self._call_up([first, *(seat for seat in chips.to_the_left(self.seats_in(), first) if seat != first)])

    def _call_up(self, seats: list[int]) -> None:
        self.queue, self.compared = seats, 0
        self.begin(seats[0])

    def _turn_card(self) -> Turned:
        seat = self.queue.pop(0)
        turned = Turned(seat, self.stacks[seat].pop(0))
        self.turned.append(turned)
        self.compared += 1
        return turned

    def _judge(self) -> list[Happening]:
        """Once all have turned, find the winner, or let the tied seats that have cards turn one more each."""
        if self.queue:
            self.begin(self.queue[0])
            return []
        fighting = self.turned[-self.compared :]
        best = max(cards.RANKS.index(cards.rank(one.card)) for one in fighting)
        tied = [one.seat for one in fighting if cards.RANKS.index(cards.rank(one.card)) == best]
        able = [seat for seat in tied if self.stacks[seat]]
        if len(tied) > 1 and len(able) > 1:
            self._call_up(able)
            return []
        # One tied seat with cards wins without turning; where none has any, the first that turned [war D2].
        return self._won(able[0] if len(tied) > 1 and able else tied[0])

    def _won(self, winner: int) -> list[Happening]:
        """Put all cards of the battle under the winner's stack, in the order in which they were turned [war D3]."""
        self.stacks[winner].extend(one.card for one in self.turned)
        self.turns += 1
        facts = {"battle": self.turns, "turned": [(one.seat, one.card) for one in self.turned]}
        happenings: list[Happening] = [Noted("battle_won", winner, facts), *self.drop_empty(winner)]
        self.turned = []
        happenings += self.finish_if_over(spent=self.turns, limit=self.rules.max_turns)
        if self.outcome is None:
            self._muster(winner)
        return happenings

    # -- questions and moves

    def options(self, seat: int) -> list[Option]:
        """List the flip of the seat on turn."""
        return [Option("flip")] if self.outcome is None and seat == self.turn else []

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Refuse all but flipping."""
        if not isinstance(action, actions.Flip):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; seat {seat} must flip", illegal_actions.FLIP
            )

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Turn a card."""
        turned = self._turn_card()
        assert turned.seat == seat, f"seat {turned.seat} is on turn, not {seat}"
        return [Shown(seat, BATTLE, (turned.card,)), *self._judge()]

    def forced(self) -> actions.AnyAction:
        """Flip."""
        return actions.Flip()

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the cards of the battle, by the seat that turned them."""
        in_front = {seat: tuple(one.card for one in self.turned if one.seat == seat) for seat in self.carry}
        return (*super().zones(viewer), *(Zone(seat, BATTLE, shown) for seat, shown in in_front.items()))

    def keys(self) -> dict[str, Any]:
        """Return the number of battles fought."""
        return {"battles": self.turns}


class War(SurvivalGame):
    """The game."""

    id = "war"
    name = texts.WAR
    summary = texts.WAR_SUMMARY
    terms = texts.WAR_TERMS
    rules_type: type[SurvivalRules] = WarRules
    round_type = WarRound
    open_cards = True
    fewest = most = SEATS
    limit = "max_turns"
    most_turns = MOST_BATTLES


GAME = War()
