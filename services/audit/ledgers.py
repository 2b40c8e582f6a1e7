"""Export of the ledger: an entry as a line of JSON, a leg as a row of a table."""

import json
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from services.ledger import entries
from services.ledger.entries import PostedEntry
from services.runtime.pools import Pool

PAGE: Final = 500
COLUMNS: Final = (
    "entry_id",
    "at",
    "kind",
    "currency",
    "account",
    "account_line",
    "amount",
    "balance_after",
    "table",
    "round",
    "reason",
    "actor",
)


async def entries_of(pool: Pool, from_us: int, to_us: int) -> AsyncIterator[PostedEntry]:
    """Yield the entries of a time span in order; a connection is held for one page at a time."""
    after = entries.FIRST
    while True:
        async with pool.connection() as conn:
            page = await entries.page(conn, after, from_us, to_us, PAGE)
        for entry in page:
            yield entry
        if len(page) < PAGE:
            return
        after = (page[-1].at_us, page[-1].entry_id)


def line(entry: PostedEntry) -> str:
    """Return an entry as one line of JSON."""
    return msgspec.json.encode(entry).decode()


def rows(text: str) -> list[tuple[object, ...]]:
    """Return the rows of an entry's line, one for each leg, as ``COLUMNS`` name them; ``at`` in microseconds."""
    found = json.loads(text)
    return [
        tuple(leg[name] if name in leg else found["at_us" if name == "at" else name] for name in COLUMNS)
        for leg in found["legs"]
    ]
