"""Chance for property tests: random and recorded, or replayed with some cards in other places."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass
class Recording:
    """Random chance that keeps all that it gave, in order."""

    rng: Random
    given: list[tuple[str, Any]] = field(default_factory=list)

    def shuffle(self, pack: Sequence[str]) -> list[str]:
        """Return the pack in random order."""
        order = self.rng.sample(list(pack), len(pack))
        self.given.append(("shuffle", tuple(order)))
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return one of the options."""
        value = options[self.rng.randrange(len(options))]
        self.given.append((what, value))
        return value

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw so many dice."""
        thrown = tuple(self.rng.randint(1, 6) for _ in range(count))
        self.given.append(("dice", thrown))
        return thrown


class CannotReplayError(Exception):
    """The other world needs chance that the recorded one does not have."""


@dataclass
class Swapped:
    """What was recorded, given again with some cards in each other's places."""

    given: Sequence[tuple[str, Any]]
    swap: dict[str, str]
    used: int = 0

    def _next(self, kind: str) -> Any:
        if self.used >= len(self.given) or self.given[self.used][0] != kind:
            raise CannotReplayError(kind)
        self.used += 1
        return self.given[self.used - 1][1]

    def shuffle(self, pack: Sequence[str]) -> list[str]:
        """Return the recorded order with the cards in their new places."""
        order = [self.swap.get(card, card) for card in self._next("shuffle")]
        if sorted(order) != sorted(pack):
            raise CannotReplayError("another pack")
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return the recorded pick, or the card that took its place."""
        value = self._next(what)
        if isinstance(value, str):
            value = self.swap.get(value, value)
        for option in options:
            if option == value:
                return option
        raise CannotReplayError(what)

    def dice(self, count: int) -> tuple[int, ...]:
        """Return the recorded throw."""
        thrown: tuple[int, ...] = self._next("dice")
        if len(thrown) != count:
            raise CannotReplayError("dice")
        return thrown
