"""How records of ledger, registry and log enter the trees that checkpoints sign, without delaying their writers.

A record is found by its moment, which the database sets when it is inserted. It enters once its transaction has
committed, however late. A transaction of the house lasts seconds, since its statements and pauses are bounded. So a
record that is older than ``LATE_SECONDS`` before a checkpoint, and not a leaf of it, was not written by the house.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from services.audit.logtree import RecordTree
from services.audit.statements import Grown, Statement
from services.database import retry
from services.database.proven import Proven
from services.eventlog import queries as log_queries
from services.leaves import records, store
from services.leaves.records import Record
from services.ledger import queries as ledger_queries
from services.registry import queries as registry_queries
from services.runtime.pools import Connection

KINDS: Final[dict[str, Proven]] = {
    kind.tree: kind for kind in (*ledger_queries.PROVEN, *registry_queries.PROVEN, *log_queries.PROVEN)
}
"""Every kind of record that is proven, by the name of its tree."""

LATE_SECONDS: Final = 300
"""Seconds after its moment within which a record may be committed; far longer than a transaction of the house."""
PAGE: Final = 1000

Admit = Callable[[Sequence[Record], Statement | None], Awaitable[None]]


def horizon_us(before: Statement | None, tree: str) -> int:
    """Return the moment since which records may exist that are not leaves of the last checkpoint."""
    if before is None or tree not in before.trees:
        return 0
    return max(0, (before.at_ms - LATE_SECONDS * 1000) * 1000)


async def enter(conn: Connection, before: Statement | None, admit: Admit | None = None) -> int:
    """Add every new record to its tree; return their number. The cost grows with what is new since the last checkpoint.

    ``admit`` checks ledger entries before they enter. If it raises, the call ends and they do not enter.
    """
    entered = 0
    for kind in KINDS.values():
        own = admit if kind in ledger_queries.PROVEN else None
        entered += await _enter(conn, kind, before, own)
    return entered


async def _enter(conn: Connection, kind: Proven, before: Statement | None, admit: Admit | None) -> int:
    entered, since_us = 0, horizon_us(before, kind.tree)

    async def page() -> int:
        found = await records.new(conn, kind, since_us, PAGE)
        if not found:
            return 0
        if admit is not None:
            await admit(found, before)
        size = (await store.sizes(conn, [kind.tree]))[kind.tree]
        keys, leaves = [one.key for one in found], [one.leaf for one in found]
        return len(found) if await store.store_leaves(conn, kind.tree, size, keys, leaves) else PAGE

    while True:
        count = await retry.again(page)
        entered += count
        if count < PAGE:
            return entered


async def grown(conn: Connection, sizes: dict[str, int]) -> dict[str, Grown]:
    """Return size and root of every tree, with ``sizes`` leaves each; whole subtrees are stored on the way."""
    found: dict[str, Grown] = {}
    for tree, size in sorted(sizes.items()):
        growing = RecordTree(conn, tree)
        await growing.grow(size)
        found[tree] = Grown(size, (await growing.root(size)).hex())
    return found
