"""The two ways in which hands are paid: one winner takes from all (通比), or every pair is compared."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from services.rules import actions, keys
from services.rules.chance import Chance
from services.rules.happenings import Happening, Noted
from services.rules.offers import OneOf, Option
from services.rules.outcomes import Claim, Outcome, Stake
from services.rules.phases import Phase
from services.rules.ranking.pip_counts import Ranked
from services.rules.refusals import Reason, Refused
from services.rules.showdown.table import MULTIPLES, Deal, Reveal, ShowdownRound, ShowdownRules, silent, verify_once

STAKE = "stake"
"""Name of the one bet that a seat has in these games."""


class OneWinnerRules(ShowdownRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of the two 通比 games; ``multiples`` are what a seat may choose from."""

    multiples: keys.Multiples = (1, 2, 3, 4, 5)

    def greatest_claim(self) -> int:
        """Return the most that one seat can owe another, in chips: both chose the greatest multiple."""
        return super().greatest_claim() * max(self.multiples, default=1) ** 2


Chosen = ShowdownRound[OneWinnerRules]


class Multiples(Phase[Chosen], frozen=True):
    """The window in which seats choose their multiples, before the deal."""

    time = "bet_seconds"

    name: str = MULTIPLES

    def begin(self, round_: Chosen, chance: Chance, log: list[Happening]) -> bool:
        """Open the window; logs count its clock as 0."""
        round_.clock -= 1
        return super().begin(round_, chance, log)

    def asked(self, round_: Chosen) -> Sequence[int]:
        """List the seats that have not chosen."""
        return silent(round_)

    def options(self, round_: Chosen, seat: int) -> list[Option]:
        """List the table's multiples."""
        return [] if seat in round_.acted else [Option("bet_multiple", {"multiple": OneOf(round_.rules.multiples)})]

    def verify(self, round_: Chosen, seat: int, action: actions.Action) -> None:
        """Test that the action chooses a multiple of the table, once."""
        verify_once(round_, seat, action, actions.BetMultiple)
        offered = round_.rules.multiples
        if isinstance(action, actions.BetMultiple) and action.multiple not in offered:
            right = ", ".join(map(str, offered))
            message = f"multiple {action.multiple} is not offered; choose from {right}"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"choices": right})

    def do(self, round_: Chosen, seat: int, action: actions.Action, chance: Chance, log: list[Happening]) -> bool:
        """Take a multiple; the last one closes the window."""
        round_.acted.append(seat)
        if isinstance(action, actions.BetMultiple):
            round_.multiples[seat] = action.multiple
            log.append(Noted("multiple", seat, {"multiple": action.multiple}))
        return len(round_.acted) == len(round_.seats)

    def forced(self, round_: Chosen, seat: int) -> actions.AnyAction:
        """Choose the first multiple."""
        return actions.BetMultiple(round_.rules.multiples[0])


class OneWinner(Phase[Chosen], frozen=True):
    """The best hand, always one seat's, is owed by every other seat [showdown "One winner takes from all"]."""

    def begin(self, round_: Chosen, chance: Chance, log: list[Happening]) -> bool:
        """Claim ``base × multiplier × winner's multiple × loser's multiple`` from every other seat."""
        rules, ranked = round_.rules, ranked_hands(round_)
        winner = max(ranked, key=lambda seat: ranked[seat].key)
        category = ranked[winner].category
        unit = rules.base * rules.factors()[category] * round_.multiples[winner]
        outcome = Outcome(
            claims=tuple(
                Claim(payer=seat, payee=winner, amount=unit * round_.multiples[seat], why=category)
                for seat in round_.seats
                if seat != winner
            ),
            pairwise=True,
            stakes=stakes(round_),
            facts={"winner": [winner], **hands(ranked)},
            button=round_.button,
        )
        round_.finish(outcome, log)
        return False


class EveryPair(Phase[ShowdownRound], frozen=True):
    """Every two hands are compared, the better one is owed by the other; equal hands tie (san_gong)."""

    def begin(self, round_: ShowdownRound, chance: Chance, log: list[Happening]) -> bool:
        """Claim ``base × multiplier of the better hand`` for every pair; wins are capped from the best hand down."""
        rules, ranked = round_.rules, ranked_hands(round_)
        claims = []
        for pair in combinations(round_.seats, 2):
            worse, better = sorted(pair, key=lambda seat: ranked[seat].key)
            if ranked[worse].key != ranked[better].key:
                category = ranked[better].category
                amount = rules.base * rules.factors()[category]
                claims.append(Claim(payer=worse, payee=better, amount=amount, why=category))
        outcome = Outcome(
            claims=tuple(claims),
            pairwise=True,
            # Sorting keeps the dealing order of equal hands, also backwards.
            cap_order=tuple(sorted(round_.seats, key=lambda seat: ranked[seat].key, reverse=True)),
            stakes=stakes(round_),
            facts=hands(ranked),
            button=round_.button,
        )
        round_.finish(outcome, log)
        return False


ONE_WINNER: Final = (Multiples(), Deal(), Reveal(), OneWinner())
EVERY_PAIR: Final = (Deal(), Reveal(), EveryPair())
"""The phases of the two kinds of games."""


def ranked_hands(round_: ShowdownRound[Any]) -> dict[int, Ranked]:
    """Rank all hands, by seat in dealing order."""
    return {seat: round_.rank(round_.hands[seat]) for seat in round_.seats}


def stakes(round_: ShowdownRound[Any]) -> tuple[Stake, ...]:
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
