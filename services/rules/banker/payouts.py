"""Claims and stakes of a round against one bank, bet by bet."""

import msgspec

from services.rules.outcomes import Claim, Party, Stake


class Payouts(msgspec.Struct):
    """Claims and stakes of a round while they are worked out, all between players and one bank."""

    bank: Party
    claims: list[Claim] = []
    stakes: list[Stake] = []

    def won(self, seat: int, bet: str, stake: int, pays: int, why: str) -> None:
        """Let the bank owe a seat so many chips for a bet; one that wins nought chips was decided all the same."""
        self.stakes.append(Stake(seat, bet, stake, stake))
        if pays:
            self.claims.append(Claim(self.bank, seat, pays, why))

    def lost(self, seat: int, bet: str, stake: int, owes: int, why: str) -> None:
        """Let a seat owe the bank so many chips for a bet."""
        self.stakes.append(Stake(seat, bet, stake, stake))
        self.claims.append(Claim(seat, self.bank, owes, why))

    def returned(self, seat: int, bet: str, stake: int) -> None:
        """Nobody owes anything; the bet was not decided and is no turnover."""
        self.stakes.append(Stake(seat, bet, stake, 0))
