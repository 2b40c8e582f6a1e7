"""Sums over the ledger for reports and limits; spans in milliseconds since 1970, without their end."""

from typing import Final

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.ledger import queries
from services.ledger.records import Line

BEGINNING: Final = 0
FOREVER: Final = 253_402_300_799_000
"""The last second of the year 9999."""


async def flows(conn: Connection, account: str, from_ms: int = BEGINNING, to_ms: int = FOREVER) -> dict[str, int]:
    """Return an account's changes within a span, by kind of entry."""
    found = await rows(conn, queries.FLOWS, (account, from_ms, to_ms))
    return {kind: int(amount) for kind, amount in found}


async def lines_of_kind(
    conn: Connection, account: str, kind: str, from_ms: int, to_ms: int, *, after: int = 0, limit: int = 100
) -> list[Line]:
    """Return one page of an account's lines of one kind within a span, oldest first."""
    found = await rows(conn, queries.LINES_OF_KIND, (account, kind, from_ms, to_ms, after, bounded(limit)))
    return [Line(*row) for row in found]


async def cash(conn: Connection, currency: str, from_ms: int, to_ms: int) -> dict[str, int]:
    """Return the sums of deposits, withdrawals and adjustments of a currency within a span, by kind."""
    return {kind: int(amount) for kind, amount in await rows(conn, queries.CASH, (currency, from_ms, to_ms))}


async def totals_at(conn: Connection, currency: str, at_ms: int) -> dict[str, int]:
    """Return what all accounts of a currency held at a moment, by kind of account (``wallet``, ``seat``, ``pot`` …)."""
    return {kind: int(chips) for kind, chips in await rows(conn, queries.TOTALS_AT, (currency, currency, at_ms))}
