"""Every statement about leaves and proven records, by name; made of constants and of the stores' names only."""

from typing import Final

from services.database.proven import Proven

CLOCK: Final = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

SIZES: Final = (
    "SELECT t.tree, (SELECT coalesce(max(l.position) + 1, 0) FROM proof_leaves l WHERE l.tree = t.tree)"
    " FROM unnest(%s::text[]) AS t (tree)"
)

LEAVES: Final = "SELECT position, hash FROM proof_leaves WHERE tree = %s AND position >= %s ORDER BY position LIMIT %s"

KEYED_LEAVES: Final = (
    "SELECT position, key, hash FROM proof_leaves WHERE tree = %s AND position >= %s AND position < %s"
    " ORDER BY position LIMIT %s"
)

POSITION: Final = "SELECT position, hash FROM proof_leaves WHERE tree = %s AND key = %s"

STORE_LEAVES: Final = "SELECT store_leaves(%s, %s::bigint, %s::text[], %s::bytea[])"

NODES: Final = (
    "SELECT place, hash FROM proof_nodes WHERE tree = %s AND level = %s AND place >= %s ORDER BY place LIMIT %s"
)

NODES_HELD: Final = "SELECT coalesce(max(place) + 1, 0) FROM proof_nodes WHERE tree = %s AND level = %s"

STORE_NODES: Final = "SELECT store_proof_nodes(%s, %s::smallint, %s::bigint, %s::bytea[])"


def _read(kind: Proven) -> str:
    fields = ", ".join(kind.expression(name) for name in kind.fields)
    return f"SELECT r.{kind.key}::text, {fields} FROM {kind.table} r {kind.beside}"


def new(kind: Proven) -> str:
    """Return the statement for records inserted since a moment (microseconds) that are not leaves yet, oldest first."""
    return (
        f"{_read(kind)} WHERE r.at >= 'epoch'::timestamptz + %s * interval '1 microsecond' AND NOT EXISTS ("
        f"SELECT FROM proof_leaves l WHERE l.tree = '{kind.tree}' AND l.key = r.{kind.key}::text)"
        f" ORDER BY r.at, r.{kind.key} LIMIT %s"
    )


def named(kind: Proven) -> str:
    """Return the statement for the records of some keys."""
    return f"{_read(kind)} WHERE r.{kind.key} = ANY(%s::{kind.key_type}[])"


def strangers(kind: Proven, *, first: bool) -> str:
    """Return the statement that lists all records by key: key, moment, and whether it is a leaf below a size."""
    behind = "" if first else f"WHERE r.{kind.key} > %s::{kind.key_type}"
    return (
        f"SELECT r.{kind.key}::text, {kind.expression('at_us')}, l.position IS NOT NULL"
        f" FROM {kind.table} r LEFT JOIN proof_leaves l"
        f" ON l.tree = '{kind.tree}' AND l.key = r.{kind.key}::text AND l.position < %s"
        f" {behind} ORDER BY r.{kind.key} LIMIT %s"
    )
