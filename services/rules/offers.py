"""Offers: what a round waits for, and what a seat may do now with which values."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from services.rules import actions
from services.rules.cards import Card
from services.rules.text import Text

MIN: Final = "min"
HALF_POT: Final = "half_pot"
POT: Final = "pot"
MAX: Final = "max"

WORDS: Final[dict[str, Text]] = {
    MIN: Text("least", "最小", "最小"),
    HALF_POT: Text("half pot", "半池", "半池"),
    POT: Text("pot", "底池", "底池"),
    MAX: Text("most", "最大", "最大"),
}
"""Words of the amounts that are suggested."""


class Between(msgspec.Struct, frozen=True, tag="between"):
    """Any whole number from ``least`` to ``most``, both included."""

    least: int
    most: int


class OneOf(msgspec.Struct, frozen=True, tag="one_of"):
    """One of these values (suits, spots, sides, seats, single cards)."""

    values: tuple[str, ...] | tuple[int, ...]


class SomeOf(msgspec.Struct, frozen=True, tag="some_of"):
    """From ``least`` to ``most`` different cards of these, in any order."""

    cards: tuple[Card, ...]
    least: int
    most: int


class Sets(msgspec.Struct, frozen=True, tag="sets"):
    """One of these whole sets of cards, each in any order."""

    sets: tuple[tuple[Card, ...], ...]


Choice = Between | OneOf | SomeOf | Sets


class Option(msgspec.Struct, frozen=True):
    """An action that a seat may take now, with all values that each argument may have.

    Every combination of the listed values is legal; where arguments depend on each other there are several
    options of the same action. Arguments not listed are left out of the action.
    """

    action: str
    arguments: dict[str, Choice] = {}


class Waiting(msgspec.Struct, frozen=True):
    """What the round waits for.

    ``seats`` may still decide (in a window several; none where only time must pass). ``clock`` is a number that
    grows whenever a new deadline starts; while it stays the same the deadline that runs goes on. ``seconds`` is
    the length of that deadline. ``has_bank``: a single seat may spend its time bank behind it.
    """

    seats: tuple[int, ...]
    clock: int
    seconds: int
    has_bank: bool = True


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


def is_offered(options: Sequence[Option], action: actions.Action) -> bool:
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
