"""Proven records as stored, each with the text whose hash is its leaf."""

from collections.abc import Sequence

import msgspec

from services.database.proven import Proven, digest
from services.database.retry import Connection
from services.database.statements import rows
from services.leaves import queries


class Record(msgspec.Struct, frozen=True):
    """A record: its key as text, and its text."""

    key: str
    text: str

    @property
    def leaf(self) -> bytes:
        """The record's leaf."""
        return digest(self.text)


class Stranger(msgspec.Struct, frozen=True):
    """A record seen on a walk: its key, when it was inserted (None: at no finite moment), and whether it is a leaf."""

    key: str
    at_us: int | None
    is_leaf: bool


async def new(conn: Connection, kind: Proven, since_us: int, limit: int) -> list[Record]:
    """Return records inserted since a moment that are not leaves yet, oldest first."""
    return [_record(kind, row) for row in await rows(conn, queries.new(kind), (since_us, limit))]


async def named(conn: Connection, kind: Proven, keys: Sequence[str]) -> dict[str, Record]:
    """Return the records of some keys, by key; without those that no longer exist."""
    return {row[0]: _record(kind, row) for row in await rows(conn, queries.named(kind), (list(keys),))}


async def walk(conn: Connection, kind: Proven, after: str | None, size: int, limit: int) -> list[Stranger]:
    """Return one page of all records by key, after the key ``after`` (None: from the first).

    A record counts as a leaf if it is among the tree's first ``size`` leaves.
    """
    statement = queries.strangers(kind, first=after is None)
    parameters = (size, limit) if after is None else (size, after, limit)
    return [Stranger(*row) for row in await rows(conn, statement, parameters)]


def _record(kind: Proven, row: tuple[object, ...]) -> Record:
    return Record(str(row[0]), kind.text(row[1:]))
