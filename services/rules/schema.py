"""The schema of house rules: each key with its kind and limits, default, unit, and its words for people.

A rule is described where it is declared, in the annotation of its field: ``ante: Annotated[int, Rule(...)] = 10``.
A class that only changes the default of an inherited rule repeats no description. ``keys`` holds the descriptions
that games share.
"""

import enum
import functools
import inspect
import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from services.rules import faults
from services.rules.faults import Fault
from services.rules.kinds import Integer, IntegerTable, Kind, Limit
from services.rules.text import Text


class Unit(enum.StrEnum):
    """The unit of a number; ``NONE`` if its help states it."""

    NONE = "none"
    CHIPS = "chips"
    SECONDS = "seconds"
    BASIS_POINTS = "basis_points"
    SEATS = "seats"
    ROUNDS = "rounds"
    TURNS = "turns"
    CARDS = "cards"
    POINTS = "points"
    MULTIPLE = "multiple"


class Group(enum.StrEnum):
    """The part of a form in which a rule is asked for, in this order."""

    STAKES = "stakes"
    SEATS = "seats"
    TIMES = "times"
    PLAY = "play"
    PAYS = "pays"
    BANK = "bank"
    LENGTH = "length"
    HOUSE = "house"


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """The description of a house rule. ``absent``: what the house does where the key has no value."""

    label: Text
    help: Text
    group: Group
    kind: Kind
    unit: Unit = Unit.NONE
    absent: Text | None = None


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A rule of one game, with the limits that hold beside the other ``rules`` of a table."""

    key: str
    rule: Rule
    rules: msgspec.Struct

    @property
    def default(self) -> Any:
        """Return the value where none is given, None where the rule has none of its own."""
        return _default(self.rule, self.rules, self.key)

    @property
    def is_fixed(self) -> bool:
        """Return whether only one value is accepted."""
        kind = self.rule.kind
        if isinstance(kind, Integer):
            return kind.least == kind.greatest and (kind.zero is None or kind.least == 0)
        return len(getattr(kind, "values", getattr(kind, "labels", (1, 2)))) == 1

    def faults(self, value: Any) -> list[Fault]:
        """Return what is wrong with a value of the right type."""
        if value is None:
            return [] if self.rule.absent else [faults.missing(self.key)]
        return self.rule.kind.faults(self.key, value)


@functools.cache
def declared(rules_type: type[msgspec.Struct]) -> Mapping[str, Rule]:
    """Return the description of every house rule of a class, in order. Raises TypeError for one that has none."""
    described = {field.encode_name: _described(rules_type, field.name) for field in msgspec.structs.fields(rules_type)}
    lacking = [key for key, rule in described.items() if rule is None]
    if lacking:
        message = f"{rules_type.__name__}: {', '.join(lacking)}: no description; annotate the field with a schema.Rule"
        raise TypeError(message)
    return {key: rule for key, rule in described.items() if rule is not None}


def stakes(rules_type: type[msgspec.Struct]) -> tuple[str, ...]:
    """List the house rules in chips by which a table is a small or a large one; the first names its stake."""
    return tuple(
        key for key, rule in declared(rules_type).items() if (rule.group, rule.unit) == (Group.STAKES, Unit.CHIPS)
    )


def _described(rules_type: type, name: str) -> Rule | None:
    """Return the description that is nearest to a class among its own and its parents' annotations."""
    for owner in rules_type.__mro__:
        annotation: Any = inspect.get_annotations(owner).get(name)
        if typing.get_origin(annotation) is typing.Annotated:
            return next((entry for entry in annotation.__metadata__ if isinstance(entry, Rule)), None)
    return None


def fields(rules: msgspec.Struct, limits: Mapping[str, Limit]) -> tuple[Field, ...]:
    """Return the schema of a table's house rules; ``limits`` are narrower ones that the game sets."""
    return tuple(
        Field(key=key, rule=_limited(rule, limits.get(key), rules), rules=rules)
        for key, rule in declared(type(rules)).items()
    )


def _limited(rule: Rule, limit: Limit | None, rules: msgspec.Struct) -> Rule:
    kind = rule.kind
    if limit is not None:
        assert hasattr(kind, "limited"), f"{kind} cannot be limited"
        kind = kind.limited(limit)
    if isinstance(kind, Integer):
        kind = kind.within(rules)
    return rule if kind is rule.kind else msgspec.structs.replace(rule, kind=kind)


def _default(rule: Rule, rules: msgspec.Struct, key: str) -> Any:
    """Return what a rule is where only the others are given: a banker who is a seat needs one seat more."""
    others = {name: getattr(rules, name) for name in rules.__struct_fields__ if name != key}
    value = getattr(type(rules)(**others), key)
    return {**rule.kind.entries, **value} if isinstance(rule.kind, IntegerTable) else value
