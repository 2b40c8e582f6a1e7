"""Plays whole rounds by themselves, on the rules alone: no server, no log, no money.

Pure: chance of the deck and of the players are arguments. What a round is worth in chips says the house room
(``services.house.returns`` counts returns to player over many rounds).
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from services.rules import actions, random_play
from services.rules.cards import Card
from services.rules.chance import Chance, Rng
from services.rules.game import Game, HouseRules, Round, Table
from services.rules.offers import Option

T = TypeVar("T")

Strategy = Callable[[Round, int, Sequence[Option]], actions.Action]
"""Chooses an action for a seat out of its options (at least one)."""

MOST_MOVES = 20_000
"""Far above the longest round of any sheet; a round that takes more does not end."""


class DrawnChance:
    """Chance of a generator that nothing is at stake for."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the pack in random order, from the top."""
        order = list(pack)
        for place in range(len(order) - 1, 0, -1):
            other = self._rng.randrange(place + 1)
            order[place], order[other] = order[other], order[place]
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return one of the options."""
        del what
        return options[self._rng.randrange(len(options))]

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw dice."""
        return tuple(1 + self._rng.randrange(6) for _ in range(count))


def strategy_of(game: Game, rng: Rng) -> Strategy:
    """Return the game's own strategy, or a random legal action where it names none."""

    def choose(round_: Round, seat: int, offered: Sequence[Option]) -> actions.Action:
        return game.strategy(round_, seat, offered, rng) or random_play.sample(offered, rng)

    return choose


def play_round(game: Game, rules: HouseRules, table: Table, chance: Chance, strategy: Strategy) -> Round:
    """Play one round to its end and return it; its ``outcome`` is set.

    Seats that are waited for act one after another, each by the strategy; a deadline passes where no seat can act.
    Raises Refused where no round can start.
    """
    round_, _ = game.start(rules, table, chance)
    for _ in range(MOST_MOVES):
        waiting = round_.waiting()
        if waiting is None:
            assert round_.outcome is not None, f"{game.id} waits for nothing and has no outcome"
            return round_
        for seat in waiting.seats:
            if offered := round_.options(seat):
                round_.act(seat, strategy(round_, seat, offered), chance)
                break
        else:
            round_.on_timeout(chance)
    raise AssertionError(f"a round of {game.id} did not end within {MOST_MOVES} moves")
