"""What tests ask the back office for: adjustments, decisions on them, significant events."""

from typing import Any

from pitboss.v1 import back_office_pb2 as pb

from services.runtime.identity import Role
from tests.support.served import request_id
from tests.support.settlement_floor import CURRENCY, Floor


async def asked(floor: Floor, player: str, amount: int) -> pb.Adjustment:
    """Ask for an adjustment as one operator."""
    request = pb.RequestAdjustmentRequest(
        request_id=request_id(), player=player, currency=CURRENCY, amount=amount, reason="a lost dispute"
    )
    made: pb.Adjustment = (await floor.staff(floor.settlement.office.RequestAdjustment, request, "alice")).adjustment
    return made


def decision(adjustment: pb.Adjustment, *, approve: bool = True) -> pb.DecideAdjustmentRequest:
    """Decide an adjustment."""
    return pb.DecideAdjustmentRequest(
        request_id=request_id(), adjustment_id=adjustment.adjustment_id, approve=approve, reason="looked into"
    )


async def events(floor: Floor, kind: str = "", **span: Any) -> list[pb.SignificantEvent]:
    """Read all significant events of a kind, page by page."""
    found: list[pb.SignificantEvent] = []
    request = pb.ListSignificantEventsRequest(kind=kind, page_size=2, **span)
    while True:
        page = await floor.settlement.call(floor.settlement.office.ListSignificantEvents, request, Role.AUDITOR)
        found += page.significant_events
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token
