"""Erasures of players: requested by one person, decided by another."""

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.registry import approvals, queries
from services.registry.records import Command, Erasure


async def ask(conn: Connection, command: Command, asked: Erasure) -> tuple[Erasure, bool]:
    """Record a request in the caller's transaction; return it, and whether this call recorded it.

    Raises ConflictError.
    """
    values = (asked.erasure_id, asked.player, asked.reason, asked.asked_by)
    found_id, first = await approvals.ask(conn, approvals.ERASURES, command, values)
    found = await find(conn, found_id)
    assert found is not None, "what was recorded is found"
    return found, first


async def find(conn: Connection, erasure_id: str) -> Erasure | None:
    """Return an erasure with its present state; None where the id is unknown."""
    found = await rows(conn, queries.ERASURE, (erasure_id,))
    return Erasure(*found[0]) if found else None


async def listed(
    conn: Connection, *, player: str = "", pending_only: bool = False, after: int = 0, limit: int = 100
) -> list[Erasure]:
    """Return one page of erasures in the order of their requests."""
    found = await rows(conn, queries.ERASURES, (after, player, player, pending_only, bounded(limit)))
    return [Erasure(*row) for row in found]


async def decide(
    conn: Connection, command: Command, erasure_id: str, *, approved: bool, reason: str, decided_by: str
) -> None:
    """Decide an erasure in the caller's transaction.

    Raises psycopg.errors.CheckViolation if the same person requested it, or is the player.
    """
    await approvals.decide(conn, approvals.ERASURES, command, (erasure_id, approved, reason, decided_by))
