"""The inbox: changes that one person has requested, and that a second person decides."""

import asyncio

from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import dealer_pb2
from starlette.responses import Response

from services.console.desk import Desk


async def inbox(desk: Desk) -> Response:
    """List what waits for a second person, oldest first, and the last adjustments that were decided."""
    house, office = desk.house, desk.house.office
    adjustments, voids, decided = await asyncio.gather(
        house.call(office.ListAdjustments, pb.ListAdjustmentsRequest(pending_only=True, page_size=100)),
        house.call(office.ListVoids, pb.ListVoidsRequest(pending_only=True, page_size=100)),
        house.call(office.ListAdjustments, pb.ListAdjustmentsRequest(page_size=50, order_by="request_time desc")),
    )
    return desk.render(
        "inbox.html",
        adjustments=adjustments.adjustments,
        voids=voids.voids,
        decided=[one for one in decided.adjustments if one.state != pb.ADJUSTMENT_STATE_PENDING],
        state=pb.AdjustmentState.Name,
    )


async def adjustment(desk: Desk) -> Response:
    """Approve or reject an adjustment."""
    request = pb.DecideAdjustmentRequest(
        request_id=desk.command(),
        adjustment_id=desk.path("adjustment"),
        approve=desk.form.get("decision") == "approve",
        reason=desk.text("reason"),
    )
    await desk.house.call(desk.house.office.DecideAdjustment, request)
    return desk.back("/inbox", "approved" if request.approve else "rejected")


async def void(desk: Desk) -> Response:
    """Approve or reject the void of a round."""
    request = dealer_pb2.DecideVoidRequest(
        request_id=desk.command(),
        table_id=desk.path("table"),
        void_id=desk.path("void"),
        approve=desk.form.get("decision") == "approve",
        reason=desk.text("reason"),
    )
    await desk.house.call(desk.house.dealer.DecideVoid, request)
    return desk.back("/inbox", "approved" if request.approve else "rejected")
