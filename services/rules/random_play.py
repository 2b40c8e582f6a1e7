"""A random player: picks legal actions out of what a seat may do, for tests, simulations and load.

Pure: chance is an argument.
"""

from collections.abc import Sequence
from typing import Any

from services.rules import actions
from services.rules.chance import Rng
from services.rules.offers import Between, Choice, OneOf, Option, Sets, SomeOf


def sample(options: Sequence[Option], rng: Rng) -> actions.Action:
    """Pick one of the options, then values for its arguments, at random; there must be at least one option."""
    assert options, "there is nothing to choose from"
    option = options[rng.randrange(len(options))]
    return actions.build(option.action, {name: _pick(choice, rng) for name, choice in option.arguments.items()})


def _pick(choice: Choice, rng: Rng) -> Any:
    match choice:
        case Between(least, most):
            return _pick_number(least, most, rng)
        case OneOf(values):
            return values[rng.randrange(len(values))]
        case SomeOf(cards, least, most):
            rest = list(cards)
            return tuple(rest.pop(rng.randrange(len(rest))) for _ in range(least + rng.randrange(most - least + 1)))
        case Sets(sets):
            return sets[rng.randrange(len(sets))]


def _pick_number(least: int, most: int, rng: Rng) -> int:
    """Pick from a range, its ends and small values often, as people bet; both ends find faults."""
    match rng.randrange(8):
        case 0 | 1 | 2:
            return least
        case 3 | 4 | 5:
            return least + rng.randrange(min(most - least, 2 * least + 10) + 1)
        case 6:
            return least + rng.randrange(most - least + 1)
        case _:
            return most
