"""The dealer's gRPC methods by which players come to a table: seats, the waiting list, reserved seats."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import dealer_pb2_grpc
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.contract import requests
from services.dealer import cashier, invitations, lobby, reserved_seats, seat_waits, waiting_list
from services.dealer.context import DealerContext
from services.runtime import context

Answer = TypeVar("Answer", bound=Message)


class EntryService(dealer_pb2_grpc.DealerServiceServicer):
    """The first half of ``DealerService``."""

    def __init__(self, house: DealerContext) -> None:
        self._house = house

    async def TakeSeat(self, request: pb.TakeSeatRequest, _: Any) -> pb.TakeSeatResponse:
        """Take a seat with chips from the wallet."""
        await self._house.tables.refuse_others(requests.table_id(request))
        answer = await self._house.cashier.stub.BuyIn(
            cashier_pb.BuyInRequest(
                **cashier.command(request, context.caller()),
                seat=request.seat if request.HasField("seat") else None,
                amount=request.buy_in,
                request_digest=requests.content_digest(request),
            )
        )
        await self._house.refresh(request.table_id)
        return pb.TakeSeatResponse(seat=answer.seat, version=answer.version)

    async def TakeAnySeat(self, request: pb.TakeAnySeatRequest, _: Any) -> pb.TakeAnySeatResponse:
        """Take any open seat of a game and stake."""
        return await lobby.take_any_seat(self._house, request, context.caller())

    async def JoinWaitingList(self, request: pb.JoinWaitingListRequest, _: Any) -> pb.JoinWaitingListResponse:
        """Wait for a seat."""
        return await waiting_list.join(self._house, request, context.caller())

    async def LeaveWaitingList(self, request: pb.LeaveWaitingListRequest, _: Any) -> pb.LeaveWaitingListResponse:
        """Wait no longer."""
        requests.table_id(request)
        return await self._house.run(waiting_list.LeaveLine(request, context.caller()))

    async def WaitForAnySeat(self, request: pb.WaitForAnySeatRequest, _: Any) -> pb.WaitForAnySeatResponse:
        """Wait for a seat at any table of a game and stake."""
        return await seat_waits.join(self._house, request, context.caller())

    async def StopWaiting(self, request: pb.StopWaitingRequest, _: Any) -> pb.StopWaitingResponse:
        """Wait no longer for a seat at any table."""
        return await seat_waits.stop(self._house, request, context.caller())

    async def WatchSeatWait(self, request: pb.WatchSeatWaitRequest, _: Any) -> AsyncIterator[pb.WatchSeatWaitResponse]:
        """Stream the caller's wait for a seat at any table."""
        del request
        async with aclosing(self._house.waits.watch(context.caller())) as seen:
            async for message in seen:
                yield message

    async def ReserveSeat(self, request: pb.ReserveSeatRequest, _: Any) -> pb.ReserveSeatResponse:
        """Reserve a seat for a player."""
        requests.table_id(request)
        return await self._house.run(reserved_seats.ReserveSeat(request, context.caller()))

    async def ReleaseSeat(self, request: pb.ReleaseSeatRequest, _: Any) -> pb.ReleaseSeatResponse:
        """End the reservation of a seat."""
        requests.table_id(request)
        return await self._house.run(reserved_seats.ReleaseSeat(request, context.caller()))

    async def CreateInvitation(self, request: pb.CreateInvitationRequest, _: Any) -> pb.CreateInvitationResponse:
        """Make an invitation to a private table."""
        requests.table_id(request)
        command = invitations.CreateInvitation(request, context.caller(), self._house.vault)
        return command.with_code(await self._house.run(command))

    async def AcceptInvitation(self, request: pb.AcceptInvitationRequest, _: Any) -> pb.AcceptInvitationResponse:
        """Enter a private table by an invitation."""
        requests.table_id(request)
        return await self._house.run(invitations.AcceptInvitation(request, context.caller()))

    async def RevokeInvitation(self, request: pb.RevokeInvitationRequest, _: Any) -> pb.RevokeInvitationResponse:
        """Revoke an invitation."""
        requests.table_id(request)
        return await self._house.run(invitations.RevokeInvitation(request, context.caller()))

    async def ListInvitations(self, request: pb.ListInvitationsRequest, _: Any) -> pb.ListInvitationsResponse:
        """List the invitations to a table."""
        return await invitations.listed(self._house, requests.table_id(request), context.caller())
