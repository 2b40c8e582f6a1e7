"""The report of ``pitboss simulate``: returns, house edge and hit rates of one game, from the rules alone."""

import math
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import typer

from services.house import returns
from services.house.returns import Line, Simulation
from services.rules import catalogue, simulate
from services.rules.cards import Card
from services.rules.game import Game, HouseRules
from services.rules.refusals import Refused

T = TypeVar("T")

DIGITS = 6


class _Chance:
    """Chance of a seeded generator, so that a simulation can be repeated."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        order = list(pack)
        self._rng.shuffle(order)
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        del what
        return options[self._rng.randrange(len(options))]

    def dice(self, count: int) -> tuple[int, ...]:
        return tuple(self._rng.randint(1, 6) for _ in range(count))


def run(game: str, rounds: int, seats: int, chips: int, seed: int) -> dict[str, Any]:
    """Play ``rounds`` rounds by the default house rules. ``seats`` 0: the fewest that the game allows.

    Return ``game``, ``rounds``, ``seats``, ``note`` and ``bets``: for each bet how many there were, the chips
    ``staked``, the return to player ``rtp`` with its 95 % confidence interval (``low``, ``high``), the house's ``edge``
    and the share of bets that won (``hits``). A figure without stakes is None. Raises
    typer.BadParameter.
    """
    if game not in catalogue.FILES:
        raise typer.BadParameter(f"there is no game {game!r}; the catalogue has {', '.join(catalogue.FILES)}")
    played = catalogue.game(game)
    rules = played.rules_type()
    taken = seats or rules.min_seats
    if taken < rules.min_seats or (rules.max_seats and taken > rules.max_seats):
        raise typer.BadParameter(f"{game} is played by {rules.min_seats} to {rules.max_seats} seats, not by {taken}")
    chance = _Chance(random.Random(f"{seed} deck"))
    strategy = simulate.strategy_of(played, random.Random(f"{seed} players"))
    table = dict.fromkeys(range(taken), chips)
    try:
        found = returns.run(played, rules, table, rounds, chance=chance, strategy=strategy)
    except Refused as refusal:
        raise typer.BadParameter(f"no round can start: {refusal}") from None
    return {
        "game": game,
        "rounds": found.rounds,
        "seats": taken,
        "bets": [_line(bet, line) for bet, line in found.lines.items()],
        "note": _note(played, rules, found),
    }


def _line(bet: str, line: Line) -> dict[str, Any]:
    low, high = line.interval
    return {
        "bet": bet,
        "bets": line.placed,
        "staked": line.staked,
        "rtp": _figure(line.return_to_player),
        "low": _figure(low),
        "high": _figure(high),
        "edge": _figure(line.house_edge),
        "hits": _figure(line.hit_rate),
    }


def _figure(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DIGITS)


def _note(game: Game, rules: HouseRules, found: Simulation) -> str:
    own = type(game).strategy is not Game.strategy
    how = "played by the strategy that the game's return is stated for" if own else "played by legal actions at random"
    fees = f"fees and rake {found.fees}, house {found.house:+d}, greatest win of a seat {found.greatest_win}"
    return f"{how}; {fees}; {'; '.join(game.warnings(rules))}".rstrip("; ")
