"""The schema of house rules over the whole catalogue: complete, in three languages, and true at every bound."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from services.rules import catalogue
from services.rules.game import Game, HouseRules
from services.rules.kinds import Choice, Flag, Integer, IntegerList, IntegerTable, Kind, Number
from services.rules.schema import Field
from services.rules.text import Text

GAMES = list(catalogue.FILES)
HAN = re.compile(r"[\u4e00-\u9fff]")
TRADITIONAL_ONLY = re.compile("[莊籌碼數擇贏輸餘額時間開級據點發]")


def texts_of(game: Game, field: Field) -> Iterator[Text]:
    """List every text that a form shows for a rule."""
    rule = field.rule
    yield from (rule.label, rule.help)
    if rule.absent:
        yield rule.absent
    match rule.kind:
        case Integer(zero=zero) if zero:
            yield zero
        case Choice(labels=labels):
            yield from labels.values()
        case IntegerTable(entries=entries):
            yield from (game.words[name] for name in entries)
        case _:
            pass


def replaced(rules: HouseRules, key: str, value: Any) -> HouseRules:
    """Return house rules with one key changed."""
    return msgspec.structs.replace(rules, **{key: value})


def named(game: Game, rules: HouseRules) -> set[str]:
    """Return the keys at fault."""
    return {fault.field for fault in game.faults(rules)}


def accepted(kind: Kind) -> list[Any]:
    """List values at the bounds of a kind."""
    match kind:
        case Integer():
            first = kind.least if kind.least % kind.step == 0 else kind.least + kind.step - kind.least % kind.step
            last = kind.greatest - kind.greatest % kind.step
            return [first, last, *([0] if kind.zero else [])]
        case Number():
            return [kind.least, kind.greatest, kind.least + kind.step]
        case Flag():
            return list(kind.values)
        case Choice():
            return list(kind.labels)
        case IntegerList():
            longest = tuple(range(kind.least, kind.least + kind.most_entries))
            return [(kind.least,), longest]
        case IntegerTable():
            return [dict.fromkeys(kind.entries, kind.least), dict.fromkeys(kind.entries, 2), {}]


def refused(kind: Kind) -> list[Any]:
    """List values just beyond the bounds of a kind."""
    match kind:
        case Integer():
            beyond = [kind.least - 1, kind.greatest + 1, *([kind.least + 1] if kind.step > 1 else [])]
            return [value for value in beyond if not (value == 0 and kind.zero)]
        case Number():
            return [kind.least - kind.step, kind.greatest + kind.step, kind.least + kind.step / 2]
        case Flag():
            return [value for value in (False, True) if value not in kind.values]
        case Choice():
            return ["", "?", next(iter(kind.labels)).upper() + "?"]
        case IntegerList():
            too_long = tuple(range(kind.least, kind.least + kind.most_entries + 1))
            return [(), (kind.least - 1,), (kind.greatest + 1,), (2, 2), too_long]
        case IntegerTable():
            name = next(iter(kind.entries))
            return [{name: kind.least - 1}, {name: kind.greatest + 1}, {"?": 1}]


@pytest.mark.parametrize("game_id", GAMES)
def test_every_key_has_a_label_and_a_help_in_three_languages(game_id: str) -> None:
    """A form can be built from the schema alone; Chinese texts are Chinese, and simplified ones hold no traditional."""
    game = catalogue.game(game_id)
    fields = game.fields(game.rules_type())
    assert [field.key for field in fields] == [one.encode_name for one in msgspec.structs.fields(game.rules_type)]
    for field in fields:
        for text in texts_of(game, field):
            assert text.en.isascii(), f"{game_id}: {field.key}: {text.en}"
            assert not TRADITIONAL_ONLY.search(text.zh_hans), f"{game_id}: {field.key}: {text.zh_hans}"
        assert len(field.rule.help.en.split()) > 2
        assert field.rule.help.en.endswith(".")
        assert HAN.search(field.rule.label.zh_hant + field.rule.label.zh_hans)
        assert field.rule.help.zh_hant.endswith("。")
        assert field.rule.help.zh_hans.endswith("。")


@pytest.mark.parametrize("game_id", GAMES)
def test_no_two_keys_of_a_game_have_the_same_label(game_id: str) -> None:
    """A person can tell the fields of a form apart, in each language."""
    game = catalogue.game(game_id)
    for language in ("en", "zh-Hant", "zh-Hans"):
        labels = [field.rule.label.within(language) for field in game.fields(game.rules_type())]
        assert len(set(labels)) == len(labels), f"{game_id}: {language}"


@pytest.mark.parametrize("game_id", GAMES)
def test_defaults_are_within_the_limits(game_id: str) -> None:
    """A form that is sent as it was opened is accepted, and so are the rules of the standard template."""
    game = catalogue.game(game_id)
    for rules in (game.rules_type(), game.standard_rules()):
        fields = game.fields(rules)
        assert [fault for field in fields for fault in field.faults(field.default)] == []
        assert game.faults(rules) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_values_at_the_limits_are_accepted_and_values_beyond_refused(game_id: str) -> None:
    """The house follows the schema, for each key beside the defaults of the others."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    for field in game.fields(rules):
        for value in accepted(field.rule.kind):
            beside = replaced(rules, field.key, value)
            assert field.key not in named(game, beside) or game.conflicts(beside), f"{field.key}: {value}"
        for value in refused(field.rule.kind):
            beside = replaced(rules, field.key, value)
            assert field.key in named(game, beside), f"{game_id}: {field.key}: {value} is accepted"


@pytest.mark.parametrize("game_id", GAMES)
def test_limits_follow_the_other_rules(game_id: str) -> None:
    """Where a seat banks a table has one seat more; seats needed are never more than seats there are."""
    game = catalogue.game(game_id)
    for banker in ("house", "seat") if hasattr(game.rules_type(), "banker") else ("",):
        keys: dict[str, Any] = {"banker": banker} if banker else {}
        rules = game.rules_type(**keys)
        kinds = {field.key: field.rule.kind for field in game.fields(rules)}
        least, most = kinds["min_seats"], kinds["max_seats"]
        assert isinstance(least, Integer)
        assert isinstance(most, Integer)
        assert least.greatest <= (getattr(rules, "max_seats", 0) or most.greatest)
        assert least.least == most.least == game.seats(rules)[0]


def fixed(game_id: str) -> set[str]:
    """Return the keys of a game that take one value only."""
    game = catalogue.game(game_id)
    return {field.key for field in game.fields(game.rules_type()) if field.is_fixed}


def test_a_rule_with_one_value_is_marked_as_fixed() -> None:
    """A form leaves out what nobody can choose: rake where there are no pots, the call of casino hold'em."""
    assert fixed("casino_holdem") == {"rake_bps", "rake_cap", "no_flop_no_drop", "banker", "call_multiple"}
    assert fixed("royal_holdem") == {"fee_bps", "win_cap", "betting"}
