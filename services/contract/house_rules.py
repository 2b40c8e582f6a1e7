"""House rules as sent in requests, and error messages about them in the product's words.

All wrong keys of a request are reported at once: unknown keys, values of another kind, and values beyond their limits.
"""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from pitboss.v1 import catalogue_pb2 as pb

from services.house import templates
from services.house.templates import Terms
from services.rules import schema
from services.rules.faults import Fault
from services.rules.game import Game, HouseRules
from services.rules.kinds import Choice, Flag, Integer, IntegerList, IntegerTable, Kind, Number
from services.rules.refusals import Reason, Refused
from services.rules.text import Text

LONGEST_KEY, MOST_KEYS, MOST_ENTRIES = 40, 64, 64
"""Characters of an unknown key that are named; keys of a request, and entries of one value, at most."""

Given = Mapping[str, pb.HouseRuleValue]

_WANTED: Final[dict[type, tuple[str, Text]]] = {
    Integer: ("integer", Text("a whole number is wanted", "必須是整數", "必须是整数")),
    Number: ("number", Text("a number is wanted", "必須是數字", "必须是数字")),
    Flag: ("flag", Text("true or false is wanted", "必須是「是」或「否」", "必须是“是”或“否”")),
    Choice: ("choice", Text("a word is wanted", "必須是選項之一", "必须是选项之一")),
    IntegerList: ("list", Text("a list of whole numbers is wanted", "必須是整數清單", "必须是整数列表")),
    IntegerTable: (
        "table",
        Text("whole numbers by name are wanted", "必須是名稱與整數的對照", "必须是名称与整数的对照"),
    ),
}
"""The member of ``HouseRuleValue`` that a kind takes, and how that is said."""
_UNKNOWN: Final = Text("this game has no such house rule", "不是此遊戲的房規", "不是此游戏的房规")
_GIVEN: Final = {
    "integer": "a whole number",
    "number": "a number with a fraction",
    "flag": "true or false",
    "choice": "a word",
    "list": "a list",
    "table": "a table",
    None: "nothing",
}


def house_rules(game: Game, given: Given) -> HouseRules:
    """Make the house rules of a table. Raises Refused (``HOUSE_RULE_OUT_OF_RANGE``) with a violation for each key."""
    values, found = _read(game, given)
    rules = msgspec.convert(values, game.rules_type)
    found += _beyond(game, rules, found)
    if found:
        raise refused(game, found)
    return rules


def varied(terms: Terms, game: Game, given: Given, *, staff: bool) -> HouseRules:
    """Make the house rules of a table that varies a template.

    Raises Refused (``HOUSE_RULE_OUT_OF_RANGE``) with a violation for each key that is unknown, closed or out of range.
    """
    values, found = _read(game, given)
    wanted, closed = templates.varied(terms, game, values, staff=staff)
    found += closed
    rules = msgspec.convert(wanted, game.rules_type)
    found += _beyond(game, rules, found)
    if found:
        raise refused(game, found)
    return rules


def refused(game: Game, found: Sequence[Fault]) -> Refused:
    """Return the refusal of house rules.

    A violation for each key says what is wrong with it and what would be right. The limits stand in the metadata
    too, as ``KEY_least``, ``KEY_greatest`` and ``KEY_choices``.
    """
    labels = {key: rule.label for key, rule in schema.declared(game.rules_type).items()}
    limits: dict[str, str | int] = {}
    for fault in found:
        for name, limit in (("least", fault.least), ("greatest", fault.greatest), ("choices", ",".join(fault.choices))):
            if limit not in (None, ""):
                limits[f"{fault.field}_{name}"] = str(limit)
    told = [(labels.get(fault.field) or _quoted(fault.field), fault.text) for fault in found if fault.text]
    return Refused(
        Reason.HOUSE_RULE_OUT_OF_RANGE,
        "; ".join(f"{fault.field}: {fault.message}" for fault in found),
        fields=[(f"house_rules.{fault.field}", fault.message) for fault in found],
        field_texts={f"house_rules.{fault.field}": fault.text for fault in found if fault.text},
        metadata=limits,
        text=_listed(told) if told else None,
    )


def _quoted(key: str) -> Text:
    return Text(f'"{key}"', f"「{key}」", f"“{key}”")


def _listed(told: Sequence[tuple[Text, Text]]) -> Text:
    """Return one sentence with the valid values of each rule, by its label."""
    return Text(
        "; ".join(f"{label.en}: {right.en}" for label, right in told) + ".",
        "；".join(f"{label.zh_hant}：{right.zh_hant}" for label, right in told) + "。",
        "；".join(f"{label.zh_hans}：{right.zh_hans}" for label, right in told) + "。",
    )


def _read(game: Game, given: Given) -> tuple[dict[str, Any], list[Fault]]:
    """Return the values of the right kind, and the faults of all other keys."""
    described = schema.declared(game.rules_type)
    values: dict[str, Any] = {}
    found: list[Fault] = []
    for key in sorted(given)[:MOST_KEYS]:
        if key not in described:
            found.append(_unknown(game, _shown(key), list(described)))
        elif (fault := _wrong_kind(key, described[key].kind, given[key])) is not None:
            found.append(fault)
        else:
            values[key] = _plain(given[key])
    return values, found


def _wrong_kind(key: str, kind: Kind, given: pb.HouseRuleValue) -> Fault | None:
    wanted, right = _WANTED[type(kind)]
    member = given.WhichOneof("kind")
    if member != wanted and (member, wanted) != ("integer", "number"):
        return Fault(key, f"{right.en}, not {_GIVEN[member]}", right)
    entries = len(given.list.values) + len(given.table.entries)
    if entries > MOST_ENTRIES:
        most = Text(f"give at most {MOST_ENTRIES} entries", f"最多 {MOST_ENTRIES} 項", f"最多 {MOST_ENTRIES} 项")
        return Fault(key, f"{entries} entries; {most.en}", most)
    return None


def _plain(given: pb.HouseRuleValue) -> Any:
    match given.WhichOneof("kind"):
        case "list":
            return list(given.list.values)
        case "table":
            return dict(given.table.entries)
        case "number" if given.number.is_integer():
            return int(given.number)
        case member:
            return getattr(given, str(member))


def _beyond(game: Game, rules: HouseRules, found: Sequence[Fault]) -> list[Fault]:
    """Return the faults of values beyond their limits, but for keys that are wrong already and what hangs on them."""
    wrong = {fault.field for fault in found}
    kinds = {key: rule.kind for key, rule in schema.declared(game.rules_type).items()}
    hanging = {
        key for key, kind in kinds.items() if isinstance(kind, Integer) and {kind.not_below, kind.not_above} & wrong
    }
    return [fault for fault in game.faults(rules) if fault.field not in wrong | hanging]


def _unknown(game: Game, key: str, known: list[str]) -> Fault:
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"do you mean {near[0]!r}?" if near else f"it has {', '.join(known)}"
    return Fault(key, f"{game.id} has no house rule {key!r}; {hint}", _UNKNOWN)


def _shown(key: str) -> str:
    return f"{key[:LONGEST_KEY]}…" if len(key) > LONGEST_KEY else key
