"""How fast Fight the Landlord is played: random games of ours against random games of RLCard.

RLCard lists every legal play before each decision and cannot be stepped without. Ours is measured in the same way, and
with decisions that are given, as a house gets them from its players. A game begins with the deal; on our side somebody
bids 3, where RLCard appoints the landlord.
"""

import random
from typing import Any, Final

from services.rules import actions
from services.rules.climbing.dou_dizhu import GAME, DouDizhuRules
from services.rules.game import Table
from services.rules.offers import Option, Sets
from tests.bench.rules_bench import per_second
from tests.support.rlcard_games import Game
from tests.support.seeded import Seeded

GAMES: Final = 50
"""Games of which the decisions are given again."""

Decisions = list[tuple[int, actions.Action]]


def play_ours(seed: int) -> Decisions:
    """Play a game of random legal plays, all of them listed before each; return the decisions."""
    chance = Seeded(seed, ("card",))
    round_, _ = GAME.start(DouDizhuRules(), Table(chips=dict.fromkeys(range(3), 100)), chance)
    made: Decisions = []

    def act(action: actions.Action) -> None:
        made.append((round_.turn, action))
        round_.act(round_.turn, action, chance)

    act(actions.Bid(3))
    while round_.outcome is None:
        act(chance.random.choice(_choices(round_.options(round_.turn))))
    return made


def _choices(options: list[Option]) -> list[actions.Action]:
    found: list[actions.Action] = []
    for option in options:
        if option.action == "pass":
            found.append(actions.Pass())
            continue
        offered = option.arguments["cards"]
        assert isinstance(offered, Sets), f"{option.action} is no play of cards"
        found += map(actions.Play, offered.sets)
    return found


def play_given(seed: int, decisions: Decisions) -> None:
    """Play the game of a seed by the decisions that were made in it."""
    chance = Seeded(seed, ("card",))
    round_, _ = GAME.start(DouDizhuRules(), Table(chips=dict.fromkeys(range(3), 100)), chance)
    for seat, action in decisions:
        round_.act(seat, action, chance)
    assert round_.outcome is not None, f"the decisions of game {seed} do not end it"


def play_theirs(game: Any, chance: random.Random) -> None:
    """Play a game of random legal plays with RLCard."""
    state, _ = game.init_game()
    while not game.is_over():
        state, _ = game.step(chance.choice(state["actions"]))


def compare() -> list[tuple[str, float, float]]:
    """Measure; each line is what, ours per second, theirs per second."""
    made = [play_ours(seed) for seed in range(GAMES)]
    game, chance = Game(), random.Random(1)

    def theirs() -> int:
        for _ in range(GAMES):
            play_theirs(game, chance)
        return GAMES

    def ours() -> int:
        return len([play_ours(seed) for seed in range(GAMES)])

    def given() -> int:
        for seed, decisions in enumerate(made):
            play_given(seed, decisions)
        return GAMES

    beside = per_second(theirs)
    return [
        ("random games of Fight the Landlord, every legal play listed, beside RLCard", per_second(ours), beside),
        ("the same with given decisions", per_second(given), beside),
    ]
