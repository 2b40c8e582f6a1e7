"""Claims and stakes of a round against one bank, bet by bet."""

import msgspec

from services.rules.outcomes import Claim, Party, Stake


class Payouts(msgspec.Struct):
    """Claims and stakes of a round, collected bet by bet; all are between players and one bank."""

    bank: Party
    claims: list[Claim] = []
    stakes: list[Stake] = []

    def won(self, seat: int, bet: str, stake: int, pays: int, why: str) -> None:
        """Record that the bank owes a seat ``pays`` chips for a bet; a win of 0 chips also counts as decided."""
        self.stakes.append(Stake(seat, bet, stake, stake))
        if pays:
            self.claims.append(Claim(self.bank, seat, pays, why))

    def lost(self, seat: int, bet: str, stake: int, owes: int, why: str) -> None:
        """Record that a seat owes the bank ``owes`` chips for a bet."""
        self.stakes.append(Stake(seat, bet, stake, stake))
        self.claims.append(Claim(seat, self.bank, owes, why))

    def settled(self, seat: int, bet: str, stake: int, win: int | None) -> None:
        """Record a bet by the chips that it wins: a negative win loses the stake, None returns it."""
        if win is None:
            self.returned(seat, bet, stake)
        elif win < 0:
            self.lost(seat, bet, stake, stake, bet)
        else:
            self.won(seat, bet, stake, win, bet)

    def returned(self, seat: int, bet: str, stake: int) -> None:
        """Record a returned bet: nobody owes anything, and it does not count as turnover."""
        self.stakes.append(Stake(seat, bet, stake, 0))
