"""The two ways in which hands are paid: one winner takes from all (通比), or every pair is compared."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from services.rules import keys
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.ranking.pip_counts import Ranked
from services.rules.showdown.engine import MULTIPLES, ShowdownRound, ShowdownRules

STAKE = "stake"
"""Name of the one bet that a seat has in these games."""


class OneWinnerRules(ShowdownRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of the two 通比 games; ``multiples`` are what a seat may choose from."""

    multiples: keys.Multiples = (1, 2, 3, 4, 5)

    def greatest_claim(self) -> int:
        """Return the most that one seat can owe another, in chips: both chose the greatest multiple."""
        return super().greatest_claim() * max(self.multiples, default=1) ** 2


class OneWinnerRound(ShowdownRound, kw_only=True):
    """The best hand, always one seat's, is owed by every other seat [showdown "One winner takes from all"]."""

    rules: OneWinnerRules
    phase: str = MULTIPLES

    def choices(self) -> tuple[int, ...]:
        """List the table's multiples."""
        return self.rules.multiples

    def compare(self, ranked: dict[int, Ranked]) -> Outcome:
        """Claim ``base × multiplier × winner's multiple × loser's multiple`` from every other seat."""
        winner = max(ranked, key=lambda seat: ranked[seat].key)
        category = ranked[winner].category
        unit = self.rules.base * self.rules.factors()[category] * self.multiples[winner]
        return Outcome(
            claims=tuple(
                Claim(payer=seat, payee=winner, amount=unit * self.multiples[seat], why=category)
                for seat in self.seats
                if seat != winner
            ),
            pairwise=True,
            stakes=stakes(self),
            facts={"winner": [winner], **hands(ranked)},
            button=self.button,
        )


class EveryPairRound(ShowdownRound, kw_only=True):
    """Every two hands are compared, the better one is owed by the other; equal hands tie (san_gong)."""

    def compare(self, ranked: dict[int, Ranked]) -> Outcome:
        """Claim ``base × multiplier of the better hand`` for every pair; wins are capped from the best hand down."""
        claims = []
        for pair in combinations(self.seats, 2):
            worse, better = sorted(pair, key=lambda seat: ranked[seat].key)
            if ranked[worse].key != ranked[better].key:
                category = ranked[better].category
                amount = self.rules.base * self.rules.factors()[category]
                claims.append(Claim(payer=worse, payee=better, amount=amount, why=category))
        return Outcome(
            claims=tuple(claims),
            pairwise=True,
            # Sorting keeps the dealing order of equal hands, also backwards.
            cap_order=tuple(sorted(self.seats, key=lambda seat: ranked[seat].key, reverse=True)),
            stakes=stakes(self),
            facts=hands(ranked),
            button=self.button,
        )


def stakes(round_: ShowdownRound) -> tuple[Stake, ...]:
    """List what each seat had at stake; all of it is turnover, for every round is decided."""
    return tuple(
        Stake(seat=seat, bet=STAKE, amount=round_.stake(seat), turnover=round_.stake(seat)) for seat in round_.seats
    )


def hands(ranked: Mapping[int, Ranked]) -> dict[str, Any]:
    """Return each seat's category, and its points where the category counts any."""
    return {
        "hands": {seat: ranked[seat].category for seat in sorted(ranked)},
        "points": {seat: ranked[seat].points for seat in sorted(ranked) if ranked[seat].points is not None},
    }
