"""Signed checkpoints: what the log was at a moment, so that a later cut or rewriting is found, whoever does it.

A checkpoint's text is JSON: its number, the time, how many events each shard held and the root of the tree over them
(``logtree``), how many streams there were and the root of the tree over their heads (``merkle``), ordered by stream id;
it names the hash of the text before it. The text is signed with Ed25519. Whoever keeps a checkpoint elsewhere can hold
the log to it: heads are proven to be in it (``proving``), a later checkpoint to extend it (``proving``), and the log as
it is to agree with it (``checking``).
"""

import asyncio
import hashlib
import time
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.audit import logtree, merkle
from services.database import retrying
from services.eventlog import checkpoints, log, reading
from services.eventlog.checkpoints import Checkpoint
from services.runtime import logs, metrics
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Connection, Pool

FORM: Final = "pitboss checkpoint v2"
EVERY_SECONDS: Final = 60.0
PAGE: Final = 1000
MOST_TRIES: Final = 5

Head = tuple[str, int, bytes]
trace = logs.get("checkpoints")


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What a checkpoint says; ``root`` (over the streams' heads), ``previous`` and ``key`` in hex.

    ``positions`` and ``log`` are the number of events and the root (hex) of each shard's tree; ``previous`` is the hash
    of the text before ("" for the first).
    """

    form: str
    number: int
    at_ms: int
    streams: int
    root: str
    positions: dict[int, int]
    log: dict[int, str]
    previous: str
    key: str


class Signer:
    """Holds the house's signing key; its id is the public key itself, in hex."""

    def __init__(self, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key()
        self.key_id = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()

    def sign(self, text: str) -> bytes:
        """Sign a text."""
        return self._key.sign(text.encode())


def signed_by(text: str, signature: bytes, key_id: str) -> bool:
    """Whether the holder of a public key (hex) signed a text."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key_id)).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def leaf(head: Head) -> bytes:
    """Give the leaf of a stream: its id, version and last hash, as text."""
    stream_id, version, last = head
    return f"{stream_id}|{version}|{last.hex()}".encode()


class _OthersWereQuicker(Exception):  # noqa: N818 - never leaves this module
    """Another auditor has stored a checkpoint meanwhile."""


async def create(pool: Pool, signer: Signer) -> Checkpoint:
    """Sign the log as it is now. Raises Problem (``UNAVAILABLE``) where other auditors are always quicker."""

    async def once() -> Checkpoint:
        async with pool.connection() as conn:
            return await _create(conn, signer)

    try:
        made = await retrying.again(once, lost=(_OthersWereQuicker,), tries=MOST_TRIES)
    except retrying.ContentionError:
        message = "another auditor signs checkpoints at the same time; try again"
        raise Problem(Reason.UNAVAILABLE, message) from None
    metrics.CHECKPOINT.set(made.at_ms / 1000)
    return made


async def _create(conn: Connection, signer: Signer) -> Checkpoint:
    before = await checkpoints.last(conn)
    async with retrying.moment(conn):
        beside = await _heads(conn)
        positions = await log.positions(conn)
    heads = [(stream_id, version, last) for stream_id, version, last, _ in beside]
    statement = Statement(
        form=FORM,
        number=1 if before is None else before.number + 1,
        at_ms=time.time_ns() // 1_000_000,
        streams=len(heads),
        root=merkle.root([leaf(head) for head in heads]).hex(),
        positions=positions,
        log={shard: await _grown(conn, shard, size) for shard, size in positions.items()},
        previous="" if before is None else hashlib.sha256(before.body.encode()).hexdigest(),
        key=signer.key_id,
    )
    body = msgspec.json.encode(statement).decode()
    made = Checkpoint(statement.number, body, signer.sign(body), signer.key_id, statement.at_ms)
    changed = [head for head, (*_, last, known) in zip(heads, beside, strict=True) if last != known]
    await _store(conn, made, changed)
    return made


async def _grown(conn: Connection, shard: int, size: int) -> str:
    tree = logtree.ShardTree(conn, shard)
    await tree.grow(size)
    return (await tree.root(size)).hex()


async def _store(conn: Connection, made: Checkpoint, changed: list[Head]) -> None:
    async with conn.transaction():
        if await checkpoints.store(conn, made) != checkpoints.STORED:
            raise _OthersWereQuicker
        for at in range(0, len(changed), PAGE):
            await checkpoints.store_heads(conn, made.number, changed[at : at + PAGE])


async def keep_signing(pool: Pool, signer: Signer) -> None:
    """Sign a checkpoint every minute, until cancelled."""
    while True:
        await create(pool, signer)
        await asyncio.sleep(EVERY_SECONDS)


def read(body: str) -> Statement:
    """Read a checkpoint's text. Raises Problem (``INVALID_ARGUMENT``)."""
    try:
        found = msgspec.json.decode(body, type=Statement)
    except msgspec.DecodeError as error:
        raise Problem(Reason.INVALID_ARGUMENT, f"this is no checkpoint's text: {error}") from None
    if found.form != FORM:
        raise Problem(Reason.INVALID_ARGUMENT, f"the text's form is {found.form!r}; this house reads {FORM!r}")
    return found


async def numbered(conn: Connection, number: int) -> Checkpoint:
    """Give a stored checkpoint; 0 is the newest. Raises Problem (``NOT_FOUND``)."""
    if number:
        page = await checkpoints.page(conn, number - 1, 1)
        found = page[0] if page else None
    else:
        found = await checkpoints.last(conn)
    if found is None or found.number != (number or found.number):
        raise Problem(Reason.NOT_FOUND, f"there is no checkpoint {number or 'yet'}")
    return found


async def _heads(conn: Connection) -> list[tuple[str, int, bytes, bytes | None]]:
    found: list[tuple[str, int, bytes, bytes | None]] = []
    while True:
        page = await checkpoints.heads_beside(conn, found[-1][0] if found else reading.LOWEST, PAGE)
        found.extend(page)
        if len(page) < PAGE:
            return found
