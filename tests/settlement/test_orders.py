"""Lists that operators read: from either end, page by page, each row once."""

from typing import Any

import pytest
from pitboss.v1 import back_office_pb2 as pb

from services.runtime.identity import Role
from tests.settlement import office
from tests.support.served import request_id
from tests.support.settlement_floor import Floor


async def whole(floor: Floor, method: str, rows: str, order: str, size: int) -> list[Any]:
    """Return all rows of a list in an order, read in pages of a size."""
    request = getattr(pb, f"{method}Request")(order_by=order, page_size=size)
    found: list[Any] = []
    while True:
        page = await floor.staff(getattr(floor.settlement.office, method), request)
        assert len(getattr(page, rows)) <= size
        found += getattr(page, rows)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


@pytest.mark.parametrize(
    ("method", "rows", "field"),
    [
        ("ListSwitches", "switches", "create_time"),
        ("ListAdjustments", "adjustments", "request_time"),
        ("ListVoids", "voids", "request_time"),
        ("ListSignificantEvents", "significant_events", "event_time"),
    ],
)
async def test_the_newest_rows_come_first_where_they_are_asked_for(
    floor: Floor, method: str, rows: str, field: str
) -> None:
    """The reverse of the default, in pages of every size; an order of another list is refused."""
    player = await floor.player(100)
    for amount in (1, 2, 3):
        await office.asked(floor, player, amount)
        switch = pb.SetSwitchRequest(
            request_id=request_id(),
            scope=pb.SWITCH_SCOPE_PLAYER,
            subject=f"somebody-{amount}",
            off=True,
            reason="a test of orders",
        )
        await floor.staff(floor.settlement.office.SetSwitch, switch)
    oldest_first = await whole(floor, method, rows, "", 100)
    assert method == "ListVoids" or len(oldest_first) >= 3
    for size in (1, 2, 100):
        assert await whole(floor, method, rows, field, size) == oldest_first
        assert await whole(floor, method, rows, f"{field} desc", size) == oldest_first[::-1]
    wrong = getattr(pb, f"{method}Request")(order_by="amount")
    message = await floor.settlement.refused(
        "INVALID_ARGUMENT", getattr(floor.settlement.office, method), wrong, Role.OPERATOR
    )
    assert f"{field} desc" in message
