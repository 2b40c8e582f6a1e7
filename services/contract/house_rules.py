"""House rules as sent in requests, and error messages about them in the product's words."""

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from google.protobuf import json_format, struct_pb2

from services.house import templates
from services.house.templates import Terms
from services.rules.game import Game, HouseRules
from services.rules.refusals import Reason, Refused, invalid

GREATEST: Final = 2**53
"""Numbers of a Struct are whole and exact up to here; no house rule is greater."""
LONGEST_KEY, MOST_NAMED = 40, 8
"""Characters of an unknown key, and unknown keys, that are named at most."""

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number with a fraction",
    "str": "a text",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}
_WRONG: Final = re.compile(r"Expected `(.+?)`, got `(\w+)`(?: - at `\$\.?(.*)`)?")


def house_rules(game: Game, given: struct_pb2.Struct) -> HouseRules:
    """Make the house rules of a table. Raises Refused (``HOUSE_RULE_OUT_OF_RANGE``) with a violation for each key."""
    values = plain(given, "house_rules")
    faults = _unreadable(game, values)
    if not faults:
        rules, faults = _converted(game, values)
        if rules is not None and not faults:
            return rules
    raise refused(faults)


def varied(terms: Terms, game: Game, given: struct_pb2.Struct, *, staff: bool) -> HouseRules:
    """Make the house rules of a table that varies a template.

    Raises Refused (``HOUSE_RULE_OUT_OF_RANGE``) with a violation for each key that is unknown, closed or out of range.
    """
    values = plain(given, "house_rules")
    faults = _unreadable(game, values)
    if faults:
        raise refused(faults)
    wanted, kept_closed = templates.varied(terms, game, values, staff=staff)
    rules, faults = _converted(game, wanted)
    named = {fault.field for fault in kept_closed}
    faults = [(fault.field, fault.message) for fault in kept_closed] + [one for one in faults if one[0] not in named]
    if faults or rules is None:
        raise refused(faults)
    return rules


def refused(faults: Sequence[tuple[str, str]]) -> Refused:
    """Make the refusal of house rules: for each key what is wrong with it and what would be right."""
    return Refused(
        Reason.HOUSE_RULE_OUT_OF_RANGE,
        "; ".join(f"{key}: {message}" for key, message in faults),
        fields=[(f"house_rules.{key}", message) for key, message in faults],
    )


def _unreadable(game: Game, values: Mapping[str, Any]) -> list[tuple[str, str]]:
    known = [field.encode_name for field in msgspec.structs.fields(game.rules_type)]
    unknown = [key for key in values if key not in known][:MOST_NAMED]
    faults = [(_shown(key), _unknown(game, _shown(key), known)) for key in unknown]
    return faults + [(key, fault) for key, value in values.items() if key in known and (fault := _too_great(value))]


def _converted(game: Game, values: Mapping[str, Any]) -> tuple[HouseRules | None, list[tuple[str, str]]]:
    try:
        rules = msgspec.convert(values, game.rules_type)
    except msgspec.ValidationError as error:
        return None, [_wrong_kind(str(error))]
    return rules, [(fault.field, fault.message) for fault in game.faults(rules)]


def plain(given: struct_pb2.Struct, field: str) -> dict[str, Any]:
    """Return a Struct as plain values; numbers without a fraction become integers. Raises Refused naming ``field``."""
    try:
        found: dict[str, Any] = _whole(json_format.MessageToDict(given))
    except ValueError as error:  # numbers that JSON does not have
        raise invalid(field, f"{error}; give finite numbers") from None
    return found


def _whole(value: Any) -> Any:
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and abs(value) <= GREATEST:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    return value


def _unknown(game: Game, key: str, known: list[str]) -> str:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"do you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
    return f"{game.id} has no house rule {key!r}; {hint}"


def _shown(key: str) -> str:
    return f"{key[:LONGEST_KEY]}…" if len(key) > LONGEST_KEY else key


def _too_great(value: Any) -> str:
    """Return the message for a number far beyond every limit, without all of its digits."""
    numbers = value if isinstance(value, list) else [value]
    great = [one for one in numbers if isinstance(one, float) and abs(one) > GREATEST]
    return f"{great[0]:.3g} is out of range; no house rule is greater than {GREATEST}" if great else ""


def _wrong_kind(error: str) -> tuple[str, str]:
    """Return which house rule has a value of the wrong type."""
    found = _WRONG.fullmatch(error)
    if found is None:
        return "", error
    wanted, got, path = found.groups()
    kinds = " or ".join(_KINDS.get(kind.strip(), kind.strip()) for kind in wanted.split("|"))
    return (path or "").partition("[")[0], f"{kinds} is wanted, not {_KINDS.get(got, got)}"
