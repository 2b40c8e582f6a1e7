"""Whist by the sheet, see ``sheet_common``."""

from typing import Any

from tests.rules.tricks.sheet_common import Reading


class Whist(Reading):
    """``takers`` lists the winner of each trick."""

    def least(self) -> int:
        """Return twice the base."""
        return 2 * int(self.rules["base"])

    def begin(self) -> None:
        """Deal thirteen cards each; the dealer's last card shows trumps [whist Play 1]."""
        self.takers: list[int] = []
        self.deal(13, self.order)
        self.trump = self.hands[self.button][-1][1]

    def pairs(self) -> tuple[set[int], set[int]]:
        """Return both pairs of partners: they sit opposite each other [whist Play 2]."""
        first, second, third, dealer = self.order
        return {first, third}, {second, dealer}

    def won(self, winner: int) -> None:
        """Note the taker; after thirteen tricks the odd ones are paid [whist "Pays"]."""
        self.takers.append(winner)
        self.done = len(self.takers) == 13
        if not self.done:
            return
        for winners, losers in (self.pairs(), self.pairs()[::-1]):
            odd = sum(taker in winners for taker in self.takers) - 6
            for loser in losers:
                for seat in winners:
                    self.pay(loser, seat, max(odd, 0) * self.rules["base"])

    def facts(self) -> dict[str, Any]:
        """Return the sides, the tricks of each seat, and the winning pair."""
        eldest, _ = self.pairs()
        side = {seat: 1 if seat in eldest else 2 for seat in self.order}
        won = max(self.pairs(), key=lambda pair: sum(taker in pair for taker in self.takers))
        counted = {seat: self.takers.count(seat) for seat in sorted(set(self.takers))}
        return {"sides": side, "tricks": counted, "winner": sorted(won)}
