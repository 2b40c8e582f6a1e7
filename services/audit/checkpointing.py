"""Signed checkpoints: what the log was at a moment, so that a later cut or rewriting is found, whoever does it.

A checkpoint's text is JSON: its number, the time, the positions of all shards, how many streams there were, and the
root of the tree over their heads (``merkle``), ordered by stream id; it names the hash of the text before it. The
text is signed with Ed25519. Whoever keeps a checkpoint elsewhere can hold the log to it.
"""

import asyncio
import hashlib
import time
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.audit import merkle
from services.eventlog import checkpoints, log
from services.eventlog.checkpoints import Checkpoint
from services.runtime import logs, metrics
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Connection, Pool

FORM: Final = "pitboss checkpoint v1"
EVERY_SECONDS: Final = 60.0
PAGE: Final = 1000
MOST_TRIES: Final = 5

Head = tuple[str, int, bytes]
trace = logs.get("checkpoints")


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What a checkpoint says; ``root``, ``previous`` (hash of the text before; "" for the first) and ``key`` in hex."""

    form: str
    number: int
    at_ms: int
    streams: int
    root: str
    positions: dict[int, int]
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


async def create(pool: Pool, signer: Signer) -> Checkpoint:
    """Sign the log as it is now. Raises Problem (``UNAVAILABLE``) where other auditors are always quicker."""
    for _ in range(MOST_TRIES):
        async with pool.connection() as conn:
            before = await checkpoints.last(conn)
            async with checkpoints.moment(conn):
                heads = await _heads(conn)
                positions = await log.positions(conn)
            statement = Statement(
                form=FORM,
                number=1 if before is None else before.number + 1,
                at_ms=time.time_ns() // 1_000_000,
                streams=len(heads),
                root=merkle.root([leaf(head) for head in heads]).hex(),
                positions=positions,
                previous="" if before is None else hashlib.sha256(before.body.encode()).hexdigest(),
                key=signer.key_id,
            )
            body = msgspec.json.encode(statement).decode()
            made = Checkpoint(statement.number, body, signer.sign(body), signer.key_id, statement.at_ms)
            if await checkpoints.store(conn, made) == checkpoints.STORED:
                metrics.CHECKPOINT.set(statement.at_ms / 1000)
                return made
    raise Problem(Reason.UNAVAILABLE, "another auditor signs checkpoints at the same time; try again")


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


async def numbered(pool: Pool, number: int) -> Checkpoint:
    """Give a stored checkpoint. Raises Problem (``NOT_FOUND``)."""
    async with pool.connection() as conn:
        found = await checkpoints.page(conn, number - 1, 1)
    if not found or found[0].number != number:
        raise Problem(Reason.NOT_FOUND, f"there is no checkpoint {number}")
    return found[0]


async def prove(pool: Pool, number: int, table_id: str) -> dict[str, Any]:
    """Prove that a checkpoint covers a table: its head then, and the path to the root. Raises Problem."""
    statement = read((await numbered(pool, number)).body)
    async with pool.connection() as conn:
        heads = await checkpoints.heads_at(conn, statement.positions)
    index = next((at for at, head in enumerate(heads) if head[0] == table_id), None)
    if index is None:
        raise Problem(Reason.NOT_FOUND, f"table {table_id!r} was not there at checkpoint {number}")
    leaves = [leaf(head) for head in heads]
    return {
        "version": heads[index][1],
        "head_hash": heads[index][2].hex(),
        "index": index,
        "path": [node.hex() for node in merkle.path(leaves, index)],
        "root": statement.root,
        "streams": len(leaves),
    }


async def check(pool: Pool, body: str, signature: bytes, key_id: str) -> list[tuple[str, str, str]]:
    """Hold the log to a checkpoint; gives (field, expected, found) of what does not hold.

    The key must be the house's own as the caller knows it; that it signed this text is what is checked here.
    """
    statement = read(body)
    if not signed_by(body, signature, key_id) or statement.key != key_id:
        return [("signature", f"of key {key_id}", "the signature is not of this key and text")]
    async with pool.connection() as conn, checkpoints.moment(conn):
        now = await log.positions(conn)
        heads = await checkpoints.heads_at(conn, statement.positions)
    wrong = [
        (f"shard {shard}", f"at least {position} events", f"{now.get(shard, 0)} events: the log was cut back")
        for shard, position in statement.positions.items()
        if now.get(shard, 0) < position
    ]
    if len(heads) != statement.streams:
        wrong.append(("streams", str(statement.streams), str(len(heads))))
    found = merkle.root([leaf(head) for head in heads]).hex()
    if found != statement.root:
        wrong.append(("root", statement.root, f"{found}: what the log held then was rewritten"))
    return wrong


async def _heads(conn: Connection) -> list[Head]:
    found: list[Head] = []
    while True:
        page = await (log.heads(conn, found[-1][0], PAGE) if found else log.heads(conn, limit=PAGE))
        found.extend(page)
        if len(page) < PAGE:
            return found
