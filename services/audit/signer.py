"""Signed checkpoints: what the log was at a moment, so that a later cut or rewriting is found, whoever does it.

A checkpoint's text is JSON: its number, the time, how many events each shard held and the root of the tree over them
(``logtree``), how many streams there were and the root of the tree over their heads (``merkle``), ordered by stream id;
it names the hash of the text before it. The text is signed with Ed25519. Whoever keeps a checkpoint elsewhere can hold
the log to it: heads are proven to be in it (``proofs``), a later checkpoint to extend it (``proofs``), and the log as
it is to agree with it (``checkpoint_check``).
"""

import asyncio
import hashlib
import time
from typing import Final

import msgspec

from services.audit import logtree, merkle, statements
from services.audit.statements import SigningKey
from services.database import retrying
from services.eventlog import checkpoints, log, reading
from services.eventlog.checkpoints import Checkpoint
from services.runtime import logs, metrics
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Connection, Pool

EVERY_SECONDS: Final = 60.0
PAGE: Final = 1000
MOST_TRIES: Final = 5

trace = logs.get("checkpoints")


class _OthersWereQuicker(Exception):  # noqa: N818 - never leaves this module
    """Another auditor has stored a checkpoint meanwhile."""


async def create(pool: Pool, key: SigningKey) -> Checkpoint:
    """Sign the log as it is now. Raises Problem (``UNAVAILABLE``) where other auditors are always quicker."""

    async def once() -> Checkpoint:
        async with pool.connection() as conn:
            return await _create(conn, key)

    try:
        made = await retrying.again(once, lost=(_OthersWereQuicker,), tries=MOST_TRIES)
    except retrying.ContentionError:
        message = "another auditor signs checkpoints at the same time; try again"
        raise Problem(Reason.UNAVAILABLE, message) from None
    metrics.CHECKPOINT.set(made.at_ms / 1000)
    return made


async def _create(conn: Connection, key: SigningKey) -> Checkpoint:
    before = await checkpoints.last(conn)
    async with retrying.moment(conn):
        beside = await _heads(conn)
        positions = await log.positions(conn)
    heads = [(stream_id, version, last) for stream_id, version, last, _ in beside]
    statement = statements.Statement(
        form=statements.FORM,
        number=1 if before is None else before.number + 1,
        at_ms=time.time_ns() // 1_000_000,
        streams=len(heads),
        root=merkle.root([statements.leaf(head) for head in heads]).hex(),
        positions=positions,
        log={shard: await _grown(conn, shard, size) for shard, size in positions.items()},
        previous="" if before is None else hashlib.sha256(before.body.encode()).hexdigest(),
        key=key.key_id,
    )
    body = msgspec.json.encode(statement).decode()
    made = Checkpoint(statement.number, body, key.sign(body), key.key_id, statement.at_ms)
    changed = [head for head, (*_, last, known) in zip(heads, beside, strict=True) if last != known]
    await _store(conn, made, changed)
    return made


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


async def keep_signing(pool: Pool, key: SigningKey) -> None:
    """Sign a checkpoint every minute, until cancelled."""
    while True:
        await create(pool, key)
        await asyncio.sleep(EVERY_SECONDS)


async def _heads(conn: Connection) -> list[tuple[str, int, bytes, bytes | None]]:
    found: list[tuple[str, int, bytes, bytes | None]] = []
    while True:
        page = await checkpoints.heads_beside(conn, found[-1][0] if found else reading.LOWEST, PAGE)
        found.extend(page)
        if len(page) < PAGE:
            return found
