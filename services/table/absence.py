"""Seats that sit out: not dealt in, and cashed out once they have been away for too long [rules "A round's life"].

A player sits out when it says so, or when the clock has taken two of its decisions in a row. How long a seat may stay
away is in the house rules ``absent_rounds`` and ``absent_minutes``; tables of older logs, which lack them, know neither
the clock's part nor an end.
"""

from collections.abc import Iterable
from typing import Final

from services.rules import actions
from services.rules.happenings import AnyHappening, Decided, Noted
from services.table import events
from services.table.events import Absence, Event
from services.table.public_table import PublicTable

MOST_LAPSES: Final = 2
"""Decisions in a row that the clock takes before a seat sits out."""


FORMAL: Final = (actions.Muck,)
"""Actions for which a seat need not be there: it misses nothing if the clock takes them."""


def is_counted(core: PublicTable) -> bool:
    """Return whether a table counts the decisions that the clock takes: it does where an absence can be too long."""
    rules = core.opening.rules
    return bool(rules.get("absent_rounds") or rules.get("absent_minutes"))


def begun(core: PublicTable, at_ms: int) -> Absence:
    """Return an absence that begins now, with the moment at which it is too long."""
    minutes: int = core.opening.rules.get("absent_minutes", 0)
    return Absence(since_ms=at_ms, until_ms=at_ms + 60_000 * minutes if minutes else 0)


def after_start(core: PublicTable, absence: Absence, at_ms: int) -> Absence:
    """Return an absence after one more round has started without the seat."""
    rounds, most = absence.rounds + 1, core.opening.rules.get("absent_rounds", 0)
    until_ms = at_ms if most and rounds >= most else absence.until_ms
    return Absence(since_ms=absence.since_ms, until_ms=until_ms, rounds=rounds)


def rounds_left(core: PublicTable, absence: Absence) -> int | None:
    """Return the rounds that may still start before the seat is cashed out; None where they are not counted."""
    most: int = core.opening.rules.get("absent_rounds", 0)
    return max(0, most - absence.rounds) if most else None


def lapsed(happenings: Iterable[AnyHappening]) -> set[int]:
    """Return the seats whose decisions the clock took in an event, but for formal ones; secret ones have a note."""
    found = set()
    for entry in happenings:
        if (isinstance(entry, Decided) and not isinstance(entry.action, FORMAL)) or (
            isinstance(entry, Noted) and entry.what == "decided"
        ):
            assert entry.seat is not None, "a decision is that of a seat"
            found.add(entry.seat)
    return found


def sit_out(core: PublicTable, seat: int, at_ms: int) -> list[Event]:
    """Mark a seat as sitting out from the next round on; no event where it does already."""
    return [] if seat in core.absent else [events.SatOut(at_ms=at_ms, seat=seat, by_clock=False)]


def sit_in(core: PublicTable, seat: int, at_ms: int) -> list[Event]:
    """Deal a seat in again from the next round on; no event where it does not sit out."""
    return [events.SatIn(at_ms=at_ms, seat=seat)] if seat in core.absent else []


def away(core: PublicTable) -> list[int]:
    """Return the seats of the round that sit out after it, because the clock took their last decisions."""
    return [
        seat
        for seat, count in sorted(core.lapses.items())
        if count >= MOST_LAPSES and seat not in core.absent and not core.seats[seat].leaving
    ]


def over(core: PublicTable, now_ms: int) -> list[int]:
    """Return the seats that have been away for too long."""
    return [seat for seat, absence in sorted(core.absent.items()) if 0 < absence.until_ms <= now_ms]
