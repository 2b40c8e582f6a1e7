"""The chance of a round, drawn from its sealed seed: shuffles, picks and dice.

The n-th use of each kind has a stream of its own. So a round can be resumed from the counts of its uses, and no draw
can be influenced by another draw before it [R25, R27].
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

import msgspec

from services.fairness import shuffle
from services.fairness.stream import Stream, below
from services.rules.cards import Card
from services.rules.chance import Chance

T = TypeVar("T")


class Used(msgspec.Struct, frozen=True, omit_defaults=True):
    """How often each kind of chance was used in a round: all that is needed to resume it."""

    shuffles: int = 0
    picks: dict[str, int] = {}
    throws: int = 0


class RoundChance(Chance, Protocol):
    """A round's chance as a table uses it: the draws, the counts, and the orders to commit to."""

    seed: bytes
    """The round seed; the nonces of the commitment are derived from it too."""
    made: list[tuple[int, list[Card]]]
    """Stock number and order of each shuffle since this object was made."""
    packs: dict[int, list[Card]]
    """The pack before each of these shuffles, by stock number: auditors shuffle it again."""

    @property
    def used(self) -> Used:
        """The counts so far."""
        ...


class SealedChance:
    """Chance from a round seed of 32 bytes; ``shuffles``, ``picks`` and ``throws`` are the counts to resume from."""

    def __init__(self, seed: bytes, shuffles: int = 0, picks: Mapping[str, int] | None = None, throws: int = 0) -> None:
        self.seed = seed
        self.made: list[tuple[int, list[Card]]] = []
        self.packs: dict[int, list[Card]] = {}
        self._shuffles = shuffles
        self._picks = dict(picks or {})
        self._throws = throws

    @classmethod
    def resume(cls, seed: bytes, used: Used) -> "SealedChance":
        """Resume a round's chance from its counts."""
        return cls(seed, used.shuffles, used.picks, used.throws)

    @property
    def used(self) -> Used:
        """The counts so far."""
        return Used(self._shuffles, dict(self._picks), self._throws)

    def shuffle(self, pack: Sequence[Card]) -> list[Card]:
        """Return the pack in random order, top first; the n-th call of a round makes stock n, from 0."""
        order = shuffle.shuffle(self.seed, self._shuffles, pack)
        self.made.append((self._shuffles, list(order)))
        self.packs[self._shuffles] = list(pack)
        self._shuffles += 1
        return order

    def pick(self, options: Sequence[T], what: str) -> T:
        """Return one of the options, each equally likely; picks of each kind ``what`` are counted separately."""
        assert options, f"there is no {what} to pick"
        place = self._picks.get(what, 0)
        self._picks[what] = place + 1
        return options[below(Stream(self.seed, f"pick {what}", place), len(options))]

    def dice(self, count: int) -> tuple[int, ...]:
        """Return the values of ``count`` dice, each 1 to 6."""
        source = Stream(self.seed, "dice", self._throws)
        self._throws += 1
        return tuple(1 + below(source, 6) for _ in range(count))
