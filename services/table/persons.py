"""People behind names: whether two names are those of one person, and whether a person plays at a table.

Nobody acts as staff where it plays: what a person with a seat sees of its own cards must not move its hand elsewhere.
"""

import unicodedata

from services.rules.refusals import Reason, Refused
from services.table.events import SeatRecord
from services.table.public_table import PublicTable


def folded(name: str) -> str:
    """Return what all spellings of one person's name have in common: neither case nor the form of letters counts."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def same(one: str, other: str) -> bool:
    """Return whether two names are those of one person."""
    return folded(one) == folded(other)


def seat_of(core: PublicTable, name: str) -> SeatRecord | None:
    """Find the seat that a person holds under any spelling of its name."""
    wanted = folded(name)
    return next((seat for seat in core.seats.values() if folded(seat.player) == wanted), None)


def refuse_seated(core: PublicTable, name: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) where a person that acts as staff holds a seat at the table."""
    seat = seat_of(core, name)
    if seat is not None:
        message = f"{seat.player} plays at this table (seat {seat.seat}); another person must do this"
        raise Refused(Reason.SECOND_PERSON_NEEDED, message)
