"""Who left a table with chips lately, and so may not come back with fewer [poker 0.11].

Where the house rule ``return_minutes`` is set, a player who takes a seat again within that time brings at least what it
left with, also where that is more than the greatest buy-in. The list is part of the table's log.
"""

from typing import Final

from services.table.public_table import PublicTable
from services.table.records import Departure, SeatRecord

MOST_REMEMBERED: Final = 200
"""Departures that a table remembers; beyond it the earliest is forgotten."""


def after_leaving(core: PublicTable, left: SeatRecord, at_ms: int) -> tuple[Departure, ...]:
    """Return the departures after a seat was left, with its chips at that moment."""
    span_ms = 60_000 * int(core.opening.rules.get("return_minutes", 0))
    kept = _others(core, left.player, at_ms)
    if not span_ms or not left.chips:
        return kept
    return (*kept, Departure(player=left.player, chips=left.chips, until_ms=at_ms + span_ms))[-MOST_REMEMBERED:]


def after_return(core: PublicTable, player: str, at_ms: int) -> tuple[Departure, ...]:
    """Return the departures after a player has taken a seat."""
    return _others(core, player, at_ms)


def of_player(core: PublicTable, player: str, now_ms: int) -> Departure | None:
    """Return a player's departure if it still binds; None where the player may bring what the table takes."""
    found = (one for one in core.departed if one.player == player and one.until_ms > now_ms)
    return next(found, None)


def _others(core: PublicTable, player: str, now_ms: int) -> tuple[Departure, ...]:
    if not core.departed:
        return ()
    return tuple(one for one in core.departed if one.player != player and one.until_ms > now_ms)
