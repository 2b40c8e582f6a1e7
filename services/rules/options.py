"""A random player: picks legal actions out of what a seat may do, for tests, simulations and load.

Pure: chance is an argument. ``contains`` says whether an action is listed, ``enumerate_actions`` lists them.
"""

import itertools
from collections.abc import Iterator, Sequence
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


def enumerate_actions(option: Option, limit: int) -> list[actions.Action]:
    """List up to ``limit`` of the actions that an option stands for, the ends of every range among the first."""
    names = list(option.arguments)
    values = [itertools.islice(_values(option.arguments[name]), limit) for name in names]
    return [
        actions.build(option.action, dict(zip(names, combination, strict=True)))
        for combination in itertools.islice(itertools.product(*values), limit)
    ]


def _values(choice: Choice) -> Iterator[Any]:
    match choice:
        case Between(least, most):
            yield least
            if most > least:
                yield most
                yield from range(least + 1, most)
        case OneOf(values):
            yield from values
        case SomeOf(cards, least, most):
            for count in range(least, most + 1):
                yield from itertools.combinations(cards, count)
        case Sets(sets):
            yield from sets


def contains(options: Sequence[Option], action: actions.Action) -> bool:
    """Return whether an action is one of those listed; cards may stand in any order."""
    given = actions.arguments(action)
    return any(
        option.action == action.name
        and given.keys() == option.arguments.keys()
        and all(_holds(choice, given[name]) for name, choice in option.arguments.items())
        for option in options
    )


def _holds(choice: Choice, value: Any) -> bool:
    match choice:
        case Between(least, most):
            return isinstance(value, int) and least <= value <= most
        case OneOf(values):
            return value in values
        case SomeOf(cards, least, most):
            return least <= len(value) <= most and len(set(value)) == len(value) and set(value) <= set(cards)
        case Sets(sets):
            return any(sorted(value) == sorted(one) for one in sets)
