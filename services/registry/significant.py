"""Records of significant events."""

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import Statement, execute, rows
from services.registry import queries
from services.registry.records import Significant

LONGEST: int = 2000
"""Characters of each text of a record; longer ones are cut."""


async def record(conn: Connection, event: Significant) -> None:
    """Record an event in the caller's transaction; the database sets number and time."""
    await execute(conn, *statement(event))


def statement(event: Significant) -> Statement:
    """Return the statement that records an event, to be sent with others of its transaction."""
    texts = (event.kind, event.component, event.actor, event.subject, event.reason, event.before, event.after)
    return Statement(queries.RECORD_SIGNIFICANT, tuple(text.replace("\0", "")[:LONGEST] for text in texts))


async def listed(
    conn: Connection,
    from_ms: int,
    to_ms: int,
    *,
    kind: str = "",
    after: int = 0,
    limit: int = 100,
    newest_first: bool = False,
) -> list[Significant]:
    """Return one page of the events from ``from_ms`` to before ``to_ms``, in order."""
    query = queries.NEWEST_SIGNIFICANT if newest_first else queries.SIGNIFICANT
    found = await rows(conn, query, (after, from_ms, to_ms, kind, kind, bounded(limit)))
    return [_event(row) for row in found]


async def known(conn: Connection, kind: str, subject: str) -> bool:
    """Return whether an event of a kind was ever recorded for a subject."""
    return bool(await rows(conn, queries.KNOWN_SIGNIFICANT, (kind, subject)))


async def last(conn: Connection, kind: str) -> Significant | None:
    """Return the newest event of a kind."""
    found = await rows(conn, queries.LAST_SIGNIFICANT, (kind,))
    return _event(found[0]) if found else None


def _event(row: tuple[str, str, str, str, str, str, str, int, int]) -> Significant:
    kind, component, actor, subject, reason, before, after, number, at_ms = row
    return Significant(
        kind=kind,
        component=component,
        actor=actor,
        subject=subject,
        reason=reason,
        before=before,
        after=after,
        number=number,
        at_ms=at_ms,
    )
