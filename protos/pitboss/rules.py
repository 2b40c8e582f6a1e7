"""House rules between Python values and the contract's typed ones."""

from collections.abc import Mapping
from typing import Any

from pitboss.v1 import catalogue_pb2

_MEMBERS = ((bool, "flag"), (int, "integer"), (float, "number"), (str, "choice"))
"""The member of a value for each plain type, the narrower first."""


def house_rules(values: Mapping[str, Any]) -> dict[str, catalogue_pb2.HouseRuleValue]:
    """Write house rules as they are sent; a rule whose value is None is left out.

    A bool is a flag, an int an integer, a float a number, a str a choice, a list of ints a list, a dict of ints a
    table. Raises TypeError for any other value.

    >>> house_rules({"big_blind": 20})["big_blind"].integer
    20
    """
    return {key: _written(key, value) for key, value in values.items() if value is not None}


def plain(values: Mapping[str, catalogue_pb2.HouseRuleValue]) -> dict[str, Any]:
    """Read house rules of an answer as Python values.

    >>> plain(house_rules({"betting": "no_limit", "multiples": [1, 2]}))
    {'betting': 'no_limit', 'multiples': [1, 2]}
    """
    return {key: _read(value) for key, value in sorted(values.items())}


def _written(key: str, value: Any) -> catalogue_pb2.HouseRuleValue:
    if isinstance(value, catalogue_pb2.HouseRuleValue):
        return value
    made = catalogue_pb2.HouseRuleValue()
    if isinstance(value, list | tuple):
        made.list.values.extend(value)
        made.list.SetInParent()
    elif isinstance(value, Mapping):
        made.table.entries.update(value)
        made.table.SetInParent()
    else:
        member = next((member for kind, member in _MEMBERS if isinstance(value, kind)), None)
        if member is None:
            raise TypeError(f"{key}: {type(value).__name__} is no value of a house rule")
        setattr(made, member, value)
    return made


def _read(value: catalogue_pb2.HouseRuleValue) -> Any:
    match value.WhichOneof("kind"):
        case "list":
            return list(value.list.values)
        case "table":
            return dict(value.table.entries)
        case None:
            return None
        case member:
            return getattr(value, member)
