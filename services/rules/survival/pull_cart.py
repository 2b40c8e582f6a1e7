"""Pull the Cart · 拉大車 (survival, pull_cart; seed: home-games.txt, 生存類 ４.拉大車)."""

from typing import Any, Final

import msgspec

from services.rules import actions, cards, illegal_actions, keys
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option, Waiting
from services.rules.survival import texts, turns
from services.rules.survival.engine import SurvivalGame, SurvivalRules
from services.rules.survival.turns import TurnRound
from services.rules.views import Zone

ROW: Final = "row"


class PullCartRules(SurvivalRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a thousand flips, five seconds each."""

    turn_seconds: int = 5
    max_turns: keys.MaxTurns = 1000


class PullCartRound(TurnRound, kw_only=True):
    """One round; ``row``: cards on the table, first card first; ``right``: the seat that may collect now."""

    rules: PullCartRules
    row: list[Card] = msgspec.field(default_factory=list)
    right: int | None = None

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Begin with the seat left of the button [pull_cart D2]."""
        self.begin(self.left_of(self.dealer))
        return turns.opened()

    @property
    def last(self) -> bool:
        """Return whether the last permitted card was turned; a right that is open may still be used."""
        return self.turns >= self.rules.max_turns

    # -- questions

    def waiting(self) -> Waiting | None:
        """Wait for the seat on turn and the seat that may collect."""
        if self.outcome is not None:
            return None
        seats = {seat for seat in (None if self.last else self.turn, self.right) if seat is not None}
        return Waiting(seats=tuple(sorted(seats)), clock=self.clock, seconds=self.rules.turn_seconds)

    def options(self, seat: int) -> list[Option]:
        """List collecting for the seat with the right to it, flipping for the seat on turn."""
        if self.outcome is not None:
            return []
        found = [Option("collect")] if seat == self.right else []
        return [*found, Option("flip")] if seat == self.turn and not self.last else found

    def check(self, seat: int, action: actions.Action) -> None:
        """Refuse collecting with ``ILLEGAL_ACTION`` to all seats without the right to it, on turn or not."""
        if not isinstance(action, actions.Collect):
            super().check(seat, action)
        elif seat != self.right:
            raise illegal_actions.illegal(
                f"seat {seat} has no match to collect; the next card ends the right", illegal_actions.NO_MATCH
            )

    def check_turn(self, seat: int, action: actions.Action) -> None:
        """Refuse all but flipping, and that too after the last permitted card."""
        if not isinstance(action, actions.Flip):
            raise illegal_actions.illegal(
                f"{action.name} is not possible now; seat {seat} must flip", illegal_actions.FLIP
            )
        if self.last:
            raise illegal_actions.illegal(
                f"all {self.rules.max_turns} cards of this round have been turned",
                illegal_actions.ALL_TURNED,
                most=self.rules.max_turns,
            )

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the row."""
        return (*super().zones(viewer), Zone(None, ROW, tuple(self.row)))

    def keys(self) -> dict[str, Any]:
        """Return the row as a line, and the number of cards turned."""
        return {"line": cards.show(self.row), "flips": self.turns}

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Turn a card, or collect."""
        return self._collect(seat) if isinstance(action, actions.Collect) else self._flip(seat)

    def _flip(self, seat: int) -> list[Happening]:
        happenings = self._end_right()
        if self.outcome is not None:
            return happenings
        card = self.stacks[seat].pop(0)
        self.turns += 1
        self.right = seat if any(cards.rank(card) == cards.rank(other) for other in self.row) else None
        self.row.append(card)
        happenings.append(Shown(seat, ROW, (card,)))
        if self.right is not None:
            happenings.append(Noted("match", seat))
        return happenings + self._go_on(self.left_of(seat))

    def _end_right(self) -> list[Happening]:
        """End an open right to collect; seats without cards go out, and the round may be over."""
        if self.right is None:
            return []
        happenings: list[Happening] = [Noted("right_lapsed", self.right)]
        self.right = None
        return happenings + self._count_out()

    def _count_out(self) -> list[Happening]:
        """Put out seats without cards; the last seat with cards wins, and takes the row too."""
        happenings = self.drop_empty(self.dealer)
        left = self.seats_in()
        if len(left) > 1:
            return happenings
        self.stacks[left[0]].extend(self.row)
        self.row = []
        return happenings + self.finish(left)

    def _go_on(self, seat: int) -> list[Happening]:
        """Put a seat on turn, unless the round is over; an open right is waited for."""
        happenings = [] if self.right is not None else self._count_out()
        if self.outcome is None and self.last and self.right is None:
            happenings += self.finish(self.richest())
        if self.outcome is None:
            self.begin(seat)
        return happenings

    def _collect(self, seat: int) -> list[Happening]:
        """Take the nearest earlier card of the rank, the new one and all between, and be on turn again.

        Source: [pull_cart D1].
        """
        rank = cards.rank(self.row[-1])
        at = max(place for place, card in enumerate(self.row[:-1]) if cards.rank(card) == rank)
        taken = self.row[at:]
        self.row = self.row[:at]
        self.stacks[seat].extend(taken)
        self.right = None
        return [Noted("collected", seat, {"cards": len(taken)}), *self._go_on(seat)]

    def on_timeout(self, chance: Chance) -> list[Happening]:
        """Flip for the seat on turn; after the last permitted card let the right go."""
        if not self.last:
            return super().on_timeout(chance)
        happenings = self._end_right()
        return happenings if self.outcome is not None else happenings + self.finish(self.richest())

    def forced(self) -> actions.AnyAction:
        """Flip."""
        return actions.Flip()


class PullCart(SurvivalGame):
    """The game."""

    id = "pull_cart"
    name = texts.PULL_CART
    summary = texts.PULL_CART_SUMMARY
    terms = texts.PULL_CART_TERMS
    rules_type: type[SurvivalRules] = PullCartRules
    round_type = PullCartRound
    open_cards = True
    fewest, most = 2, 10
    limit = "max_turns"


GAME = PullCart()
