"""Requested voids and their decisions."""

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.registry import approvals, queries
from services.registry.records import Command, VoidRequest


async def ask(conn: Connection, command: Command, asked: VoidRequest) -> tuple[VoidRequest, bool]:
    """Record a request in the caller's transaction; return it, and whether this call recorded it.

    A round that waits for a decision gets no second request: return the waiting one. Calls for one table wait for each
    other until their transactions end. Raises ConflictError.
    """
    await rows(conn, queries.VOID_LOCK, (f"void {asked.table_id}",))
    if await of_request(conn, command) is None:
        waiting = await rows(conn, queries.VOID_WAITING, (asked.table_id, asked.round))
        if waiting:
            return VoidRequest(*waiting[0]), False
    values = (
        asked.void_id,
        asked.table_id,
        asked.round,
        asked.version,
        asked.currency,
        asked.at_risk,
        asked.reason,
        asked.asked_by,
    )
    found_id, first = await approvals.ask(conn, approvals.VOIDS, command, values)
    found = await find(conn, found_id)
    assert found is not None, "what was recorded is found"
    return found, first


async def of_request(conn: Connection, command: Command) -> VoidRequest | None:
    """Return the void that a command has requested already; None where it is new. Raises ConflictError."""
    known = await approvals.asked_by_request(conn, approvals.VOIDS, command)
    return None if known is None else await find(conn, known)


async def find(conn: Connection, void_id: str) -> VoidRequest | None:
    """Return a request with its present state; None where the id is unknown."""
    found = await rows(conn, queries.VOID, (void_id,))
    return VoidRequest(*found[0]) if found else None


async def listed(
    conn: Connection,
    *,
    table_id: str | None = None,
    pending_only: bool = False,
    after: int = 0,
    limit: int = 100,
    newest_first: bool = False,
) -> list[VoidRequest]:
    """Return one page of voids in the order of their requests."""
    query = queries.NEWEST_VOIDS if newest_first else queries.VOIDS
    found = await rows(conn, query, (after, table_id, table_id, pending_only, bounded(limit)))
    return [VoidRequest(*row) for row in found]


async def decide(
    conn: Connection, command: Command, void_id: str, *, approved: bool, reason: str, decided_by: str
) -> None:
    """Decide a request in the caller's transaction.

    Raises psycopg.errors.CheckViolation if the same person requested it.
    """
    await approvals.decide(conn, approvals.VOIDS, command, (void_id, approved, reason, decided_by))
