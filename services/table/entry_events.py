"""Events by which players come to a table: its waiting line, reserved seats, invitations."""

from typing import Final

from services.table.records import Event, Guest, Invitation, Reservation


class WaitingJoined(Event, frozen=True):
    """A player waits for a seat until ``until_ms``, at the end of the line; who waits already keeps its place."""

    player: str
    until_ms: int


class WaitingLeft(Event, frozen=True):
    """A player left the line by its own wish."""

    player: str


class WaitingEnded(Event, frozen=True):
    """Players who did not take the seat that was held for them, or have waited too long, wait no longer."""

    players: tuple[str, ...]


class SeatReserved(Event, frozen=True):
    """A seat is kept for a player until a moment, instead of what was kept for that player or at that seat before."""

    reservation: Reservation


class ReservationReleased(Event, frozen=True):
    """A reserved seat is kept for nobody any more, by the wish of a person."""

    seat: int


class ReservationsEnded(Event, frozen=True):
    """Reserved seats that were not taken in time are kept for nobody any more."""

    seats: tuple[int, ...]


class InvitationMade(Event, frozen=True):
    """An invitation to a private table was made."""

    invitation: Invitation


class InvitationAccepted(Event, frozen=True):
    """A player has used an invitation and may enter the table from now on."""

    guest: Guest


class InvitationRevoked(Event, frozen=True):
    """An invitation can be used no more, and who came by it may no longer enter; taken seats stay."""

    invitation_id: str


KINDS: Final[tuple[type[Event], ...]] = (
    WaitingJoined,
    WaitingLeft,
    WaitingEnded,
    SeatReserved,
    ReservationReleased,
    ReservationsEnded,
    InvitationMade,
    InvitationAccepted,
    InvitationRevoked,
)
