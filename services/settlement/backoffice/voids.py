"""The list of requested voids, with their decisions."""

from typing import Final

from pitboss.v1 import back_office_pb2 as pb

from services.contract import requests
from services.registry import records, voids
from services.registry.records import VoidRequest
from services.runtime.pools import Pool
from services.settlement import second_person
from services.settlement.backoffice import request_fields

STATES: Final = {
    records.PENDING: pb.VOID_STATE_PENDING,
    records.APPROVED: pb.VOID_STATE_APPROVED,
    records.REJECTED: pb.VOID_STATE_REJECTED,
}


async def listed(pool: Pool, request: pb.ListVoidsRequest) -> pb.ListVoidsResponse:
    """Return one page of requested voids. Raises Refused."""
    size = request_fields.page_size(request)
    after, newest_first = request_fields.numbered_place(request, "request_time")
    table_id = requests.table_id(request) if request.table_id else None
    async with pool.connection() as conn:
        page = await voids.listed(
            conn,
            table_id=table_id,
            pending_only=request.pending_only,
            after=after,
            limit=size + 1,
            newest_first=newest_first,
        )
    shown, token = request_fields.numbered(request, page, size)
    return pb.ListVoidsResponse(voids=[wire(one) for one in shown], next_page_token=token)


def wire(found: VoidRequest) -> pb.Void:
    """Return a void as a message."""
    return pb.Void(
        void_id=found.void_id,
        table_id=found.table_id,
        round_number=found.round,
        currency=found.currency,
        chips_at_risk=found.at_risk,
        reason=found.reason,
        state=STATES[found.state],
        **second_person.fields(found),
    )
