"""Significant events [R39]: which appended events cause them (pure), and how they are recorded."""

from collections.abc import Sequence

import msgspec

from services.database.statements import Statement
from services.journal.log_rows import Metadata
from services.registry import significant
from services.registry.records import Significant
from services.runtime import metrics
from services.runtime.pools import Connection
from services.runtime.settings import Settings
from services.settlement.round_figures import Before
from services.table import events
from services.table.events import Event
from services.table.public_table import PublicTable

COMPONENT = "settlement"

VOIDED, CLOSED, LARGE_WIN, LARGE_STAKE = "round_voided", "table_closed", "large_win", "large_stake"
STUCK = "round_stuck"
SIGN_IN, ERROR, SWITCH, LIMIT = "sign_in_refused", "error", "switch", "limit"
ADJUSTMENT_ASKED, ADJUSTMENT_DECIDED = "adjustment_requested", "adjustment_decided"
VOID_ASKED, VOID_DECIDED = "void_requested", "void_decided"
ERASURE_ASKED, ERASURE_DECIDED = "erasure_requested", "erasure_decided"
RULES, SETTINGS, MOVED = "rules", "settings", "rules_moved"
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
    MOVED,
    ADJUSTMENT_ASKED,
    ADJUSTMENT_DECIDED,
    ERASURE_ASKED,
    ERASURE_DECIDED,
    TEMPLATE_PROPOSED,
    TEMPLATE_DECIDED,
    TEMPLATE_RETIRED,
)


class Thresholds(msgspec.Struct, frozen=True):
    """Chips from which a seat's win, or stake, in one round is reported as a significant event; 0 disables it."""

    win: int = 0
    stake: int = 0


def thresholds(settings: Settings) -> Thresholds:
    """Return the thresholds of the settings."""
    return Thresholds(settings.large_win, settings.large_stake)


def of_events(at: Before, core: PublicTable, made: list[Event], by: Metadata, large: Thresholds) -> list[Significant]:
    """Return the significant events that these events cause; those at test tables are marked as test."""
    found: list[Significant] = []
    for event in made:
        if isinstance(event, events.RoundVoided):
            found.append(_voided(at, core, event, by))
        elif isinstance(event, events.TableClosed):
            found.append(_event(CLOSED, core, by, reason=event.reason, before="open", after="closed"))
        elif isinstance(event, events.RulesMoved):
            before, after = (f"version {one} of {core.opening.game}" for one in (event.was, event.rules_version))
            found.append(_event(MOVED, core, by, reason=event.reason, before=before, after=after))
        elif isinstance(event, events.RoundSettled) and not core.opening.test:
            found.extend(_large(core, event, by, large))
    return found


def _voided(at: Before, core: PublicTable, event: events.RoundVoided, by: Metadata) -> Significant:
    running = at.round
    state = "ended, not settled" if running is not None and running.outcome is not None else "running"
    held = {seat: at.seats[seat].chips for seat in (running.carry if running is not None else at.seats)}
    return _event(
        VOIDED,
        core,
        by,
        reason=event.reason,
        before=f"round {event.round_number} {state}",
        after=f"round {event.round_number} voided; chips by seat as at its start: {msgspec.json.encode(held).decode()}",
    )


def _large(core: PublicTable, event: events.RoundSettled, by: Metadata, large: Thresholds) -> list[Significant]:
    found: list[Significant] = []
    for seat in event.seats:
        for kind, chips, least in (
            (LARGE_WIN, seat.won - seat.staked, large.win),
            (LARGE_STAKE, seat.staked, large.stake),
        ):
            if least and chips >= least:
                reason = f"{chips} {core.opening.currency} in round {event.round_number}, threshold {least}"
                one = _event(kind, core, by, reason=reason, before=str(seat.before), after=str(seat.after))
                found.append(msgspec.structs.replace(one, actor=seat.player))
    return found


def _event(kind: str, core: PublicTable, by: Metadata, *, reason: str, before: str, after: str) -> Significant:
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


def statements_of(found: Sequence[Significant]) -> list[Statement]:
    """Return the statements that record significant events."""
    return [significant.statement(one) for one in found]


async def record(conn: Connection, found: Sequence[Significant]) -> None:
    """Record significant events in the caller's transaction; call ``committed`` with them after the commit."""
    for one in found:
        await significant.record(conn, one)


def committed(found: Sequence[Significant]) -> None:
    """Count committed significant events. Before the commit the transaction may still be run again."""
    for one in found:
        metrics.SIGNIFICANT.labels(one.kind).inc()
