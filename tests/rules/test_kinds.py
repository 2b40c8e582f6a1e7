"""Kinds of house rules: what is accepted at the limits, what is said beyond them."""

from typing import Annotated, Any

import msgspec
import pytest

from services.rules import keys, schema
from services.rules.chips import MOST_CHIPS
from services.rules.game import HouseRules
from services.rules.kinds import NO_LIMIT, Choice, Flag, Integer, IntegerList, IntegerTable, Number, Only, Range
from services.rules.schema import Group, Rule
from services.rules.text import Text

NAME = Text("Number", "數字", "数字")
WORDS = Choice(labels={"no_limit": NAME, "pot_limit": NAME})


class Rules(HouseRules, frozen=True, kw_only=True):
    """House rules of a table for eight."""

    max_seats: int = 8


class Sized(Rules, frozen=True, kw_only=True):
    """House rules with a bet that depends on another."""

    min_bet: keys.MinBet = 10
    max_bet: keys.MaxBet = 0


def named(rules: HouseRules, **limits: Range | Only) -> list[str]:
    """Return the keys at fault; a table has two to eight seats and no pots."""
    seats = Range(2, 8)
    usual = {"min_seats": seats, "max_seats": seats, "rake_bps": Range(0, 0), "rake_cap": Range(0, 0)}
    fields = schema.fields(rules, {**usual, "no_flop_no_drop": Only((False,)), **limits})
    return [fault.field for field in fields for fault in field.faults(getattr(rules, field.key))]


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"win_cap": "stake"},
        {"fee_bps": 0},
        {"fee_bps": 10_000},
        {"turn_seconds": 1},
        {"bet_seconds": 3600},
        {"min_seats": 2, "max_seats": 2},
        {"min_seats": 8, "max_seats": 8},
    ],
)
def test_values_at_the_bounds_are_accepted(keys: dict[str, Any]) -> None:
    """Both ends of every range belong to it."""
    assert named(Rules(**keys)) == []


@pytest.mark.parametrize(
    ("keys", "field"),
    [
        ({"win_cap": "double"}, "win_cap"),
        ({"fee_bps": -1}, "fee_bps"),
        ({"fee_bps": 10_001}, "fee_bps"),
        ({"turn_seconds": 0}, "turn_seconds"),
        ({"bet_seconds": 3601}, "bet_seconds"),
        ({"rake_bps": 1}, "rake_bps"),
        ({"no_flop_no_drop": True}, "no_flop_no_drop"),
        ({"min_seats": 1}, "min_seats"),
        ({"min_seats": 9}, "min_seats"),
        ({"max_seats": 9}, "max_seats"),
        ({"max_seats": 4, "min_seats": 5}, "min_seats"),
    ],
)
def test_values_beyond_the_bounds_are_named_once(keys: dict[str, Any], field: str) -> None:
    """The fault names the key and the value that it has."""
    assert named(Rules(**keys)) == [field]


def test_one_rule_bounds_another() -> None:
    """The greatest bet is at least the least bet; 0, no limit, is accepted besides."""
    assert named(Sized(max_bet=0)) == []
    assert named(Sized(max_bet=10)) == []
    assert named(Sized(max_bet=9)) == ["max_bet"]
    [field] = [one for one in schema.fields(Sized(min_bet=50), {}) if one.key == "max_bet"]
    assert field.rule.kind == Integer(least=50, zero=NO_LIMIT, not_below="min_bet")


def test_a_fault_holds_its_limits_for_people_and_machines() -> None:
    """The range is in the message, in the text of each language, and in the metadata."""
    [fault] = Integer(least=1).faults("base", MOST_CHIPS + 1)
    assert (fault.least, fault.greatest) == (1, MOST_CHIPS)
    assert "from 1 to" in fault.message
    assert fault.text is not None
    assert all(str(MOST_CHIPS) in text for text in (fault.text.en, fault.text.zh_hant, fault.text.zh_hans))
    assert "must be 3" in Integer(least=3, greatest=3).faults("base", 4)[0].message
    assert "a multiple of 3" in Integer(least=3, step=3).faults("stake", 4)[0].message
    assert "or 0 (no limit)" in Integer(least=5, zero=NO_LIMIT).faults("max_bet", 4)[0].message


@pytest.mark.parametrize(("value", "faults"), [(0.5, 0), (6, 0), (10.5, 0), (0, 1), (0.75, 1), (11, 1)])
def test_numbers_go_in_steps(value: float, faults: int) -> None:
    """A half is accepted where halves are counted; a quarter, and what is beyond the ends, is not."""
    assert len(Number(least=0.5, greatest=10.5, step=0.5).faults("banker_stands_on", value)) == faults


def test_words_are_those_of_the_sheet() -> None:
    """An unknown word is answered with the words there are."""
    assert WORDS.faults("betting", "no_limit") == []
    [fault] = WORDS.faults("betting", "spread")
    assert "no_limit, pot_limit" in fault.message
    assert fault.choices == ("no_limit", "pot_limit")
    assert WORDS.limited(Only(("no_limit",))).faults("betting", "pot_limit")[0].choices == ("no_limit",)


def test_a_flag_that_a_game_does_not_know_stays_as_it_is() -> None:
    """Both values are accepted, or the one that the game offers."""
    assert Flag().faults("jokers", True) == Flag().faults("jokers", False) == []
    [fault] = Flag().limited(Only((False,))).faults("no_flop_no_drop", True)
    assert "leave it false" in fault.message


@pytest.mark.parametrize(
    ("multiples", "faults"), [((1,), 0), ((3, 1), 0), ((), 1), ((0,), 1), ((1, 1), 1), ((1001,), 1)]
)
def test_multiples_are_different_and_at_least_one(multiples: tuple[int, ...], faults: int) -> None:
    """An empty list, a value twice, below 1 or above the greatest factor are faults."""
    assert len(IntegerList().faults("multiples", multiples)) == faults


def test_a_list_is_bounded_in_length() -> None:
    """More entries than a form could show are refused."""
    assert IntegerList().faults("multiples", range(1, 21)) == []
    assert len(IntegerList().faults("multiples", range(1, 22))) == 1


@pytest.mark.parametrize(
    ("odds", "faults"),
    [
        ({"big": 1000, "small": 1}, 0),
        ({"big": 2}, 0),
        ({}, 0),
        ({"big": 0}, 1),
        ({"seven": 3}, 1),
        ({"seven": 0}, 2),
    ],
)
def test_tables_of_factors_name_what_the_sheet_names(odds: dict[str, int], faults: int) -> None:
    """Names that are left out keep the sheet's value; others, and values below 1, are faults."""
    assert len(IntegerTable(entries={"big": 1, "small": 1}).faults("odds", odds)) == faults


def test_a_rule_without_a_description_is_refused() -> None:
    """A class with a bare key cannot be a game's; one that only changes a default inherits the description."""

    class Bare(HouseRules, frozen=True, kw_only=True):
        bonus: int = 1

    class Described(HouseRules, frozen=True, kw_only=True):
        bonus: Annotated[int, Rule(label=NAME, help=NAME, group=Group.PLAY, kind=Integer())] = 1

    class Changed(Described, frozen=True, kw_only=True):
        bonus: int = 2

    with pytest.raises(TypeError, match="Bare: bonus: no description"):
        schema.declared(Bare)
    assert schema.declared(Changed)["bonus"].label == NAME
    assert {field.key: field.default for field in schema.fields(Changed(bonus=5), {})}["bonus"] == 2


def test_a_missing_value_is_a_fault_unless_the_rule_says_what_it_means() -> None:
    """A value may be left open only if the description states the default."""
    rule = Rule(label=NAME, help=NAME, group=Group.PLAY, kind=Integer())
    assert len(schema.Field(key="base", rule=rule, rules=HouseRules()).faults(None)) == 1
    open_ = msgspec.structs.replace(rule, absent=NAME)
    assert schema.Field(key="base", rule=open_, rules=HouseRules()).faults(None) == []
