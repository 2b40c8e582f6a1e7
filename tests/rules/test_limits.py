"""Table limits that games share: what is accepted at the bounds, what is named beyond them."""

from typing import Any

import msgspec
import pytest

from services.rules import limits
from services.rules.chips import MOST_CHIPS
from services.rules.game import HouseRules


class Rules(HouseRules, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules with one of each kind of key."""

    base: int = 10
    betting: str = "no_limit"
    multiples: tuple[int, ...] = (1, 2)
    odds: dict[str, int] = msgspec.field(default_factory=lambda: {"big": 1, "small": 1})


def fields(faults: list[Any]) -> list[str]:
    """Return the keys of faults."""
    return [fault.field for fault in faults]


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
    assert limits.common(Rules(**{"max_seats": 8, **keys}), fewest=2, most=8) == []


@pytest.mark.parametrize(
    ("keys", "field"),
    [
        ({"win_cap": "double"}, "win_cap"),
        ({"fee_bps": -1}, "fee_bps"),
        ({"fee_bps": 10_001}, "fee_bps"),
        ({"turn_seconds": 0}, "turn_seconds"),
        ({"bet_seconds": 3601}, "bet_seconds"),
        ({"rake_bps": 1}, "rake_bps"),
        ({"rake_cap": 1}, "rake_cap"),
        ({"no_flop_no_drop": True}, "no_flop_no_drop"),
        ({"min_seats": 1}, "min_seats"),
        ({"min_seats": 9}, "min_seats"),
        ({"max_seats": 9}, "max_seats"),
        ({"max_seats": 4, "min_seats": 5}, "min_seats"),
    ],
)
def test_values_beyond_the_bounds_are_named_once(keys: dict[str, Any], field: str) -> None:
    """The fault names the key and the value that it has."""
    faults = limits.common(Rules(**{"max_seats": 8, **keys}), fewest=2, most=8)
    assert fields(faults) == [field]


def test_games_with_pots_take_rake_and_no_fee() -> None:
    """Rake up to the whole pot is accepted there, a fee is not, and ``no_flop_no_drop`` needs a flop."""
    raked = Rules(max_seats=8, rake_bps=10_000, rake_cap=5, no_flop_no_drop=True)
    assert limits.common(raked, fewest=2, most=8, pots=True, flop=True) == []
    assert fields(limits.common(raked, fewest=2, most=8, pots=True)) == ["no_flop_no_drop"]
    assert fields(limits.common(Rules(max_seats=8, fee_bps=1), fewest=2, most=8, pots=True)) == ["fee_bps"]
    assert fields(limits.common(Rules(max_seats=8, win_cap="stake"), fewest=2, most=8, capped=False)) == ["win_cap"]


def test_numbers_are_bounded_by_what_the_house_takes() -> None:
    """Without a greatest value given, no amount is more than the house takes at once."""
    assert limits.between(Rules(base=MOST_CHIPS), "base", 1) == []
    assert "from 1 to" in limits.between(Rules(base=MOST_CHIPS + 1), "base", 1)[0].message
    assert "must be 3" in limits.between(Rules(base=4), "base", 3, 3)[0].message


def test_words_are_those_of_the_sheet() -> None:
    """An unknown word is answered with the words there are."""
    assert limits.word(Rules(), "betting", ("no_limit", "pot_limit")) == []
    assert (
        "no_limit, pot_limit" in limits.word(Rules(betting="spread"), "betting", ("no_limit", "pot_limit"))[0].message
    )


@pytest.mark.parametrize(
    ("multiples", "faults"), [((1,), 0), ((3, 1), 0), ((), 1), ((0,), 1), ((1, 1), 1), ((1001,), 1)]
)
def test_multiples_are_different_and_at_least_one(multiples: tuple[int, ...], faults: int) -> None:
    """An empty list, a value twice, below 1 or above the greatest factor are faults."""
    assert len(limits.multiples(Rules(multiples=multiples))) == faults


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
    assert len(limits.multipliers(Rules(odds=odds), "odds", ("big", "small"))) == faults
