"""Adjustments: requested by one person, decided by another; the database enforces that they differ."""

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.registry import approvals, queries
from services.registry.records import Adjustment, Command


async def ask(conn: Connection, command: Command, asked: Adjustment) -> tuple[Adjustment, bool]:
    """Record a request in the caller's transaction; return it, and whether this call recorded it.

    Raises ConflictError.
    """
    values = (asked.adjustment_id, asked.player, asked.currency, asked.amount, asked.reason, asked.asked_by)
    found_id, first = await approvals.ask(conn, approvals.ADJUSTMENTS, command, values)
    found = await find(conn, found_id)
    assert found is not None, "what was recorded is found"
    return found, first


async def find(conn: Connection, adjustment_id: str) -> Adjustment | None:
    """Return an adjustment with its present state; None where the id is unknown."""
    found = await rows(conn, queries.ADJUSTMENT, (adjustment_id,))
    return Adjustment(*found[0]) if found else None


async def listed(
    conn: Connection,
    *,
    player: str = "",
    pending_only: bool = False,
    after: int = 0,
    limit: int = 100,
    newest_first: bool = False,
) -> list[Adjustment]:
    """Return one page of adjustments in the order of their requests."""
    query = queries.NEWEST_ADJUSTMENTS if newest_first else queries.ADJUSTMENTS
    found = await rows(conn, query, (after, player, player, pending_only, bounded(limit)))
    return [Adjustment(*row) for row in found]


async def decide(
    conn: Connection, command: Command, adjustment_id: str, *, reason: str, decided_by: str, entry_id: str | None
) -> None:
    """Decide an adjustment in the caller's transaction; ``entry_id`` is its ledger entry, None where it is rejected.

    Raises psycopg.errors.CheckViolation if the same person requested it.
    """
    values = (adjustment_id, entry_id is not None, reason, decided_by, entry_id)
    await approvals.decide(conn, approvals.ADJUSTMENTS, command, values)
