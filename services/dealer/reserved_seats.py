"""Reserving seats of a table for players, by its owner: who opened it, or staff."""

from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests
from services.dealer.table_commands import TableCommand
from services.rules import house_players
from services.rules.refusals import Reason, Refused
from services.runtime.identity import LONGEST_NAME, Caller, Role
from services.table import persons, reservations
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.public_table import PublicTable
from services.table.records import Reservation


def require_owner(core: PublicTable, caller: Caller) -> None:
    """Check that a caller opened the table, or is staff without a seat there.

    Raises Refused (``PERMISSION_DENIED``, ``SECOND_PERSON_NEEDED``).
    """
    if caller.role is not Role.PLAYER:
        persons.refuse_seated(core, caller.subject)
    elif core.opening.opened_by != caller.subject:
        raise Refused(Reason.PERMISSION_DENIED, "only the player who opened the table, or staff, may do this")


class ReserveSeat(TableCommand[pb.ReserveSeatResponse]):
    """Keeps a free seat for a player until a moment."""

    kind = "ReserveSeat"
    answer_type = pb.ReserveSeatResponse

    def __init__(self, request: pb.ReserveSeatRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._wanted = Reservation(
            seat=request.seat,
            player=requests.text(request.player, "player", LONGEST_NAME, least=1),
            until_ms=requests.moment_us(request.until_time, "until_time") // 1000,
        )

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the reservation; nothing where the seat is kept for the player until then already."""
        require_owner(table.core, self._caller)
        house_players.keep_from_money(self._wanted.player, test=table.core.opening.test)
        return reservations.reserve(table.core, self._wanted, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.ReserveSeatResponse:
        """Return the table's version."""
        return pb.ReserveSeatResponse(version=table.core.version)


class ReleaseSeat(TableCommand[pb.ReleaseSeatResponse]):
    """Ends the reservation of a seat."""

    kind = "ReleaseSeat"
    answer_type = pb.ReleaseSeatResponse

    def __init__(self, request: pb.ReleaseSeatRequest, caller: Caller) -> None:
        super().__init__(request, caller)
        self._seat = request.seat

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the end of the reservation; nothing where there is none. An offer ends with its player's wait."""
        kept = table.core.kept(now_ms).get(self._seat)
        if kept is not None and (kept.offer or kept.player != self.actor):
            require_owner(table.core, self._caller)
            if kept.offer:
                raise reservations.refused(table.core, kept, now_ms)
        return reservations.release(table.core, self._seat, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.ReleaseSeatResponse:
        """Return the table's version."""
        return pb.ReleaseSeatResponse(version=table.core.version)
