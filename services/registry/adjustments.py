"""Adjustments: one person asks, another decides; the database refuses that it is the same."""

from services.registry import queries
from services.registry.asking import Connection, bounded, rows, tell
from services.registry.records import Adjustment, Command, ConflictError


async def ask(conn: Connection, command: Command, asked: Adjustment) -> tuple[Adjustment, bool]:
    """Record what was asked for, in the caller's transaction; gives it, and whether this call recorded it.

    Raises ConflictError.
    """
    made = await tell(
        conn,
        queries.ASK_ADJUSTMENT,
        (
            asked.adjustment_id, asked.player, asked.currency, asked.amount, asked.reason, asked.asked_by, command.key,
            command.digest,
        ),
    )  # fmt: skip
    known = await rows(conn, queries.ADJUSTMENT_OF_REQUEST, (command.key,))
    if bytes(known[0][0]) != command.digest:
        raise ConflictError
    found = await find(conn, known[0][1])
    assert found is not None, "what was recorded is found"
    return found, made == 1


async def find(conn: Connection, adjustment_id: str) -> Adjustment | None:
    """Give an adjustment as it stands; None where there is none of this id."""
    found = await rows(conn, queries.ADJUSTMENT, (adjustment_id,))
    return Adjustment(*found[0]) if found else None


async def listed(
    conn: Connection, *, player: str = "", pending_only: bool = False, after: int = 0, limit: int = 100
) -> list[Adjustment]:
    """Give one page of adjustments in the order in which they were asked for."""
    found = await rows(conn, queries.ADJUSTMENTS, (after, player, player, pending_only, bounded(limit)))
    return [Adjustment(*row) for row in found]


async def hold(conn: Connection, adjustment_id: str) -> None:
    """Let nobody else decide an adjustment until the caller's transaction ends."""
    await rows(conn, queries.ADJUSTMENT_LOCK, (adjustment_id,))


async def decided_by_request(conn: Connection, command: Command) -> bool:
    """Whether a request has decided an adjustment already. Raises ConflictError."""
    known = await rows(conn, queries.DECISION_OF_REQUEST, (command.key,))
    if known and bytes(known[0][0]) != command.digest:
        raise ConflictError
    return bool(known)


async def decide(
    conn: Connection, command: Command, adjustment_id: str, *, reason: str, decided_by: str, entry_id: str | None
) -> None:
    """Decide an adjustment in the caller's transaction; ``entry_id`` is its ledger entry, None where it is rejected.

    Raises psycopg.errors.CheckViolation where the same person asked for it.
    """
    await tell(
        conn,
        queries.DECIDE_ADJUSTMENT,
        (adjustment_id, entry_id is not None, reason, decided_by, entry_id, command.key, command.digest),
    )
