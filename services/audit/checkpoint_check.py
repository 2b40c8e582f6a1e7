"""Check of the present house against a checkpoint that was kept elsewhere; everything before it is hashed again.

First the trees of all shards are computed from the events. A stream whose chain breaks, or whose head differs from the
checkpoint's, is a suspect. Each suspect is then checked on its own (``eventlog.verify``) against the hashes of earlier
checkpoints, so that the fault can be named. The records of each kind follow (``record_check``), then the accounts'
lines and balances (``account_check``).
"""

import hashlib
from typing import Final

from services.audit import account_check, record_check, statements
from services.audit.findings import Finding, general
from services.audit.record_check import Pace
from services.audit.statements import Statement
from services.eventlog import canonical, checkpoints, log, verify
from services.eventlog.records import StoredEvent
from services.fairness import merkle
from services.ledger.signatures import EntryKeys
from services.runtime import metrics
from services.runtime.pools import Pool

PAGE: Final = 1000
MOST_SUSPECTS: Final = 100
"""Maximum suspects listed individually; beyond that only the count is reported."""

Ends = dict[str, tuple[int, bytes]]


class Scan:
    """One shard, event by event in the order of positions: its tree, the heads of its streams, and the suspects."""

    def __init__(self, shard: int) -> None:
        self.shard = shard
        self.tree = merkle.Growing()
        self.ends: Ends = {}
        self.suspects: set[str] = set()
        self.position = 0
        self.holes: list[tuple[int, int]] = []
        self._forms: dict[str, verify.Form] = {}

    def take(self, event: StoredEvent) -> None:
        """Process the next event."""
        if event.position > self.position + 1:
            self.holes.append((self.position + 1, event.position - 1))
        version, previous = self.ends.get(event.stream_id, (0, canonical.FIRST))
        form = verify.form(event, previous)
        follows = event.version == version + 1 and form is not None
        if not follows or event.position != self.position + 1 or len(event.hash) != len(canonical.FIRST):
            self.suspects.add(event.stream_id)
        if form is not None:
            if verify.goes_back(self._forms.get(event.stream_id), form):
                self.suspects.add(event.stream_id)
            self._forms[event.stream_id] = form
        whole = len(event.hash) == len(canonical.FIRST)
        self.ends[event.stream_id] = (event.version, event.hash if whole else canonical.FIRST)
        self.tree.add(event.hash)
        self.position = event.position


async def check(
    pool: Pool,
    body: str,
    signature: bytes,
    key_id: str,
    pace: Pace = record_check.at_once,
    entry_keys: EntryKeys | None = None,
) -> list[Finding]:
    """Check log, ledger and registry against a checkpoint; ``pace`` is awaited after each page that was read.

    ``entry_keys`` check the ledger entries that came later, if entries were signed by then.

    The caller must check that the key is the house's own; this function checks only that the signature fits the key.
    """
    statement = statements.read(body)
    if not statements.signed_by(body, signature, key_id) or statement.key != key_id:
        return [general("signature", f"of key {key_id}", "the signature is not of this key and text")]
    found = await _stored(pool, statement, body)
    found += await _log(pool, statement, pace)
    later = entry_keys if statement.signed_from is not None else None
    for tree, grown in sorted(statement.trees.items()):
        found += await record_check.check(pool, tree, grown, statement.at_ms, pace, later)
    if statement.trees:
        found += await account_check.check(pool, pace)
    for one in found:
        metrics.REPLAY_MISMATCHES.labels(one.kind).inc()
    return found


async def _log(pool: Pool, statement: Statement, pace: Pace) -> list[Finding]:
    found: list[Finding] = []
    ends: Ends = {}
    suspects: set[str] = set()
    for shard, size in sorted(statement.positions.items()):
        scan = await _scanned(pool, shard, size, pace)
        ends |= scan.ends
        suspects |= scan.suspects
        found += _of_shard(scan, size, statement.log.get(shard, ""))
    root = merkle.root([statements.leaf((stream_id, *ends[stream_id])) for stream_id in sorted(ends)]).hex()
    if len(ends) != statement.streams:
        found.append(general("streams", str(statement.streams), str(len(ends))))
    if root != statement.root:
        found.append(general("root", statement.root, f"{root}: what the log held then was rewritten"))
    async with pool.connection() as conn:
        kept = await checkpoints.heads_at(conn, statement.number)
    if merkle.root([statements.leaf(head) for head in kept]).hex() == statement.root:
        known: Ends = {stream_id: (version, last) for stream_id, version, last in kept}
        suspects |= {one for one in {*known, *ends} if known.get(one) != ends.get(one)}
    else:
        found.append(general("heads", statement.root, "the heads kept beside the checkpoint were changed too"))
        known = {}
    return found + await _named(pool, statement, sorted(suspects), known)


async def _stored(pool: Pool, statement: Statement, body: str) -> list[Finding]:
    """Compare the house's own copy of the checkpoint, and go through those that followed."""
    number, expected = statement.number, hashlib.sha256(body.encode()).hexdigest()
    async with pool.connection() as conn:
        page = await checkpoints.page(conn, number - 1, 1)
        if not page or page[0].number != number:
            return [general(f"checkpoint {number}", "the text that was kept", "the house has no such checkpoint")]
        if page[0].body != body:
            return [general(f"checkpoint {number}", "the text that was kept", "the house has another text")]
        while page := await checkpoints.page(conn, number, PAGE):
            for one in page:
                if one.number != number + 1 or statements.read(one.body).previous != expected:
                    return [general(f"checkpoint {one.number}", f"to follow {expected}", "it does not")]
                number, expected = one.number, hashlib.sha256(one.body.encode()).hexdigest()
    return []


async def _scanned(pool: Pool, shard: int, size: int, pace: Pace) -> Scan:
    scan = Scan(shard)
    while scan.position < size:
        async with pool.connection() as conn:
            page = await checkpoints.shard_events(conn, shard, scan.position, size, PAGE)
        for event in page:
            scan.take(event)
        await pace()
        if len(page) < PAGE:
            break
    return scan


def _of_shard(scan: Scan, size: int, root: str) -> list[Finding]:
    holes = [*scan.holes, *([(scan.position + 1, size)] if scan.position < size else [])]
    found = [
        Finding("", 0, verify.GAP, f"shard {scan.shard}", f"positions {first} to {last}", "they are missing")
        for first, last in holes
    ]
    if scan.tree.root().hex() != root:
        found.append(general(f"log {scan.shard}", root, f"{scan.tree.root().hex()} over {scan.tree.size} events"))
    return found


async def _named(pool: Pool, statement: Statement, suspects: list[str], known: Ends) -> list[Finding]:
    found: list[Finding] = []
    for stream_id in suspects[:MOST_SUSPECTS]:
        found += await _suspect(pool, statement, stream_id, known.get(stream_id))
    if len(suspects) > MOST_SUSPECTS:
        found.append(general("streams", "no other one at fault", f"{len(suspects) - MOST_SUSPECTS} more are"))
    return found


async def _suspect(pool: Pool, statement: Statement, stream_id: str, end: tuple[int, bytes] | None) -> list[Finding]:
    recorded: list[StoredEvent] = []
    async with pool.connection() as conn:
        while page := await log.read(conn, stream_id, recorded[-1].version if recorded else 0, PAGE):
            recorded += page
        heads = await checkpoints.known_heads(conn, stream_id, statement.number) if end else {}
    if not recorded:
        what = "nothing" if end is None else f"version {end[0]}"
        return [Finding(stream_id, 1, verify.GAP, "version", what, "no event of this stream is left")]
    found = [
        Finding(stream_id, one.version, one.kind, one.field, _expected(one, heads), one.detail)
        for one in verify.verify(recorded, known=heads)
    ]
    if found:
        return found
    if end is None:
        return [Finding(stream_id, 1, verify.FORK, "version", "no such stream", "the checkpoint does not know it")]
    return [Finding(stream_id, end[0], verify.EDIT, "position", "its place in the log", "its events were moved")]


def _expected(one: verify.Mismatch, heads: dict[int, bytes]) -> str:
    return heads[one.version].hex() if one.kind == verify.FORK and one.version in heads else ""
