"""Reserved seats: a free seat of a table that is kept for one player until a moment.

Reservations are in the table's log, so a seat is taken, held for the waiting line and reserved on one version of the
table. One that has lapsed counts no more from its end on; the next event, whatever it is, removes it. A dealer appends
one where no other comes, so that a seat that was not taken passes to the waiting line.
"""

from typing import Final

from services.rules.refusals import Reason, Refused, invalid
from services.rules.text import Text
from services.table import entry_events, public_table, waiting_line
from services.table.events import Event
from services.table.public_table import PublicTable
from services.table.records import Reservation

MOST_RESERVED_MS: Final = 24 * 60 * 60 * 1000
"""How long a seat is reserved at most."""


def of_player(core: PublicTable, player: str, now_ms: int) -> Reservation | None:
    """Return the seat that is kept for a player at a moment."""
    return next((one for one in core.kept(now_ms).values() if one.player == player), None)


def reserve(core: PublicTable, wanted: Reservation, at_ms: int) -> list[Event]:
    """Keep a seat for a player, instead of the one that was kept for it before; nothing where it is kept already.

    Raises Refused (``TABLE_CLOSED``, ``ALREADY_SEATED``, ``SEAT_TAKEN``, ``SEAT_RESERVED``: offered to somebody who
    waits, ``SEAT_HELD``, ``INVALID_ARGUMENT``).
    """
    public_table.require_not_closed(core)
    require_seat(core, wanted.seat)
    if not at_ms < wanted.until_ms <= at_ms + MOST_RESERVED_MS:
        bounds = at_ms + 1, at_ms + MOST_RESERVED_MS
        raise invalid("until_time", "a moment within the next 24 hours", between_ms=bounds)
    if core.seat_of(wanted.player) is not None:
        raise Refused(Reason.ALREADY_SEATED, "this player has a seat here already", metadata={"seat": wanted.seat})
    kept = core.kept(at_ms)
    stands = kept.get(wanted.seat)
    if stands == wanted:
        return []
    if stands is not None and stands.offer and stands.player != wanted.player:
        raise refused(core, stands, at_ms)
    own = of_player(core, wanted.player, at_ms)
    if stands is None and own is None:
        waiting_line.refuse_held(core, wanted.player, waiting_line.free_seats(core, at_ms), at_ms)
    return [entry_events.SeatReserved(at_ms=at_ms, reservation=wanted)]


def release(core: PublicTable, seat: int, at_ms: int) -> list[Event]:
    """Keep a seat for nobody any more; nothing where it is kept for nobody."""
    return [entry_events.ReservationReleased(at_ms=at_ms, seat=seat)] if seat in core.kept(at_ms) else []


def ended(core: PublicTable, now_ms: int) -> list[Event]:
    """Return the event that removes the reservations that have lapsed; none where there are none."""
    over_by = tuple(sorted(core.reserved.keys() - core.kept(now_ms).keys()))
    return [entry_events.ReservationsEnded(at_ms=now_ms, seats=over_by)] if over_by else []


def require_seat(core: PublicTable, seat: int) -> None:
    """Check that a seat exists and is free. Raises Refused (``INVALID_ARGUMENT``, ``SEAT_TAKEN``)."""
    if not 0 <= seat < core.places:
        last = core.places - 1
        raise invalid("seat", f"{seat} does not exist; seats go from 0 to {last}", least=0, greatest=last)
    if seat in core.seats:
        free = listed([number for number in range(core.places) if number not in core.seats])
        message = f"seat {seat} is taken; free seats: {free}"
        raise Refused(Reason.SEAT_TAKEN, message, metadata={"seat": seat, "free_seats": free})


def choose(core: PublicTable, player: str, seat: int | None, now_ms: int) -> int:
    """Return the seat that a player takes: the wanted one, the one kept for it, or the first that is kept for nobody.

    Raises Refused (``SEAT_RESERVED``, ``SEAT_HELD``).
    """
    kept = core.kept(now_ms)
    own = of_player(core, player, now_ms)
    if seat is not None and seat in kept and kept[seat].player != player:
        raise refused(core, kept[seat], now_ms)
    if own is not None and seat in (None, own.seat):
        return own.seat
    free = open_seats(core, now_ms)
    if not free:
        raise refused(core, min(kept.values(), key=lambda one: one.until_ms), now_ms)
    waiting_line.refuse_held(core, player, len(free), now_ms)
    return free[0] if seat is None else seat


def open_seats(core: PublicTable, now_ms: int) -> list[int]:
    """Return the seats that are free and reserved for nobody."""
    kept = core.kept(now_ms)
    return [seat for seat in range(core.places) if seat not in core.seats and seat not in kept]


def refused(core: PublicTable, kept: Reservation, now_ms: int) -> Refused:
    """Return the refusal of a seat that is kept for somebody else, with the seats that are free."""
    free = listed(open_seats(core, now_ms))
    left_ms = max(0, kept.until_ms - now_ms)
    minutes = -(-left_ms // 60_000)
    return Refused(
        Reason.SEAT_RESERVED,
        f"seat {kept.seat} is reserved for another player, for another {minutes} min at most; free seats: {free}",
        metadata={"seat": kept.seat, "until_ms": kept.until_ms, "left_ms": left_ms, "free_seats": free},
        text=Text(
            f"Seat {kept.seat} is reserved for another player, for another {minutes} min at most.",
            f"{kept.seat} 號座位已為其他玩家預留，最多再保留 {minutes} 分鐘。",
            f"{kept.seat} 号座位已为其他玩家预留，最多再保留 {minutes} 分钟。",
        ),
    )


def listed(seats: list[int]) -> str:
    """Write the first of some seats; a dash where there are none."""
    return ", ".join(map(str, seats[:10])) or "-"


# -- the fold


def made(core: PublicTable, event: entry_events.SeatReserved) -> None:
    """Fold a reservation; who has one does not wait besides."""
    kept = event.reservation
    assert kept.seat not in core.seats, f"seat {kept.seat} is taken and was reserved"
    remove(core, kept.seat, kept.player)
    waiting_line.remove(core, kept.player)
    core.reserved = {**core.reserved, kept.seat: kept}


def released(core: PublicTable, event: entry_events.ReservationReleased) -> None:
    """Fold the end of a reservation by the wish of a person."""
    remove(core, event.seat)


def over(core: PublicTable, event: entry_events.ReservationsEnded) -> None:
    """Fold the end of reservations that have lapsed."""
    remove(core, *event.seats)


def remove(core: PublicTable, *of: int | str) -> None:
    """Keep these seats, and seats for these players, no longer."""
    if core.reserved:
        core.reserved = {seat: one for seat, one in core.reserved.items() if seat not in of and one.player not in of}
