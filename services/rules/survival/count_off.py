"""Counting Off · 報數 (survival, count_off; seed: home-games.txt, 生存類 ７.報數)."""

from typing import Any, Final

import msgspec

from services.rules import actions, cards
from services.rules.cards import Card
from services.rules.chance import Chance, Stock
from services.rules.game import Table
from services.rules.happenings import Happening, Noted, Shown
from services.rules.offers import Option
from services.rules.survival import texts, windows
from services.rules.survival.engine import SurvivalRules
from services.rules.survival.windows import WindowGame, WindowRound, WindowRules
from services.rules.views import Zone

NUMBERS: Final = {rank: number for number, rank in enumerate("A23456789TJQK", start=1)}
"""A card's number, as it is counted."""
LAST_NUMBER: Final = 13
TABLE: Final = "table"


class CountOffRules(WindowRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules: a thousand cards, windows of three seconds."""

    max_flips: int = 1000
    claim_seconds: int = 3


class CountOffRound(WindowRound, kw_only=True):
    """One round; ``table`` lists the cards on it as they were turned, ``last`` turned the one that shows."""

    claim = actions.Slap
    rules: CountOffRules
    table: list[Card] = msgspec.field(default_factory=list)
    count: int = 0
    last: int = 0

    def open(self, stock: Stock, table: Table, chance: Chance) -> list[Happening]:
        """Turn the button's first card with the count 1."""
        return windows.opened() + self._turn_card(self.dealer, 1)

    def _turn_card(self, seat: int, count: int) -> list[Happening]:
        self.open_window()
        card = self.stacks[seat].pop(0)
        self.table.append(card)
        self.last, self.count = seat, count
        return [Shown(seat, TABLE, (card,)), Noted("count", seat, {"count": count, "flip": self.flips})]

    # -- questions

    def options(self, seat: int) -> list[Option]:
        """List the slap of a seat that has not slapped in this window."""
        if self.outcome is not None or seat not in self.carry or not self.may_claim(seat):
            return []
        return self.claims({})

    def zones(self, viewer: int | None) -> tuple[Zone, ...]:
        """Show the cards on the table."""
        return (*super().zones(viewer), Zone(None, TABLE, tuple(self.table)))

    def keys(self) -> dict[str, Any]:
        """Return the number of cards on the table, the count and the seat that turned the last card."""
        return {**super().keys(), "table": len(self.table), "count": self.count, "last": self.last}

    # -- moves

    def do(self, seat: int, action: actions.Action, chance: Chance) -> list[Happening]:
        """Work off a slap: right, the table's cards go under the slapper's stack; wrong, it costs a card."""
        self.claimed.append(seat)
        if NUMBERS[cards.rank(self.table[-1])] == self.count:
            return self._take_table(seat)
        payee = self.left_of(seat) if seat == self.last else self.last
        paid = bool(self.stacks[seat])
        if paid:
            self.stacks[payee].append(self.stacks[seat].pop(0))
        return [Noted("wrong_slap", seat, {"to": payee, "cards": int(paid), "flip": self.flips})]

    def _take_table(self, seat: int) -> list[Happening]:
        taken = self.table
        self.table = []
        self.stacks[seat].extend(taken)
        happenings: list[Happening] = [Noted("right_slap", seat, {"cards": len(taken), "flip": self.flips})]
        return happenings + self._go_on(seat, 1)

    def close(self) -> list[Happening]:
        """Close a match that nobody slapped; the next seat in turns the next card with the next count."""
        return self._go_on(None, self.count % LAST_NUMBER + 1)

    def _go_on(self, seat: int | None, count: int) -> list[Happening]:
        happenings = self.drop_empty(self.dealer)
        happenings += self.finish_if_over(spent=self.flips, limit=self.rules.max_flips)
        if self.outcome is not None:
            return happenings
        return happenings + self._turn_card(self.left_of(self.last) if seat is None else seat, count)


class CountOff(WindowGame):
    """The game."""

    id = "count_off"
    name = texts.COUNT_OFF
    summary = texts.COUNT_OFF_SUMMARY
    terms = texts.COUNT_OFF_TERMS
    rules_type: type[SurvivalRules] = CountOffRules
    round_type = CountOffRound
    open_cards = True
    fewest, most = 2, 10


GAME = CountOff()
