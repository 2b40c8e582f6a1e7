"""A round of baccarat: two cards, bets, third cards by the table."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec

from services.rules.banker.engine import SHOWDOWN
from services.rules.banker.peek import PeekRound, PeekRules
from services.rules.cards import Card
from services.rules.happenings import Happening, Noted, Phase
from services.rules.ranking import pip_counts

DRAWS_TO: Final = 5
"""A seat with so many points or fewer draws a third card."""

NATURALS: Final = (8, 9)

BANKER_DRAWS: Final[Mapping[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset(range(10)) - {8},
    4: frozenset(range(2, 8)),
    5: frozenset(range(4, 8)),
    6: frozenset({6, 7}),
    7: frozenset(),
    8: frozenset(),
    9: frozenset(),
}
"""By the banker's points: the values of the consulted seat's third card on which it draws."""

USED: Final = "used"
"""Key of the memory: the cards that the match has used."""


class BaccaratRules(PeekRules, frozen=True, kw_only=True):
    """House rules."""

    players: ClassVar[tuple[int, int]] = (1, 7)

    naturals_end: bool = True


def points(cards: Sequence[Card]) -> int:
    """Count a hand: the last digit of the sum, 10 J Q K being nought."""
    return pip_counts.last_digit(cards)


def banker_draws(own: int, seat: int, third: Card | None, *, naturals_end: bool) -> bool:
    """Say whether a banker with so many points draws.

    ``seat`` are the consulted seat's points of two cards, ``third`` the card that it drew, if it did.
    """
    if third is not None:
        return pip_counts.value(third, 0) in BANKER_DRAWS[own]
    return own <= DRAWS_TO and not (naturals_end and seat in NATURALS)


class BaccaratRound(PeekRound, kw_only=True):
    """``used``: cards of the match's earlier rounds, seen by everybody when they were played."""

    rules: BaccaratRules
    used: list[Card] = msgspec.field(default_factory=list)

    def deal_first(self) -> list[Happening]:
        """Deal one card face down to each hand, then one face up to each seat and one face down to the banker."""
        seats = [(seat, hand) for seat, hand in self.takers() if seat is not None and seat != self.bank.seat]
        down = self.deal(self.takers())
        return [*down, *self.deal(seats, up=True), *self.deal([self.bank_taker()])]

    def deal_rest(self) -> list[Happening]:
        """Draw third cards by the table and settle; there is nothing to choose."""
        happened: list[Happening] = [Phase("play")]
        bank = points(self.bank_hand.cards)
        if not (self.rules.naturals_end and bank in NATURALS):
            happened += self.draw_all(bank)
        happened += [Phase(SHOWDOWN), *self.show(self.takers())]
        bank = points(self.bank_hand.cards)
        happened.append(Noted("total", self.bank.seat, {"total": bank}))
        reckoning = self.reckon()
        for seat in self.bettors():
            own, bet = points(self.hands[seat].cards), self.bets[seat]
            happened.append(Noted("total", seat, {"total": own}))
            if own > bank:
                reckoning.won(seat, "bet", bet, bet, "win")
            elif own < bank:
                reckoning.lost(seat, "bet", bet, bet, "lose")
            else:
                reckoning.returned(seat, "bet", bet)
        return happened + self.finish(reckoning)

    def draw_all(self, bank: int) -> list[Happening]:
        """Let the seats draw in the dealing order, then the banker."""
        happened: list[Happening] = []
        consulted = self.consulted()
        two_cards, third = points(self.hands[consulted].cards), None
        for seat in self.bettors():
            if points(self.hands[seat].cards) <= DRAWS_TO:
                happened += self.deal([(seat, self.hands[seat])], up=True)
                third = self.hands[seat].cards[-1] if seat == consulted else third
        happened.append(Noted("consulted", consulted))
        if banker_draws(bank, two_cards, third, naturals_end=self.rules.naturals_end):
            happened += self.deal([self.bank_taker()], up=True)
        return happened

    def consulted(self) -> int:
        """Give the seat with the largest bet, of equal ones the first in the dealing order [baccarat D2]."""
        return max(self.bettors(), key=lambda seat: self.bets[seat])

    def kept(self, *, counts: bool) -> dict[str, Any]:
        """Keep the cards that this match has used, beside the bank."""
        dealt = self.stock.cards[: self.stock.next]
        return {**super().kept(counts=counts), USED: sorted([*self.used, *dealt])}
