"""Requests by one person and decisions by another, each recorded once.

A ``Procedure`` holds the statements of one kind (adjustments, erasures, voids). The database refuses a decision by the
person who made the request.
"""

import msgspec

from services.database.retry import Connection
from services.database.statements import execute, rows
from services.registry import queries
from services.registry.records import Command, ConflictError


class Procedure(msgspec.Struct, frozen=True):
    """The statements of one kind: request, decide, and find either by its command."""

    ask: str
    asked_of_request: str
    decide: str
    decision_of_request: str


ADJUSTMENTS = Procedure(
    queries.ASK_ADJUSTMENT, queries.ADJUSTMENT_OF_REQUEST, queries.DECIDE_ADJUSTMENT, queries.DECISION_OF_REQUEST
)
ERASURES = Procedure(
    queries.ASK_ERASURE, queries.ERASURE_OF_REQUEST, queries.DECIDE_ERASURE, queries.ERASURE_DECISION_OF_REQUEST
)
VOIDS = Procedure(queries.ASK_VOID, queries.VOID_OF_REQUEST, queries.DECIDE_VOID, queries.VOID_DECISION_OF_REQUEST)


async def ask(conn: Connection, kind: Procedure, command: Command, values: tuple[object, ...]) -> tuple[str, bool]:
    """Record a request in the caller's transaction; return its id, and whether this call recorded it.

    Raises ConflictError.
    """
    made = await execute(conn, kind.ask, (*values, command.key, command.digest))
    known = await asked_by_request(conn, kind, command)
    assert known is not None, "what was recorded is found"
    return known, made == 1


async def asked_by_request(conn: Connection, kind: Procedure, command: Command) -> str | None:
    """Return the id that a command has requested already; None where it is new. Raises ConflictError."""
    known = await rows(conn, kind.asked_of_request, (command.key,))
    if known and bytes(known[0][0]) != command.digest:
        raise ConflictError
    return str(known[0][1]) if known else None


async def hold(conn: Connection, asked_id: str) -> None:
    """Lock the decision of a request until the caller's transaction ends."""
    await rows(conn, queries.APPROVAL_LOCK, (asked_id,))


async def decided_by_request(conn: Connection, kind: Procedure, command: Command) -> bool:
    """Return whether a command has decided something already. Raises ConflictError."""
    known = await rows(conn, kind.decision_of_request, (command.key,))
    if known and bytes(known[0][0]) != command.digest:
        raise ConflictError
    return bool(known)


async def decide(conn: Connection, kind: Procedure, command: Command, values: tuple[object, ...]) -> None:
    """Decide in the caller's transaction.

    Raises psycopg.errors.CheckViolation if the same person requested it.
    """
    await execute(conn, kind.decide, (*values, command.key, command.digest))
