"""House rules that are invalid or out of bounds open no table."""

import uuid
from typing import Any

import pytest
from pitboss import client
from pitboss import rules as house_rules
from pitboss.v1 import catalogue_pb2, dealer_pb2

from tests.faults import floor, refusing
from tests.faults.breaking import Broken
from tests.support.people import Crowd


def _rules() -> list[dict[str, catalogue_pb2.HouseRuleValue]]:
    odd: list[dict[str, Any]] = [
        {"turn_seconds": -5},
        {"turn_seconds": 0},
        {"turn_seconds": 1e300},
        {"turn_seconds": 1.5},
        {"no_such_rule": 1},
        {"big_blind": "many"},
        {"big_blind": [1, 2]},
        {"big_blind": {"a": 1}},
        {"max_seats": 1 << 40},
        {"fee_bps": 20_000},
        {"win_cap": "maybe"},
        {"win_cap": "x" * 10_000},
        {"": 1},
        {"\x00": 1},
        {"x" * 10_000: 1},
        {"small_blind": -1},
        {"max_seats": 0},
        {"min_seats": 9, "max_seats": 2},
        {"big_blind": (1 << 63) - 1},
        {"big_blind": -(1 << 63)},
        {"turn_seconds": True},
        {"rake_bps": -1},
        {"turn_seconds": float("nan")},
        {"turn_seconds": float("inf")},
        {"turn_seconds": catalogue_pb2.HouseRuleValue()},
        {"turn_seconds": list(range(10_000))},
        {f"rule_{number}": 1 for number in range(1000)},
    ]
    return [house_rules.house_rules(one) for one in odd]


async def test_odd_house_rules_are_refused(house: Broken, crowd: Crowd) -> None:
    """A refusal names the invalid house rule, or the unknown game, title or currency."""
    before = await house.counts()
    staff = crowd.operator
    for rules in _rules():
        request = dealer_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, game="texas_holdem", house_rules=rules)
        refusal = await refusing.refused(floor.once(staff, 0, "CreateTable", request))
        assert refusal.reason in ("HOUSE_RULE_OUT_OF_RANGE", "INVALID_ARGUMENT"), f"{rules}: {refusal}"
    wrong: list[dict[str, Any]] = [
        *({"game": game} for game in ("", "chess", "\x00", "x" * 100_000, "../../etc", "Texas_Holdem")),
        *({"game": "texas_holdem", "title": title} for title in refusing.TEXTS),
        *({"game": "texas_holdem", "currency": text} for text in ("x", "chips", "\x00\x00\x00", "X" * 99, "XTS")),
        *({"game": "texas_holdem", "least_buy_in": amount} for amount in (-1, -(1 << 63), (1 << 63) - 1)),
        *({"game": "texas_holdem", "greatest_buy_in": amount} for amount in (-1, (1 << 63) - 1)),
        *({"game": "texas_holdem", "first_button": seat} for seat in (-1, 99, (1 << 31) - 1)),
        {"game": "texas_holdem", "test": True, "currency": "CHIPS"},
    ]
    for given in wrong:
        request = dealer_pb2.CreateTableRequest(request_id=uuid.uuid4().hex, **given)
        await refusing.refused(floor.once(staff, 0, "CreateTable", request))
        named = given.get("game", "")
        if named != "texas_holdem":
            with pytest.raises(client.Refused) as caught:
                await staff.house.game(named)
            assert caught.value.reason == ("INVALID_ARGUMENT" if "\x00" in named else "UNKNOWN_GAME")
    await refusing.unchanged(house, before)
