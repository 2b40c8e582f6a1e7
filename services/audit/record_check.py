"""Check of the records of one kind against the root that a checkpoint signed over them."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from services.audit import entry_signatures, record_trees
from services.audit.findings import INSERTED, Finding, general, of_record
from services.audit.statements import Grown
from services.database.proven import Proven
from services.eventlog import verify
from services.fairness import merkle
from services.leaves import records, store
from services.leaves.records import Record, Stranger
from services.ledger.signatures import EntryKeys
from services.runtime.pools import Pool

Pace = Callable[[], Awaitable[None]]

PAGE: Final = 1000
MOST_NAMED: Final = 100
"""Maximum records of a kind listed individually; beyond that only the count is reported."""
KEYS: Final = {
    "uuid": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    "bigint": re.compile(r"-?\d{1,18}"),
    "text": re.compile(r"[^\0]*", re.DOTALL),
}


async def at_once() -> None:
    """Return the next page after the pause."""
    await asyncio.sleep(0)


async def check(
    pool: Pool, tree: str, grown: Grown, at_ms: int, pace: Pace = at_once, entry_keys: EntryKeys | None = None
) -> list[Finding]:
    """Return the differences: records that were changed, are missing, or were inserted past the house before ``at_ms``.

    With ``entry_keys`` also return the unsigned ledger entries that came later.
    """
    kind = record_trees.KINDS.get(tree)
    if kind is None:
        return [general(f"records {tree}", grown.root, "this house knows no such kind of record")]
    found = await _leaves(pool, kind, grown, pace)
    late_us = at_ms * 1000 - record_trees.LATE_SECONDS * 1_000_000
    keys = entry_keys if tree == entry_signatures.TREE else None
    strangers = [one async for one in _strangers(pool, kind, grown.size, late_us, pace, keys)]
    return _few(found) + _few(strangers)


async def _leaves(pool: Pool, kind: Proven, grown: Grown, pace: Pace) -> list[Finding]:
    kept, now = merkle.Growing(), merkle.Growing()
    found: list[Finding] = []
    while now.size < grown.size:
        async with pool.connection() as conn:
            page = await store.keyed_leaves(conn, kind.tree, now.size, grown.size, PAGE)
            fits = KEYS[kind.key_type].fullmatch
            there = await records.named(conn, kind, [key for _, key, _ in page if fits(key)])
        for position, key, leaf in page:
            if position != kept.size:
                break
            record = there.get(key)
            found += _differs(kind, key, bytes(leaf), record)
            kept.add(bytes(leaf))
            now.add(record.leaf if record is not None else b"")
        else:
            await pace()
            if page:
                continue
        missing = f"{now.size} leaves, then one is missing"
        return [*found, general(f"records {kind.tree}", f"{grown.size} leaves", missing)]
    if kept.root().hex() != grown.root:
        same = now.root().hex() == grown.root
        said = "the leaves kept beside the records were changed" + ("" if same else ", and with them the records")
        found.append(general(f"records {kind.tree}", grown.root, said))
    return found


def _differs(kind: Proven, key: str, leaf: bytes, record: Record | None) -> list[Finding]:
    if record is None:
        return [of_record(kind.tree, key, verify.GAP, "record", leaf.hex(), "it is missing")]
    if record.leaf != leaf:
        return [of_record(kind.tree, key, verify.EDIT, "record", leaf.hex(), f"{record.leaf.hex()}: it was changed")]
    return []


async def _strangers(
    pool: Pool, kind: Proven, size: int, late_us: int, pace: Pace, entry_keys: EntryKeys | None
) -> AsyncIterator[Finding]:
    after: str | None = None
    while True:
        async with pool.connection() as conn:
            page = await records.walk(conn, kind, after, size, PAGE)
            later = [one.key for one in page if not one.is_leaf and not _late(one, late_us)]
            for forged in await entry_signatures.of_keys(conn, entry_keys, later) if entry_keys and later else ():
                yield forged
        for one in page:
            if not one.is_leaf and _late(one, late_us):
                what = "it was inserted past the house, with a moment of the past"
                yield of_record(kind.tree, one.key, INSERTED, "record", "no such record", what)
        if len(page) < PAGE:
            return
        after = page[-1].key
        await pace()


def _late(one: Stranger, late_us: int) -> bool:
    return one.at_us is None or one.at_us < late_us


def _few(found: list[Finding]) -> list[Finding]:
    more = len(found) - MOST_NAMED
    return (
        found if more <= 0 else [*found[:MOST_NAMED], general("records", "no other one at fault", f"{more} more are")]
    )
