"""Waiting for a seat: joining and leaving the line of a table, and the end of waits that have lapsed."""

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.commands.runner import Command
from services.contract import requests, wire_line
from services.dealer import cashier, starts
from services.dealer.context import DealerContext
from services.dealer.table_commands import TableCommand
from services.runtime.identity import Caller
from services.table import reservations, waiting_line
from services.table.events import Event
from services.table.full_table import FullTable


class LeaveLine(TableCommand[pb.LeaveWaitingListResponse]):
    """Leaves the line."""

    kind = "LeaveWaitingList"
    answer_type = pb.LeaveWaitingListResponse

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return that the player waits no longer; nothing where it does not wait."""
        return waiting_line.leave(table.core, self.actor, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.LeaveWaitingListResponse:
        """Return the table's version."""
        return pb.LeaveWaitingListResponse(version=table.core.version)


class EndWaits(Command[FullTable, pb.LeaveWaitingListResponse]):
    """Removes those from the line whose hold has lapsed by ``due_ms``, or who have waited too long by then.

    It removes reservations that have lapsed as well.
    """

    kind = "EndWaits"
    answer_type = pb.LeaveWaitingListResponse

    def __init__(self, table_id: str, due_ms: int) -> None:
        super().__init__(table_id, starts.THE_HOUSE.subject, starts.THE_HOUSE.role.value)
        self._due_ms = due_ms

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return who waits, or which seats are reserved, no longer; nothing where that has been recorded meanwhile."""
        at_ms = max(self._due_ms, now_ms)
        # Each of the two events removes all that is over, be it a wait or a reservation.
        return waiting_line.ended(table.core, at_ms) or reservations.ended(table.core, at_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.LeaveWaitingListResponse:
        """Return the table's version."""
        return pb.LeaveWaitingListResponse(version=table.core.version)


async def join(house: DealerContext, request: pb.JoinWaitingListRequest, caller: Caller) -> pb.JoinWaitingListResponse:
    """Wait for a seat of a table. Raises Refused."""
    await house.tables.refuse_others(requests.table_id(request))
    answer = await house.cashier.stub.JoinLine(
        cashier_pb.JoinLineRequest(
            request_id=request.request_id,
            table_id=request.table_id,
            on_behalf=cashier.on_behalf(caller),
            request_digest=requests.content_digest(request),
        )
    )
    await house.refresh(request.table_id, answer.version)
    return pb.JoinWaitingListResponse(
        version=answer.version,
        place=answer.place,
        waiting=answer.waiting,
        hold_end_time=wire_line.moment(answer.held_until_ms),
        expire_time=wire_line.moment(answer.until_ms),
    )


async def due(house: DealerContext, table_id: str, due_ms: int) -> list[Event]:
    """Do what is due between rounds or beside one: end waits, else start a round. Raises Refused."""
    _, made = await house.commands.run(EndWaits(table_id, due_ms))
    return made or await starts.by_house(house, table_id, due_ms)
