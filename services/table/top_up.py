"""Automatic top-ups: a seat sets a level, and before each round settlement brings it up to it from the wallet."""

from collections.abc import Mapping

import msgspec

from services.rules import chips
from services.rules.refusals import Reason, Refused
from services.table import events, public_table
from services.table.events import Event, SeatRecord, TopUp
from services.table.public_table import PublicTable


def of_seat(seat: SeatRecord) -> TopUp | None:
    """Return a seat's level and why the last top-up failed; None where it is not topped up."""
    return seat.top_up if isinstance(seat.top_up, TopUp) else None


def set_level(core: PublicTable, seat: int, level: int, at_ms: int) -> list[Event]:
    """Set a seat's level, 0 for none; nothing where it is set already and has not failed.

    Raises Refused (``AMOUNT_OUT_OF_RANGE``): the level lies within the table's buy-in.
    """
    least, most = max(1, core.opening.least_buy_in), core.opening.greatest_buy_in or chips.MOST_CHIPS
    if level and not least <= level <= most:
        message = f"a seat here is topped up to {least} to {most} chips, not to {level}; 0 ends it"
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"least": least, "greatest": most})
    now = of_seat(core.seats[seat])
    if now == (TopUp(level=level) if level else None):
        return []
    return [events.TopUpSet(at_ms=at_ms, seat=seat, level=level)]


def missing(core: PublicTable) -> dict[int, int]:
    """Return the chips that bring each seat to its level before the next round; only between rounds."""
    if core.phase != public_table.OPEN:
        return {}
    found = {
        number: wanted.level - seat.chips
        for number, seat in sorted(core.seats.items())
        if (wanted := of_seat(seat)) is not None and number not in core.absent
    }
    return {seat: amount for seat, amount in found.items() if amount > 0}


def made(core: PublicTable, added: Mapping[int, int], failed: Mapping[int, Reason], at_ms: int) -> list[Event]:
    """Return the top-ups that succeed, and those that newly fail."""
    done: list[Event] = [events.ChipsAdded(at_ms=at_ms, seat=seat, chips=amount) for seat, amount in added.items()]
    for seat, reason in failed.items():
        now = of_seat(core.seats[seat])
        if now is not None and now.failed != reason.value:
            done.append(events.TopUpFailed(at_ms=at_ms, seat=seat, reason=reason.value))
    return done


def expected(core: PublicTable) -> dict[int, int]:
    """Return the chips that seats will hold at the next start, where their top-up has not failed."""
    amounts = missing(core)
    return {
        number: seat.chips + amounts[number]
        for number, seat in core.seats.items()
        if number in amounts and (wanted := of_seat(seat)) is not None and not wanted.failed
    }


# -- the fold


def was_set(core: PublicTable, event: events.TopUpSet) -> None:
    """Fold a level; 0 ends the top-ups."""
    _replace(core, event.seat, TopUp(level=event.level) if event.level else msgspec.UNSET)


def has_failed(core: PublicTable, event: events.TopUpFailed) -> None:
    """Fold a top-up that failed."""
    now = of_seat(core.seats[event.seat])
    assert now is not None, f"a top-up of seat {event.seat} failed that was not wanted"
    _replace(core, event.seat, TopUp(level=now.level, failed=event.reason))


def chips_came(core: PublicTable, seat: int) -> None:
    """Forget a failure once chips have come."""
    now = of_seat(core.seats[seat])
    if now is not None and now.failed:
        _replace(core, seat, TopUp(level=now.level))


def _replace(core: PublicTable, seat: int, wanted: TopUp | msgspec.UnsetType) -> None:
    core.seats[seat] = msgspec.structs.replace(core.seats[seat], top_up=wanted)
