"""Short proofs for holders of a checkpoint: that it covers a head or a record, and that a later one extends it.

Making a proof reads the database; checking one (``extends``, ``covers``, ``holds``) needs the texts alone.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from services.audit import logtree, record_trees, statements
from services.audit.statements import Grown, Statement
from services.database.proven import digest
from services.eventlog import checkpoints
from services.eventlog.checkpoints import Checkpoint
from services.fairness import merkle
from services.leaves import records, store
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.pools import Connection, Pool

Nodes = list[bytes]
NO_LEAF: Final = Grown(0, merkle.EMPTY.hex())


async def inclusion(pool: Pool, number: int, table_id: str) -> dict[str, Any]:
    """Return the proof that a checkpoint covers a table: its head and the path to the root. Raises Refused."""
    async with pool.connection() as conn:
        statement = statements.read((await numbered(conn, number)).body)
        heads = await checkpoints.heads_at(conn, statement.number)
    index = next((at for at, head in enumerate(heads) if head[0] == table_id), None)
    if index is None:
        raise Refused(Reason.NOT_FOUND, f"table {table_id!r} was not there at checkpoint {statement.number}")
    leaves = [statements.leaf(head) for head in heads]
    return {
        "version": heads[index][1],
        "head_hash": heads[index][2].hex(),
        "index": index,
        "path": [node.hex() for node in merkle.path(leaves, index)],
        "root": statement.root,
        "streams": len(leaves),
    }


async def record(pool: Pool, number: int, tree: str, key: str) -> dict[str, Any]:
    """Prove that a checkpoint covers a record: its text, and the path from its leaf to the root of its tree.

    Raises Refused (``INVALID_ARGUMENT``; ``NOT_FOUND``; ``HISTORY_CHANGED`` if no proof can be made any more).
    """
    kind = record_trees.KINDS.get(tree)
    if kind is None:
        raise invalid("record", f"one of {', '.join(record_trees.KINDS)}", choices=list(record_trees.KINDS))
    async with pool.connection() as conn:
        statement = statements.read((await numbered(conn, number)).body)
        found, grown = await store.position(conn, tree, key), statement.trees.get(tree)
        if found is None or grown is None or found[0] >= grown.size:
            message = (
                f"checkpoint {statement.number} covers no record {key[:64]!r} of {tree}; sign one now for a new record"
            )
            raise Refused(Reason.NOT_FOUND, message)
        there = (await records.named(conn, kind, [key])).get(key)
        if there is None or there.leaf != found[1]:
            what = "is gone" if there is None else "was changed"
            raise Refused(Reason.HISTORY_CHANGED, f"the record {key} of {tree} {what} since it was signed")
        try:
            path = await logtree.RecordTree(conn, tree).path(found[0], grown.size)
        except logtree.DAMAGED as error:
            raise Refused(Reason.HISTORY_CHANGED, f"no proof can be made: {error}") from None
    return {
        "text": there.text,
        "index": found[0],
        "path": [node.hex() for node in path],
        "root": grown.root,
        "size": grown.size,
    }


class Consistency(msgspec.Struct, frozen=True):
    """The nodes that prove that one checkpoint extends another: by shard of the log, and by kind of record."""

    shards: dict[int, Nodes]
    trees: dict[str, Nodes]


async def consistency(pool: Pool, old: int, new: int) -> tuple[Checkpoint, Checkpoint, Consistency]:
    """Prove tree by tree that checkpoint ``new`` (0: the newest) begins with ``old``.

    Raises Refused (``NOT_FOUND``, ``INVALID_ARGUMENT``; ``HISTORY_CHANGED`` if a leaf or a node is missing).
    """
    async with pool.connection() as conn:
        first, last = await numbered(conn, old), await numbered(conn, new)
        if not 0 < old <= last.number:
            raise invalid("old_number", f"1 to {last.number}, the newer checkpoint's number")
        begun, ended = statements.read(first.body), statements.read(last.body)
        shards = {
            shard: await _proof(logtree.ShardTree(conn, shard), begun.positions.get(shard, 0), size)
            for shard, size in sorted(ended.positions.items())
        }
        trees = {
            tree: await _proof(logtree.RecordTree(conn, tree), begun.trees.get(tree, NO_LEAF).size, grown.size)
            for tree, grown in sorted(ended.trees.items())
        }
    return first, last, Consistency(shards, trees)


async def _proof(tree: logtree.GrowingTree, held: int, size: int) -> Nodes:
    if held > size:
        raise Refused(Reason.HISTORY_CHANGED, f"a tree held {held} leaves, later {size}: no proof can be made")
    try:
        return await tree.proof(held, size)
    except logtree.DAMAGED as error:
        raise Refused(Reason.HISTORY_CHANGED, f"no proof can be made: {error}") from None


def extends(old: Statement, new: Statement, shards: Mapping[int, Nodes], trees: Mapping[str, Nodes]) -> Iterator[str]:
    """Yield the reasons why ``new`` does not extend ``old``; nothing where it does."""
    for shard in sorted({*old.positions, *new.positions}):
        begun, ended = (Grown(one.positions.get(shard, 0), one.log.get(shard, NO_LEAF.root)) for one in (old, new))
        yield from _grows(f"shard {shard}", "events", (old.number, begun), (new.number, ended), shards.get(shard, []))
    for tree in sorted({*old.trees, *new.trees}):
        begun, ended = (one.trees.get(tree, NO_LEAF) for one in (old, new))
        yield from _grows(f"records {tree}", "leaves", (old.number, begun), (new.number, ended), trees.get(tree, []))


def _grows(name: str, what: str, old: tuple[int, Grown], new: tuple[int, Grown], nodes: Nodes) -> Iterator[str]:
    (first, begun), (last, ended) = old, new
    if ended.size < begun.size:
        yield f"{name}: {begun.size} {what} at checkpoint {first}, {ended.size} at {last}: it was cut back"
    elif not merkle.extends(begun.size, bytes.fromhex(begun.root), ended.size, bytes.fromhex(ended.root), nodes):
        yield f"{name}: the {begun.size} {what} of checkpoint {first} are not the first of {last}"


def holds(statement: Statement, tree: str, proof: Mapping[str, Any]) -> bool:
    """Return whether a checkpoint covers a record's text by the proof in ``record``. Raises KeyError, ValueError."""
    grown = statement.trees.get(tree)
    path = [bytes.fromhex(node) for node in proof["path"]]
    return grown is not None and merkle.included(
        digest(proof["text"]), int(proof["index"]), grown.size, path, bytes.fromhex(grown.root)
    )


def named_in(text: str) -> tuple[str, str]:
    """Return the kind and the key named in a record's text. Raises KeyError, ValueError."""
    told = msgspec.json.decode(text, type=dict[str, Any])
    kind = record_trees.KINDS[told["record"]]
    return kind.tree, str(told[kind.key])


def covers(statement: Statement, table_id: str, proof: Mapping[str, Any]) -> bool:
    """Return whether a checkpoint covers a table's head by the proof in ``inclusion``. Raises KeyError, ValueError."""
    leaf = statements.leaf((table_id, int(proof["version"]), bytes.fromhex(proof["head_hash"])))
    path = [bytes.fromhex(node) for node in proof["path"]]
    return merkle.included(leaf, int(proof["index"]), statement.streams, path, bytes.fromhex(statement.root))


async def numbered(conn: Connection, number: int) -> Checkpoint:
    """Return a stored checkpoint; 0 is the newest. Raises Refused (``NOT_FOUND``)."""
    if number:
        page = await checkpoints.page(conn, number - 1, 1)
        found = page[0] if page else None
    else:
        found = await checkpoints.last(conn)
    if found is None or found.number != (number or found.number):
        raise Refused(Reason.NOT_FOUND, f"there is no checkpoint {number or 'yet'}")
    return found
