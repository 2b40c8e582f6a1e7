"""Significant events [R39]: what tables cause, as pure functions of what was appended; their recording."""

from collections.abc import Sequence

import msgspec

from services.journal.log_rows import Metadata
from services.registry import significant
from services.registry.paging import Connection
from services.registry.records import Significant
from services.runtime import metrics
from services.runtime.settings import Settings
from services.settlement.round_figures import Before
from services.table import events
from services.table.events import Event
from services.table.public_table import Core

COMPONENT = "settlement"

VOIDED, CLOSED, LARGE_WIN, LARGE_STAKE = "round_voided", "table_closed", "large_win", "large_stake"
STUCK = "round_stuck"
SIGN_IN, ERROR, SWITCH, LIMIT = "sign_in_refused", "error", "switch", "limit"
ADJUSTMENT_ASKED, ADJUSTMENT_DECIDED = "adjustment_requested", "adjustment_decided"
VOID_ASKED, VOID_DECIDED = "void_requested", "void_decided"
ERASURE_ASKED, ERASURE_DECIDED = "erasure_requested", "erasure_decided"
RULES, SETTINGS = "rules", "settings"
TEMPLATE_PROPOSED, TEMPLATE_DECIDED, TEMPLATE_RETIRED = "template_proposed", "template_decided", "template_retired"

KINDS = (
    SIGN_IN,
    ERROR,
    LARGE_WIN,
    LARGE_STAKE,
    VOIDED,
    CLOSED,
    STUCK,
    VOID_ASKED,
    VOID_DECIDED,
    SWITCH,
    LIMIT,
    RULES,
    SETTINGS,
    ADJUSTMENT_ASKED,
    ADJUSTMENT_DECIDED,
    ERASURE_ASKED,
    ERASURE_DECIDED,
    TEMPLATE_PROPOSED,
    TEMPLATE_DECIDED,
    TEMPLATE_RETIRED,
)


class Thresholds(msgspec.Struct, frozen=True):
    """From how many chips on a seat's win, or stake, in one round is told; 0: never."""

    win: int = 0
    stake: int = 0


def thresholds(settings: Settings) -> Thresholds:
    """Take the thresholds from the settings."""
    return Thresholds(settings.large_win, settings.large_stake)


def of_events(at: Before, core: Core, made: list[Event], by: Metadata, large: Thresholds) -> list[Significant]:
    """Give what must be told of these events; test tables are told of as such."""
    found: list[Significant] = []
    for event in made:
        if isinstance(event, events.RoundVoided):
            found.append(_voided(at, core, event, by))
        elif isinstance(event, events.TableClosed):
            found.append(_told(CLOSED, core, by, reason=event.reason, before="open", after="closed"))
        elif isinstance(event, events.RoundSettled) and not core.opening.test:
            found.extend(_large(core, event, by, large))
    return found


def _voided(at: Before, core: Core, event: events.RoundVoided, by: Metadata) -> Significant:
    running = at.round
    state = "ended, not settled" if running is not None and running.outcome is not None else "running"
    held = {seat.seat: seat.chips for seat in at.seats.values()}
    return _told(
        VOIDED,
        core,
        by,
        reason=event.reason,
        before=f"round {event.round_number} {state}",
        after=f"round {event.round_number} voided; chips by seat as at its start: {msgspec.json.encode(held).decode()}",
    )


def _large(core: Core, event: events.RoundSettled, by: Metadata, large: Thresholds) -> list[Significant]:
    found: list[Significant] = []
    for seat in event.seats:
        for kind, chips, least in (
            (LARGE_WIN, seat.won - seat.staked, large.win),
            (LARGE_STAKE, seat.staked, large.stake),
        ):
            if least and chips >= least:
                reason = f"{chips} {core.opening.currency} in round {event.round_number}, threshold {least}"
                told = _told(kind, core, by, reason=reason, before=str(seat.before), after=str(seat.after))
                found.append(msgspec.structs.replace(told, actor=seat.player))
    return found


def _told(kind: str, core: Core, by: Metadata, *, reason: str, before: str, after: str) -> Significant:
    test = " (test table)" if core.opening.test else ""
    return Significant(
        kind=kind,
        component=COMPONENT,
        actor=by.actor,
        subject=f"table {core.table_id}{test}",
        reason=reason,
        before=before,
        after=after,
    )


async def record(conn: Connection, found: Sequence[Significant]) -> None:
    """Record significant events in the caller's transaction; tell ``committed`` of them once it is."""
    for one in found:
        await significant.record(conn, one)


def committed(found: Sequence[Significant]) -> None:
    """Count what was recorded: only now is it certain, for a transaction may be run again."""
    for one in found:
        metrics.SIGNIFICANT.labels(one.kind).inc()
