"""Games in which hands are compared: modest multiples, higher ones on a good hand, and then the hand is laid open."""

from typing import Final

from services.players.seen import Seen
from services.players.strategies import common
from services.rules import actions
from services.rules.chance import Rng
from services.rules.offers import OneOf
from services.rules.ranking import pip_counts

GOOD_POINTS: Final = 7
"""Points from which a hand of counted pips is good."""


def choose(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose an action of a showdown game."""
    return multiple(seen, rng) or common.plain(seen, "reveal")


def multiple(seen: Seen, rng: Rng) -> actions.Action | None:
    """Choose a multiple of the base where one is asked for; cards that are seen before raise it."""
    option = seen.find("bet_multiple")
    if option is None:
        return None
    able = option.option.arguments["multiple"]
    assert isinstance(able, OneOf), "multiples are listed"
    values = sorted(int(value) for value in able.values)
    own = seen.own()
    good = bool(own) and pip_counts.last_digit(own) >= GOOD_POINTS
    some = values[len(values) // 2 :] if good else values[: 1 + len(values) // 2]
    return actions.BetMultiple(some[rng.randrange(len(some))])
