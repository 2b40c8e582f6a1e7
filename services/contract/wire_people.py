"""The people at a table as its viewers see them: who holds which seat, under names that differ."""

from collections.abc import Mapping

from pitboss.v1 import table_pb2 as pb

from services.rules.personal import Show
from services.table import persons
from services.table.events import SeatRecord
from services.table.public_table import PublicTable


def seats(core: PublicTable, show: Show) -> list[pb.Seat]:
    """Write the taken seats, in order."""
    named = names({seat.seat: seat.name for seat in core.seats.values()}, show)
    return [_seat(core, seat, named[seat.seat], show) for _, seat in sorted(core.seats.items())]


def _seat(core: PublicTable, seat: SeatRecord, name: str, show: Show) -> pb.Seat:
    return pb.Seat(
        seat=seat.seat,
        name=name,
        chips=seat.chips,
        leaving=seat.leaving,
        seed_set=seat.seat in core.player_seeds,
        added=core.added(seat.seat),
        player_id=persons.player_id(seat.name),
        avatar=avatar(seat, show),
    )


def names(stored: Mapping[int, str], show: Show) -> dict[int, str]:
    """Return the names to show by seat; players of one name are shown with the beginning of their ids."""
    return persons.told_apart({seat: (show(name), persons.player_id(name)) for seat, name in stored.items()})


def avatar(seat: SeatRecord, show: Show) -> str:
    """Return the address of a player's picture; "" where there is none, or where it was erased."""
    shown = show(seat.avatar) if isinstance(seat.avatar, str) else ""
    return shown if persons.is_avatar(shown) else ""
