"""Whole entries with their legs, page by page in the order of time, for exports."""

from collections.abc import Sequence
from typing import Any

import msgspec

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import rows
from services.ledger import queries

FIRST = (0, "00000000-0000-0000-0000-000000000000")
"""A key before every entry."""


class PostedLeg(msgspec.Struct, frozen=True):
    """A leg as it was posted; ``account_line`` counts the account's lines from 1."""

    account: str
    account_line: int
    amount: int
    balance_after: int


class PostedEntry(msgspec.Struct, frozen=True):
    """An entry as it was posted, ``at_us`` in microseconds since 1970; ``digest`` and ``signature`` in hex."""

    entry_id: str
    kind: str
    currency: str
    reason: str
    table: str | None
    round: int | None
    actor: str
    at_us: int
    legs: list[PostedLeg]
    request_key: str | None = None
    digest: str = ""
    signature: str | None = None


async def page(
    conn: Connection, after: tuple[int, str], from_us: int, to_us: int, limit: int = 500
) -> list[PostedEntry]:
    """Return the entries from ``from_us`` to before ``to_us`` that follow the key ``after`` (time and id)."""
    found = await rows(conn, queries.ENTRIES, (*after, from_us, to_us, bounded(limit)))
    return [_entry(*row) for row in found]


async def named(conn: Connection, ids: Sequence[str]) -> dict[str, PostedEntry]:
    """Return the entries of some ids, by id; those that were never posted are not in it."""
    found = [_entry(*row) for row in await rows(conn, queries.NAMED_ENTRIES, (list(ids),))]
    return {one.entry_id: one for one in found}


async def ids_of_table(conn: Connection, table: str, after: str = FIRST[1], limit: int = 1000) -> list[str]:
    """Return the ids of a table's entries, in order, from behind ``after``."""
    return [row[0] for row in await rows(conn, queries.ENTRIES_OF_TABLE, (table, after, bounded(limit)))]


def _entry(*row: Any) -> PostedEntry:
    entry_id, kind, currency, reason, table, number, actor, at_us, request_key, digest, signature, *arrays = row
    legs = [PostedLeg(*leg) for leg in zip(*arrays, strict=True)]
    signed = None if signature is None else signature.hex()
    return PostedEntry(
        entry_id, kind, currency, reason, table, number, actor, at_us, legs, request_key, digest.hex(), signed
    )
