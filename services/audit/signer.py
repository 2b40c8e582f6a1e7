"""The signer of checkpoints: signed states of the house, by which a later change of its past is found.

A checkpoint's text (``statements``) is JSON. It holds its number and the moment by the database's clock; for each shard
the number of events and the root over them; for each kind of record the number of records and the root over them
(``logtree``); the number of streams and the root over their heads, ordered by stream id (``merkle``); and the hash of
the previous text. Before a text is signed it must continue the previous one (``continuity``). If it does not, or if the
watch over the whole past has found something (``watch``), nothing is signed.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec

from services.audit import continuity, entry_signatures, logtree, record_trees, statements
from services.audit.entry_signatures import EntryWatch, ForgedEntries
from services.audit.findings import Finding
from services.audit.statements import SigningKey, Statement
from services.database import retry
from services.eventlog import checkpoints, log, reads
from services.eventlog.checkpoints import Checkpoint, HeadBeside
from services.fairness import merkle
from services.leaves import store
from services.ledger.signatures import EntryKeys
from services.rules.refusals import Reason, Refused
from services.runtime import logs, metrics
from services.runtime.pools import Connection, Pool

EVERY_SECONDS: Final = 60.0
PAGE: Final = 1000
MOST_TRIES: Final = 5
MOST_TOLD: Final = 20
"""Maximum findings logged individually; beyond that only the count is logged."""

trace = logs.get("checkpoints")


class _OthersWereQuicker(Exception):
    """Another auditor has stored a checkpoint meanwhile."""


class Signer:
    """Signs checkpoints of one house and remembers the last one in memory, out of reach of the database's owner.

    ``former_keys`` are public keys (hex) that signed before ``key`` did; ``entry_keys`` check new ledger entries.
    """

    def __init__(
        self, pool: Pool, key: SigningKey, former_keys: Sequence[str] = (), entry_keys: EntryKeys | None = None
    ) -> None:
        self._pool = pool
        self._key = key
        self._keys = frozenset((key.key_id, *former_keys))
        self._entries = None if entry_keys is None else EntryWatch(entry_keys)
        self._last: Checkpoint | None = None
        self._past: list[Finding] = []
        self._refused: list[Finding] = []

    @property
    def last(self) -> Checkpoint | None:
        """The last checkpoint that this process signed, or found to be continued by what it signed."""
        return self._last

    @property
    def refused(self) -> list[Finding]:
        """The findings because of which nothing is signed now; empty while signing works."""
        return self._refused

    def past_was_checked(self, findings: Sequence[Finding]) -> None:
        """Record the findings of a check of the whole past; nothing is signed until a check finds nothing."""
        before, self._past = self._past, list(findings)
        if (
            self._past or self._refused == before
        ):  # findings of a later attempt to sign stay until an attempt finds nothing
            self._tell(self._past)

    async def create(self) -> Checkpoint:
        """Sign the present state of the house.

        Raises Refused: ``HISTORY_CHANGED`` if it does not continue the last checkpoint, ``UNAVAILABLE`` if other
        auditors are faster every time.
        """
        if self._past:
            raise self._refusal(self._past)

        async def once() -> Checkpoint:
            async with self._pool.connection() as conn:
                return await self._create(conn)

        try:
            made = await retry.again(once, lost=(_OthersWereQuicker,), tries=MOST_TRIES)
        except retry.ContentionError:
            message = "another auditor signs checkpoints at the same time; try again"
            raise Refused(Reason.UNAVAILABLE, message) from None
        self._last = made
        self._tell([])
        metrics.CHECKPOINT.set(made.at_ms / 1000)
        return made

    async def serve(self) -> None:
        """Sign a checkpoint every minute, until cancelled."""
        while True:
            try:
                await self.create()
            except Refused as refusal:
                if refusal.reason != Reason.HISTORY_CHANGED:
                    raise
            await asyncio.sleep(EVERY_SECONDS)

    async def _create(self, conn: Connection) -> Checkpoint:
        stored = await checkpoints.last(conn)
        if found := await continuity.of_checkpoints(conn, stored, self._last, self._keys):
            raise self._refusal(found)
        before = None if stored is None else statements.read(stored.body)
        at_us = await store.clock_us(conn)
        try:
            await record_trees.enter(conn, before, None if self._entries is None else self._entries.admit)
        except ForgedEntries as forged:
            raise self._refusal(forged.found) from None
        async with retry.moment(conn):
            if await checkpoints.last(conn) != stored:
                raise _OthersWereQuicker
            heads = await _heads(conn)
            positions = await log.positions(conn)
            sizes = await store.sizes(conn, list(record_trees.KINDS))
        try:
            statement = await self._statement(conn, before, stored, at_us // 1000, (heads, positions, sizes))
            statement, found = await self._signed_entries(conn, before, statement)
            found += [
                *await continuity.of_trees(conn, before, statement),
                *await continuity.of_heads(conn, before, heads),
            ]
        except logtree.DAMAGED as error:
            found = [continuity.damage(error), *await continuity.of_heads(conn, before, heads)]
        if found:
            raise self._refusal(found)
        body = msgspec.json.encode(statement).decode()
        made = Checkpoint(statement.number, body, self._key.sign(body), self._key.key_id, statement.at_ms)
        await _store(conn, made, [head.head for head in heads if head.is_new])
        if self._entries is not None:
            self._entries.signed_for()
        return made

    async def _signed_entries(
        self, conn: Connection, before: Statement | None, statement: Statement
    ) -> tuple[Statement, list[Finding]]:
        """Return the leaf from which on entries are signed, and the unsigned entries since the last checkpoint."""
        begins, found = (None if before is None else before.signed_from), list[Finding]()
        if self._entries is not None:
            size = statement.trees[entry_signatures.TREE].size
            begins, found = await self._entries.of_leaves(conn, before, size)
        return msgspec.structs.replace(statement, signed_from=begins), found

    async def _statement(
        self,
        conn: Connection,
        before: Statement | None,
        stored: Checkpoint | None,
        at_ms: int,
        read: tuple[list[HeadBeside], dict[int, int], dict[str, int]],
    ) -> Statement:
        heads, positions, sizes = read
        return Statement(
            form=statements.FORM,
            number=1 if before is None else before.number + 1,
            at_ms=at_ms,
            streams=len(heads),
            root=merkle.root([statements.leaf(one.head) for one in heads]).hex(),
            positions=positions,
            log={shard: await _grown(conn, shard, size) for shard, size in positions.items()},
            previous="" if stored is None else hashlib.sha256(stored.body.encode()).hexdigest(),
            key=self._key.key_id,
            trees=await record_trees.grown(conn, sizes),
        )

    def _refusal(self, found: list[Finding]) -> Refused:
        self._tell(found)
        message = f"nothing is signed: what is stored is not what the house has written ({found[0].words()})"
        return Refused(Reason.HISTORY_CHANGED, message, metadata={"findings": len(found)})

    def _tell(self, found: list[Finding]) -> None:
        if found and found != self._refused:
            for one in found[:MOST_TOLD]:
                trace.error("a checkpoint is refused", finding=one.words())
            trace.error("nothing is signed any more", findings=len(found))
        elif self._refused and not found:
            trace.warning("checkpoints are signed again")
        self._refused = found
        metrics.CHECKPOINT_REFUSED.set(len(found))


async def _grown(conn: Connection, shard: int, size: int) -> str:
    tree = logtree.ShardTree(conn, shard)
    await tree.grow(size)
    return (await tree.root(size)).hex()


async def _store(conn: Connection, made: Checkpoint, changed: list[statements.Head]) -> None:
    async with conn.transaction():
        if await checkpoints.store(conn, made) != checkpoints.STORED:
            raise _OthersWereQuicker
        for at in range(0, len(changed), PAGE):
            await checkpoints.store_heads(conn, made.number, changed[at : at + PAGE])


async def _heads(conn: Connection) -> list[HeadBeside]:
    found: list[HeadBeside] = []
    while True:
        page = await checkpoints.heads_beside(conn, found[-1].stream_id if found else reads.LOWEST, PAGE)
        found.extend(page)
        if len(page) < PAGE:
            return found
