"""The kinds of values that house rules take, each with its limits and the check of a value against them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from services.rules import faults
from services.rules.chips import MOST_CHIPS
from services.rules.faults import Fault
from services.rules.text import Text

MOST_FACTOR: Final = 1000
"""Greatest multiple, multiplier or odds: far above every sheet, and products of them stay far below int64."""
NO_LIMIT: Final = Text("no limit", "不限", "不限")
MOST_ENTRIES: Final = 20
"""Values that a list holds at most."""


class Range(NamedTuple):
    """A narrower range that a game, or another rule, sets for a number."""

    least: int
    greatest: int


class Only(NamedTuple):
    """The values of a choice or a flag that a game offers."""

    values: tuple[str | bool, ...]


Limit = Range | Only


class Integer(msgspec.Struct, frozen=True, kw_only=True):
    """A whole number, a multiple of ``step``.

    ``zero``: what 0 means where it is accepted besides the range. ``not_below`` and ``not_above`` name another rule
    whose value bounds this one.
    """

    least: int = 0
    greatest: int = MOST_CHIPS
    step: int = 1
    zero: Text | None = None
    not_below: str = ""
    not_above: str = ""

    def limited(self, limit: Limit) -> "Integer":
        """Return this kind with a narrower range."""
        assert isinstance(limit, Range), f"{limit} does not limit a number"
        return msgspec.structs.replace(self, least=limit.least, greatest=limit.greatest)

    def within(self, others: Any) -> "Integer":
        """Return this kind with the bounds that the values of other rules set; a 0 with a meaning sets none."""
        least, greatest = self.least, self.greatest
        if self.not_below:
            least = max(least, getattr(others, self.not_below))
        if self.not_above and (other := getattr(others, self.not_above)):
            greatest = max(least, min(greatest, other))
        return msgspec.structs.replace(self, least=least, greatest=greatest)

    def faults(self, key: str, value: int) -> list[Fault]:
        """Return what is wrong with a value."""
        if (value == 0 and self.zero) or (self.least <= value <= self.greatest and value % self.step == 0):
            return []
        return [faults.out_of_range(key, value, self.least, self.greatest, step=self.step, zero=self.zero)]


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """A number in steps of ``step``, which may be a fraction."""

    least: float
    greatest: float
    step: float

    def faults(self, key: str, value: float) -> list[Fault]:
        """Return what is wrong with a value."""
        if self.least <= value <= self.greatest and (value / self.step).is_integer():
            return []
        return [faults.out_of_range(key, value, self.least, self.greatest, step=self.step)]


class Flag(msgspec.Struct, frozen=True, kw_only=True):
    """On or off; a game may offer only one of the two."""

    values: tuple[bool, ...] = (False, True)

    def limited(self, limit: Limit) -> "Flag":
        """Return this kind with the values that a game offers."""
        assert isinstance(limit, Only), f"{limit} does not limit a flag"
        return Flag(values=tuple(value for value in self.values if value in limit.values))

    def faults(self, key: str, value: bool) -> list[Fault]:
        """Return what is wrong with a value."""
        return [] if value in self.values else [faults.fixed_flag(key, wanted=self.values[0])]


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One of the words, each with its label."""

    labels: dict[str, Text]

    def limited(self, limit: Limit) -> "Choice":
        """Return this kind with the words that a game offers."""
        assert isinstance(limit, Only), f"{limit} does not limit a choice"
        return Choice(labels={word: label for word, label in self.labels.items() if word in limit.values})

    def faults(self, key: str, value: str) -> list[Fault]:
        """Return what is wrong with a value."""
        return [] if value in self.labels else [faults.unknown_choice(key, value, self.labels)]


class IntegerList(msgspec.Struct, frozen=True, kw_only=True):
    """Whole numbers to choose from: at least one, none twice."""

    least: int = 1
    greatest: int = MOST_FACTOR
    most_entries: int = MOST_ENTRIES

    def faults(self, key: str, value: Sequence[int]) -> list[Fault]:
        """Return what is wrong with a value."""
        found = [] if value else [faults.empty(key)]
        if len(set(value)) < len(value):
            found.append(faults.repeated(key))
        if len(value) > self.most_entries:
            found.append(faults.out_of_range(key, len(value), 1, self.most_entries))
        return found + _beyond(key, value, self.least, self.greatest)


class IntegerTable(msgspec.Struct, frozen=True, kw_only=True):
    """A whole number for each name: multipliers, odds. ``entries`` are the sheet's; a name left out keeps its own."""

    entries: Mapping[str, int]
    least: int = 1
    greatest: int = MOST_FACTOR

    def faults(self, key: str, value: Mapping[str, int]) -> list[Fault]:
        """Return what is wrong with a value."""
        found = [faults.unknown_choice(key, name, self.entries) for name in value if name not in self.entries]
        return found + _beyond(key, value.values(), self.least, self.greatest)


Kind = Integer | Number | Flag | Choice | IntegerList | IntegerTable


def _beyond(key: str, values: Iterable[int], least: int, greatest: int) -> list[Fault]:
    return [faults.out_of_range(key, value, least, greatest) for value in values if not least <= value <= greatest]
