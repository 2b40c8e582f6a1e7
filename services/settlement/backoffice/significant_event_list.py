"""The list of significant events, and the check for changed rules and settings when a process starts."""

import msgspec
from pitboss.v1 import back_office_pb2 as pb

from services.contract import wire_tables
from services.database import retry
from services.registry import limits, significant
from services.registry.records import Significant
from services.rules import catalogue
from services.rules.refusals import invalid
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import significant_events
from services.settlement.backoffice import request_fields


async def listed(
    pool: Pool, settings: Settings, request: pb.ListSignificantEventsRequest
) -> pb.ListSignificantEventsResponse:
    """Return one page of significant events within a span. Raises Refused."""
    within, size = request_fields.span(request), request_fields.page_size(request)
    after, newest_first = request_fields.numbered_place(request, "event_time")
    if request.kind not in ("", *significant_events.KINDS):
        message = f"one of {', '.join(significant_events.KINDS)}, or none for all"
        raise invalid("kind", message, choices=list(significant_events.KINDS))
    async with pool.connection() as conn:
        page = await significant.listed(
            conn,
            within.from_ms,
            within.to_ms,
            kind=request.kind,
            after=after,
            limit=size + 1,
            newest_first=newest_first,
        )
    shown, token = request_fields.numbered(request, page, size)
    return pb.ListSignificantEventsResponse(
        header=request_fields.header(
            settings, "Significant events", "", within, empty=not page and not request.page_token
        ),
        significant_events=[_wire(one) for one in shown],
        next_page_token=token,
    )


def _wire(one: Significant) -> pb.SignificantEvent:
    return pb.SignificantEvent(
        number=one.number,
        event_time=wire_tables.timestamp(one.at_ms),
        kind=one.kind,
        component=one.component,
        actor=one.actor,
        subject=one.subject,
        reason=one.reason,
        before=one.before,
        after=one.after,
    )


def rules_in_force() -> str:
    """Return the rules version of every game, as JSON."""
    return msgspec.json.encode({game.id: game.version for game in catalogue.games()}, order="sorted").decode()


def settings_in_force(settings: Settings) -> str:
    """Return the settings that affect play and money, as JSON; none of them is secret."""
    names = (
        "house_name",
        "default_currency",
        "currencies",
        "retention_years",
        "scripted_decks",
        "large_win",
        "large_stake",
        "void_alone_chips",
    )
    return msgspec.json.encode({name: getattr(settings, name) for name in names}).decode()


async def record_changes(pool: Pool, settings: Settings) -> None:
    """Record rules and settings where they differ from those last recorded."""

    async def record(conn: Connection) -> list[Significant]:
        await limits.lock(conn, "(rules and settings)")
        changes: list[Significant] = []
        for kind, now in (
            (significant_events.RULES, rules_in_force()),
            (significant_events.SETTINGS, settings_in_force(settings)),
        ):
            before = await significant.last(conn, kind)
            if before is None or before.after != now:
                changed = Significant(
                    kind=kind,
                    component=significant_events.COMPONENT,
                    actor="house",
                    subject=kind,
                    reason="a process started with these",
                    before=before.after if before else "",
                    after=now,
                )
                changes.append(changed)
        await significant_events.record(conn, changes)
        return changes

    significant_events.committed(await retry.transaction(pool.connection, record))
