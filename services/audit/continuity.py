"""Check that the next checkpoint continues the previous one; its cost grows with what is new since then.

Every tree must begin with the one that the last checkpoint signed. The chain of every changed table must lead from the
head known then to its present head. Older history is read again by ``watch``.
"""

from collections.abc import Collection, Sequence
from typing import Final

from services.audit import logtree, statements
from services.audit.findings import Finding, general
from services.audit.statements import Statement
from services.eventlog import canonical, checkpoints, log, verify
from services.eventlog.checkpoints import Checkpoint, HeadBeside
from services.fairness import merkle
from services.runtime.pools import Connection

PAGE: Final = 1000
MOST_FOUND: Final = 100


async def of_checkpoints(
    conn: Connection, stored: Checkpoint | None, remembered: Checkpoint | None, keys: Collection[str]
) -> list[Finding]:
    """Return the faults of the last stored checkpoint: a bad signature, or a text other than the remembered one."""
    if stored is not None:
        whole = stored.key_id in keys and statements.signed_by(stored.body, stored.signature, stored.key_id)
        if not whole or statements.read(stored.body).number != stored.number:
            expected = f"one of the keys {', '.join(sorted(keys))}"
            return [general(f"checkpoint {stored.number}", expected, f"it is not signed by it (key {stored.key_id})")]
    if remembered is None:
        return []
    page = await checkpoints.page(conn, remembered.number - 1, 1)
    if not page or page[0].number != remembered.number or page[0].body != remembered.body:
        return [general(f"checkpoint {remembered.number}", "the text that was signed", "it is gone or another one")]
    return []


async def of_trees(conn: Connection, before: Statement | None, statement: Statement) -> list[Finding]:
    """Return the trees that do not begin with those of the statement before. Raises ``logtree.DAMAGED``."""
    found: list[Finding] = []
    if before is None:
        return found
    for shard, held in sorted(before.positions.items()):
        old, new = (held, before.log[shard]), (statement.positions.get(shard, 0), statement.log.get(shard, ""))
        found += await _extends(logtree.ShardTree(conn, shard), f"log {shard}", old, new)
    for tree, grown in sorted(before.trees.items()):
        later = statement.trees.get(tree)
        new = (later.size, later.root) if later is not None else (0, "")
        found += await _extends(logtree.RecordTree(conn, tree), f"records {tree}", (grown.size, grown.root), new)
    return found


async def of_heads(conn: Connection, before: Statement | None, heads: Sequence[HeadBeside]) -> list[Finding]:
    """Return the tables (100 at most) whose chain does not lead from the signed head to the present one."""
    found = await _known(conn, before, heads) if before is not None else []
    for head in heads:
        if head.is_new and len(found) < MOST_FOUND:
            found += await _leads(conn, head)
    return found[:MOST_FOUND]


def damage(error: Exception) -> Finding:
    """Return the finding for a tree that lacks a leaf or a node."""
    return general("trees", "all that was there", str(error))


async def _extends(tree: logtree.GrowingTree, name: str, old: tuple[int, str], new: tuple[int, str]) -> list[Finding]:
    if old == new:
        return []
    if new[0] < old[0]:
        return [general(name, f"{old[0]} leaves or more", f"{new[0]}: it was cut back")]
    proof = await tree.proof(old[0], new[0])
    if merkle.extends(old[0], bytes.fromhex(old[1]), new[0], bytes.fromhex(new[1]), proof):
        return []
    return [general(name, f"to begin with the {old[0]} leaves of root {old[1]}", "it begins with others")]


async def _known(conn: Connection, before: Statement, heads: Sequence[HeadBeside]) -> list[Finding]:
    """Check the stored heads against the signed root; return the tables that are gone."""
    known = [(head.stream_id, head.known_version, head.known) for head in heads if head.known is not None]
    if merkle.root([statements.leaf(head) for head in known]).hex() == before.root:
        return []
    kept = await checkpoints.heads_at(conn, before.number)
    if merkle.root([statements.leaf(head) for head in kept]).hex() != before.root:
        return [general("heads", before.root, "the heads kept beside the checkpoint were changed")]
    there = {head.stream_id for head in heads}
    return [
        Finding(stream_id, 1, verify.GAP, "version", f"version {version}", "the table is gone")
        for stream_id, version, _ in kept
        if stream_id not in there
    ]


async def _leads(conn: Connection, head: HeadBeside) -> list[Finding]:
    """Check a changed table's events from the known head to the current one."""
    version, last = (head.known_version, head.known) if head.known is not None else (0, canonical.FIRST)
    if head.version < version:
        missing = f"the table ends at version {head.version}"
        return [Finding(head.stream_id, head.version + 1, verify.GAP, "version", f"version {version}", missing)]
    if version:
        known = next(iter(await log.read(conn, head.stream_id, version - 1, 1)), None)
        if known is None or known.version != version or known.hash != last:
            what = "another hash" if known is not None and known.version == version else "no such version"
            return [Finding(head.stream_id, version, verify.FORK, "hash", last.hex(), what)]
    while version < head.version:
        page = await log.read(conn, head.stream_id, version, min(PAGE, head.version - version))
        wrong = verify.verify(page, after=(version, last))
        if wrong or not page:
            first = (
                wrong[0]
                if wrong
                else verify.Mismatch(
                    head.stream_id, version + 1, verify.GAP, "version", "the events up to the table's head are missing"
                )
            )
            return [Finding(first.stream_id, first.version, first.kind, first.field, "", first.detail)]
        version, last = page[-1].version, page[-1].hash
    if last != head.head_hash:
        return [Finding(head.stream_id, version, verify.FORK, "hash", head.head_hash.hex(), "its events end otherwise")]
    return []
