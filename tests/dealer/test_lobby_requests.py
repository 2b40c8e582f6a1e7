"""Requests for any seat that no table could fulfil are refused before one is looked for, with the wrong field."""

from typing import Any

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import lobby, lobby_filter
from services.rules import chips
from services.rules.refusals import Reason, Refused

WRONG: list[tuple[dict[str, Any], Reason, str]] = [
    ({"buy_in": 0}, Reason.AMOUNT_OUT_OF_RANGE, "buy_in"),
    ({"buy_in": -5}, Reason.AMOUNT_OUT_OF_RANGE, "buy_in"),
    ({"buy_in": chips.MOST_CHIPS + 1}, Reason.AMOUNT_OUT_OF_RANGE, "buy_in"),
    ({"stake": -3}, Reason.INVALID_ARGUMENT, "stake"),
    ({"template_ids": [f"t{number}" for number in range(11)]}, Reason.INVALID_ARGUMENT, "template_ids"),
    ({"template_ids": ["same"] * 11}, Reason.INVALID_ARGUMENT, "template_ids"),
]


@pytest.mark.parametrize(("given", "reason", "field"), WRONG)
def test_what_is_wrong_at_every_table_is_named(given: dict[str, Any], reason: Reason, field: str) -> None:
    """A buy-in, stake or list of templates beyond its bounds is not answered with TABLE_FULL."""
    request = pb.TakeAnySeatRequest(**{"game": "war", "buy_in": 100, **given})
    with pytest.raises(Refused) as caught:
        lobby.check(request)
    assert caught.value.reason is reason
    assert [path for path, _ in caught.value.fields] == [field]


def test_a_list_of_tables_names_a_stake_below_zero() -> None:
    """No table has such a stake."""
    with pytest.raises(Refused) as caught:
        lobby_filter.wanted(pb.ListTablesRequest(stake=-3))
    assert [path for path, _ in caught.value.fields] == ["stake"]
