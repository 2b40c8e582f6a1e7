"""Return to player, house edge and hit rates over many rounds [R30], limits, caps and fees included.

``ALL`` compares the chips at stake with the chips after the posting. Single bets, if the game has any, are compared
with the claims that they caused, before limits, caps and fees.
"""

import math
from dataclasses import dataclass, field
from typing import Final

from services.house import pipeline
from services.house.settlement import Posting
from services.rules import simulate
from services.rules.chance import Chance
from services.rules.game import Game, HouseRules, Table
from services.rules.outcomes import Claim, Outcome
from services.rules.simulate import Strategy

ALL: Final = "all"
"""Name of the line that takes all bets of a seat together, after the posting."""

Z95: Final = 1.959963984540054
"""Half the width of a 95 % confidence interval, in standard errors."""


@dataclass(slots=True)
class Line:
    """Sums over rounds for one bet; a round counts with the chips of all its seats, for they share its cards.

    ``placed``: seats that had chips on it; ``hits``: those that got back more than they had at stake.
    """

    placed: int = 0
    hits: int = 0
    rounds: int = 0
    staked: int = 0
    turnover: int = 0
    returned: int = 0
    squares: tuple[int, int, int] = (0, 0, 0)
    """Sums of staked², staked × returned, returned² over rounds."""

    def add(self, bets: list[tuple[int, int, int]]) -> None:
        """Count one round: for each seat what it staked, its turnover, and what it got back."""
        staked, turnover, returned = (sum(column) for column in zip(*bets, strict=True))
        self.placed += len(bets)
        self.hits += sum(back > stake for stake, _, back in bets)
        self.rounds += 1
        self.staked += staked
        self.turnover += turnover
        self.returned += returned
        one, two, three = self.squares
        self.squares = (one + staked * staked, two + staked * returned, three + returned * returned)

    def join(self, other: "Line") -> None:
        """Count the rounds of another line too."""
        self.placed += other.placed
        self.hits += other.hits
        self.rounds += other.rounds
        self.staked += other.staked
        self.turnover += other.turnover
        self.returned += other.returned
        one, two, three = self.squares
        more = other.squares
        self.squares = (one + more[0], two + more[1], three + more[2])

    @property
    def return_to_player(self) -> float:
        """Chips returned for each chip staked; nan where none was."""
        return self.returned / self.staked if self.staked else math.nan

    @property
    def house_edge(self) -> float:
        """Chips that the house keeps of each chip staked; nan where none was."""
        return 1 - self.return_to_player

    @property
    def hit_rate(self) -> float:
        """Share of the bets that won; nan where none was placed."""
        return self.hits / self.placed if self.placed else math.nan

    @property
    def standard_error(self) -> float:
        """Standard error of the return to player, by the variance of a ratio of sums over rounds."""
        if not self.staked:
            return math.nan
        ratio = self.return_to_player
        one, two, three = self.squares
        return math.sqrt(max(0.0, three - 2 * ratio * two + ratio * ratio * one)) / self.staked

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds of the 95 % confidence interval of the return to player."""
        half = Z95 * self.standard_error
        return (self.return_to_player - half, self.return_to_player + half)


@dataclass(slots=True)
class Simulation:
    """What came out of the rounds played so far; ``lines`` by bet, ``ALL`` first."""

    rounds: int = 0
    fees: int = 0
    house: int = 0
    greatest_win: int = 0
    lines: dict[str, Line] = field(default_factory=lambda: {ALL: Line()})

    def add(self, outcome: Outcome, posting: Posting) -> None:
        """Count a round that was settled."""
        self.rounds += 1
        self.fees += posting.fee
        self.house += posting.house
        self.greatest_win = max(self.greatest_win, *posting.net.values(), 0)
        staked: dict[int, int] = {}
        turnover: dict[int, int] = {}
        for stake in outcome.stakes:
            staked[stake.seat] = staked.get(stake.seat, 0) + stake.amount
            turnover[stake.seat] = turnover.get(stake.seat, 0) + stake.turnover
        if staked:
            self.lines[ALL].add([(staked[s], turnover[s], staked[s] + posting.net[s]) for s in staked])
        # A pot's payments belong to no single bet.
        if not outcome.pots:
            self._add_bets(outcome)

    def _add_bets(self, outcome: Outcome) -> None:
        won = bet_results(outcome)
        by_bet: dict[str, list[tuple[int, int, int]]] = {}
        for (seat, bet), (amount, turnover) in _by_bet(outcome).items():
            by_bet.setdefault(bet, []).append((amount, turnover, amount + won.get((seat, bet), 0)))
        for bet, entries in by_bet.items():
            self.lines.setdefault(bet, Line()).add(entries)

    def edge_on(self, bet: str) -> float:
        """Chips that the seats lose in all for each chip staked on one bet (an ante that further bets follow)."""
        line, everything = self.lines[bet], self.lines[ALL]
        return (everything.staked - everything.returned) / line.staked if line.staked else math.nan


def bet_results(outcome: Outcome) -> dict[tuple[int, str], int]:
    """Return what each seat won or lost on each bet, before limits: its claims because of the bet.

    A claim whose reason is not a bet of the seat counts for the seat's only bet, if it has exactly one.
    """
    bets: dict[int, list[str]] = {}
    for seat, bet in _by_bet(outcome):
        bets.setdefault(seat, []).append(bet)
    won: dict[tuple[int, str], int] = {}
    for claim in outcome.claims:
        for party, sign in ((claim.payee, 1), (claim.payer, -1)):
            named = _bet_of(claim, bets.get(party, [])) if isinstance(party, int) else None
            if isinstance(party, int) and named is not None:
                won[party, named] = won.get((party, named), 0) + sign * claim.amount
    return won


def _bet_of(claim: Claim, bets: list[str]) -> str | None:
    if claim.why in bets:
        return claim.why
    return bets[0] if len(bets) == 1 else None


def _by_bet(outcome: Outcome) -> dict[tuple[int, str], tuple[int, int]]:
    found: dict[tuple[int, str], tuple[int, int]] = {}
    for stake in outcome.stakes:
        amount, turnover = found.get((stake.seat, stake.bet), (0, 0))
        found[stake.seat, stake.bet] = (amount + stake.amount, turnover + stake.turnover)
    return found


def run(
    game: Game, rules: HouseRules, chips: dict[int, int], rounds: int, *, chance: Chance, strategy: Strategy
) -> Simulation:
    """Play so many rounds at one table and count them; every seat starts every round with its chips of the beginning.

    The game's own state is carried from round to round (button, memory, pool). Raises Refused if no round can start.
    """
    simulation = Simulation()
    table = Table(chips=chips)
    for number in range(1, rounds + 1):
        round_ = simulate.play_round(game, rules, table, chance, strategy)
        assert round_.outcome is not None, "a round that was played has its outcome"
        posting = pipeline.settle(round_.outcome, rules, round_.carry, table.pot)
        held = {seat: chips[seat] + posting.net.get(seat, 0) for seat in chips}
        outcome = game.after_settlement(rules, round_.outcome, held)
        simulation.add(outcome, posting)
        table = Table(
            chips=chips,
            button=outcome.button if outcome.counts and outcome.button is not None else table.button,
            pot=table.pot + posting.pot,
            memory=outcome.memory,
            round_number=number + 1,
        )
    return simulation
