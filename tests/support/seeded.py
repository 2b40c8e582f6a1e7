"""Chance from a seed, so that a failure can be played again."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, TypeVar

T = TypeVar("T")

ALL: Final = ("card", "seat", "dice")


class Seeded:
    """Random chance; ``asked``: what the rules under test may ask for beside a shuffle; all else fails the test."""

    def __init__(self, seed: int, asked: Collection[str] = ()) -> None:
        self.random = Random(seed)
        self.asked = asked

    def shuffle(self, pack: Sequence[str]) -> list[str]:
        """Return the pack in random order."""
        return self.random.sample(list(pack), len(pack))

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return any option."""
        assert what in self.asked, f"these rules pick no {what}"
        return self.random.choice(options)

    def dice(self, count: int) -> tuple[int, ...]:
        """Throw so many dice."""
        assert "dice" in self.asked, "these rules throw no dice"
        return tuple(self.random.randint(1, 6) for _ in range(count))
