"""Short proofs for whoever keeps a checkpoint: that it covers a table's head, that a later one extends it.

Making them reads the database; checking them (``extends``, ``covers``) takes the texts alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from services.audit import logtree, merkle, statements
from services.audit.statements import Statement
from services.eventlog import checkpoints
from services.eventlog.checkpoints import Checkpoint
from services.eventlog.following import HoleError
from services.runtime.errors import Problem, Reason, invalid
from services.runtime.pools import Connection, Pool

Nodes = list[bytes]


async def inclusion(pool: Pool, number: int, table_id: str) -> dict[str, Any]:
    """Prove that a checkpoint covers a table: its head then, and the path to the root. Raises Problem."""
    async with pool.connection() as conn:
        statement = statements.read((await numbered(conn, number)).body)
        heads = await checkpoints.heads_at(conn, statement.number)
    index = next((at for at, head in enumerate(heads) if head[0] == table_id), None)
    if index is None:
        raise Problem(Reason.NOT_FOUND, f"table {table_id!r} was not there at checkpoint {statement.number}")
    leaves = [statements.leaf(head) for head in heads]
    return {
        "version": heads[index][1],
        "head_hash": heads[index][2].hex(),
        "index": index,
        "path": [node.hex() for node in merkle.path(leaves, index)],
        "root": statement.root,
        "streams": len(leaves),
    }


async def consistency(pool: Pool, old: int, new: int) -> tuple[Checkpoint, Checkpoint, dict[int, Nodes]]:
    """Prove shard by shard that the log of checkpoint ``new`` (0: the newest) begins with that of ``old``.

    Raises Problem (``NOT_FOUND``, ``INVALID_ARGUMENT``; ``INTERNAL`` where the log lacks what the proof is made of).
    """
    async with pool.connection() as conn:
        first, last = await numbered(conn, old), await numbered(conn, new)
        if not 0 < old <= last.number:
            raise invalid("old_number", f"1 to {last.number}, the newer checkpoint's number")
        begun, ended = statements.read(first.body), statements.read(last.body)
        proofs: dict[int, Nodes] = {}
        for shard, size in sorted(ended.positions.items()):
            held = begun.positions.get(shard, 0)
            if held > size:
                raise Problem(Reason.INTERNAL, f"shard {shard} held {held} events, later {size}: no proof can be made")
            try:
                proofs[shard] = await logtree.ShardTree(conn, shard).proof(held, size)
            except HoleError as error:
                raise Problem(Reason.INTERNAL, f"no proof can be made: {error}") from None
    return first, last, proofs


def extends(old: Statement, new: Statement, proofs: Mapping[int, Nodes]) -> Iterator[str]:
    """Say in words what shows that the log of ``new`` does not begin with that of ``old``; nothing where it does."""
    for shard in sorted({*old.positions, *new.positions}):
        held, holds = old.positions.get(shard, 0), new.positions.get(shard, 0)
        if holds < held:
            yield f"shard {shard}: {held} events at checkpoint {old.number}, {holds} at {new.number}: it was cut back"
            continue
        roots = (bytes.fromhex(one.log.get(shard, merkle.EMPTY.hex())) for one in (old, new))
        if not merkle.extends(held, next(roots), holds, next(roots), proofs.get(shard, [])):
            yield f"shard {shard}: the {held} events of checkpoint {old.number} are not the first of {new.number}"


def covers(statement: Statement, table_id: str, proof: Mapping[str, Any]) -> bool:
    """Whether a checkpoint covers a table's head, as ``inclusion`` says it does. Raises KeyError, ValueError."""
    leaf = statements.leaf((table_id, int(proof["version"]), bytes.fromhex(proof["head_hash"])))
    path = [bytes.fromhex(node) for node in proof["path"]]
    return merkle.included(leaf, int(proof["index"]), statement.streams, path, bytes.fromhex(statement.root))


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
