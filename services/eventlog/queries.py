"""Every statement that the log sends, by name; all are built from constants of this module."""

import re
from typing import Final

from services.database.proven import Proven

_APPENDED: Final = "outcome, version, answer, first_version, stream_id::text, hash"

APPEND_ONE: Final = (
    f"SELECT {_APPENDED} FROM append_one("
    "%s::uuid, %s::bigint, %s::bytea, %s::text, %s::bytea, %s::bytea, %s::int, %s::text, %s::text, %s, %s, %s)"
)

APPEND_BATCH: Final = f"SELECT {_APPENDED} FROM append_batch(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"

# Computed in decimal numbers: the hash covers the exact millisecond.
_RECORDED_MS: Final = "floor(extract(epoch FROM recorded_at) * 1000)::bigint"

_EVENT: Final = f"stream_id::text, version, shard, position, type, data, metadata, {_RECORDED_MS}, hash"

# By the database's clock, so that ages do not depend on the reader's clock.
_READ_AT_MS: Final = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

_HEAD: Final = (
    "stream_id::text, shard, version, head_hash, rebuild_version, mark, summary::text, "
    "(date_part('epoch', created_at) * 1000000)::bigint, floor(extract(epoch FROM changed_at) * 1000)::bigint, "
    f"{_READ_AT_MS}"
)

# The events of one stream. Its shard, a function of its id, limits the search to one partition.
_OF_STREAM: Final = "stream_id = %(stream)s AND shard = shard_of(%(stream)s)"

READ: Final = f"SELECT {_EVENT} FROM events WHERE {_OF_STREAM} AND version > %(after)s ORDER BY version LIMIT %(limit)s"

FIRST_OF_TYPES: Final = (
    f"SELECT {_EVENT} FROM events"
    f" WHERE {_OF_STREAM} AND version >= %(version)s AND type = ANY(%(types)s) ORDER BY version LIMIT 1"
)

LAST_OF_TYPES: Final = (
    f"SELECT {_EVENT} FROM events"
    f" WHERE {_OF_STREAM} AND version <= %(version)s AND type = ANY(%(types)s) ORDER BY version DESC LIMIT 1"
)

READ_HEAD: Final = f"SELECT {_HEAD} FROM streams WHERE stream_id = %s"

# One statement is one snapshot: no append can come between the head and the events. The summary may be long, so only
# the first event carries it.
READ_FOR_REBUILD: Final = f"""
SELECT s.stream_id::text, s.shard, s.version, s.head_hash, s.rebuild_version, s.mark,
    CASE WHEN e.version = s.rebuild_version THEN s.summary::text END,
    (date_part('epoch', s.created_at) * 1000000)::bigint, floor(extract(epoch FROM s.changed_at) * 1000)::bigint,
    {_READ_AT_MS},
    e.version, e.position, e.type, e.data, e.metadata, floor(extract(epoch FROM e.recorded_at) * 1000)::bigint, e.hash
FROM streams s JOIN events e ON e.stream_id = s.stream_id AND e.version BETWEEN s.rebuild_version AND s.version
WHERE s.stream_id = %(stream)s AND e.stream_id = %(stream)s AND e.shard = shard_of(%(stream)s) ORDER BY e.version
"""

FIND_REQUEST: Final = (
    "SELECT request_key, digest, stream_id::text, first_version, last_version, answer"
    " FROM requests WHERE request_key = %s"
)

MARKED: Final = (
    f"SELECT {_HEAD} FROM streams WHERE mark = %s AND mark <> '' AND stream_id > %s ORDER BY streams.stream_id LIMIT %s"
)

# What a look at very many streams needs of each: two values of its summary instead of the whole.
MARKED_BRIEFLY: Final = (
    "SELECT stream_id::text, version, summary->>%s, summary->>%s FROM streams"
    " WHERE mark = %s AND mark <> '' AND stream_id > %s ORDER BY streams.stream_id LIMIT %s"
)

# Oldest first; the page's token is the last stream's age and id.
LIST: Final = f"""
SELECT {_HEAD} FROM streams
WHERE summary IS NOT NULL AND summary @> %s::jsonb
    AND (created_at, stream_id) > ('epoch'::timestamptz + %s * interval '1 microsecond', %s)
ORDER BY created_at, streams.stream_id LIMIT %s
"""

# The same for open streams only: a scan of their index.
LIST_OPEN: Final = LIST.replace("summary IS NOT NULL", """summary @> '{"closed": false}'""")

# Of one game, with open seats: a scan of their index.
LIST_WITH_SEATS: Final = f"""
SELECT {_HEAD} FROM streams
WHERE summary @> '{{"closed": false, "open_seats": true}}' AND summary->>'game' = %s
ORDER BY created_at, streams.stream_id LIMIT %s
"""

# Of some games: for each a scan of its part of an index, which ends with the page.
LIST_OF_GAMES: Final = f"""
SELECT {_HEAD} FROM unnest(%s::text[]) AS wanted (game) CROSS JOIN LATERAL (
    SELECT * FROM streams
    WHERE summary @> '{{"closed": false}}' AND summary->>'game' = wanted.game AND summary @> %s::jsonb
        AND (created_at, stream_id) > ('epoch'::timestamptz + %s * interval '1 microsecond', %s)
    ORDER BY created_at, streams.stream_id LIMIT %s
) AS of_game
ORDER BY created_at, of_game.stream_id LIMIT %s
"""


# Of one term: its streams are looked up one by one, however many others are open. The limit keeps it so.
_OF_TERM: Final = f"""
SELECT of_term.{_HEAD} FROM stream_terms AS t CROSS JOIN LATERAL (
    SELECT * FROM streams WHERE streams.stream_id = t.stream_id LIMIT 1
) AS of_term
WHERE t.term = {{term}} AND summary @> {{summary}}::jsonb"""
LIST_OF_TERM: Final = (
    _OF_TERM.format(term="%s", summary="%s")
    + """
    AND (created_at, of_term.stream_id) > ('epoch'::timestamptz + %s * interval '1 microsecond', %s)
ORDER BY created_at, of_term.stream_id LIMIT %s
"""
)


def _newest_first(query: str) -> str:
    descending = re.sub(r"ORDER BY created_at, (\w+)\.stream_id", r"ORDER BY created_at DESC, \1.stream_id DESC", query)
    return descending.replace("stream_id) >", "stream_id) <")


LIST_NEWEST: Final = _newest_first(LIST)
LIST_OPEN_NEWEST: Final = _newest_first(LIST_OPEN)
LIST_NEWEST_OF_GAMES: Final = _newest_first(LIST_OF_GAMES)
LIST_NEWEST_OF_TERM: Final = _newest_first(LIST_OF_TERM)

# By a number of the summary, negated where the greatest come first; then by age.
_KEY: Final = "%(sign)s * coalesce((summary->>%(field)s)::bigint, 0)"
_BY: Final = f"""
    AND ({_KEY}, created_at, {{streams}}.stream_id)
        > (%(value)s, 'epoch'::timestamptz + %(created_us)s * interval '1 microsecond', %(stream)s)
ORDER BY {_KEY}, created_at, {{streams}}.stream_id LIMIT %(limit)s
"""
LIST_BY: Final = f"""
SELECT {_HEAD} FROM streams
WHERE summary IS NOT NULL AND summary @> %(summary)s::jsonb""" + _BY.format(streams="streams")
LIST_BY_OF_TERM: Final = _OF_TERM.format(term="%(term)s", summary="%(summary)s") + _BY.format(streams="of_term")

READ_HEADS: Final = f"SELECT {_HEAD} FROM streams WHERE stream_id = ANY(%s) AND summary IS NOT NULL"

# The newest event of each of these streams: what a look at many of them needs, where most have not changed.
TIPS: Final = "SELECT stream_id::text, version, head_hash FROM streams WHERE stream_id = ANY(%s)"

OPEN_VERSIONS: Final = (
    """SELECT stream_id::text, version FROM streams WHERE summary @> '{"closed": false}'"""
    " ORDER BY created_at, streams.stream_id LIMIT %s"
)

HEADS: Final = (
    "SELECT stream_id::text, version, head_hash FROM streams WHERE stream_id > %s ORDER BY streams.stream_id LIMIT %s"
)

POSITIONS: Final = "SELECT shard, head FROM shards ORDER BY shard"

FOLLOW: Final = f"""
SELECT e.* FROM unnest(%s, %s) AS seen (shard, position)
CROSS JOIN LATERAL (
    SELECT {_EVENT} FROM events WHERE shard = seen.shard AND position > seen.position ORDER BY position LIMIT %s
) AS e
"""

# Every stream's current head, and its head at the last checkpoint.
HEADS_BESIDE: Final = """
SELECT s.stream_id::text, s.version, s.head_hash, coalesce(h.version, 0), h.hash
FROM streams s LEFT JOIN LATERAL (
    SELECT c.version, c.hash FROM checkpoint_heads c WHERE c.stream_id = s.stream_id ORDER BY c.number DESC LIMIT 1
) AS h ON true
WHERE s.stream_id > %s AND s.version > 0 ORDER BY s.stream_id LIMIT %s
"""

STORE_HEADS: Final = "SELECT store_heads(%s::bigint, %s::uuid[], %s::bigint[], %s::bytea[])"

# The streams of any checkpoint, found by a loose index scan, each with its head at one checkpoint.
HEADS_AT: Final = """
WITH RECURSIVE seen AS (
    (SELECT stream_id, 1 AS place FROM checkpoint_heads WHERE stream_id > %(after)s ORDER BY stream_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.stream_id FROM checkpoint_heads c WHERE c.stream_id > seen.stream_id ORDER BY c.stream_id LIMIT 1),
        place + 1
    FROM seen WHERE seen.stream_id IS NOT NULL AND place < %(limit)s
)
SELECT seen.stream_id::text, h.version, h.hash
FROM seen LEFT JOIN LATERAL (
    SELECT c.version, c.hash FROM checkpoint_heads c
    WHERE c.stream_id = seen.stream_id AND c.number <= %(number)s ORDER BY c.number DESC LIMIT 1
) AS h ON true
WHERE seen.stream_id IS NOT NULL ORDER BY seen.stream_id
"""

KNOWN_HEADS: Final = "SELECT version, hash FROM checkpoint_heads WHERE stream_id = %s AND number <= %s ORDER BY number"

# A shard in the order of its positions: the tree's leaves, and all inputs of the chain.
LEAVES: Final = "SELECT position, hash FROM events WHERE shard = %s AND position > %s ORDER BY position LIMIT %s"

SHARD: Final = (
    f"SELECT {_EVENT} FROM events WHERE shard = %s AND position > %s AND position <= %s ORDER BY position LIMIT %s"
)

NODES: Final = (
    "SELECT place, hash FROM tree_nodes WHERE shard = %s AND level = %s AND place >= %s ORDER BY place LIMIT %s"
)

NODES_HELD: Final = "SELECT coalesce(max(place) + 1, 0) FROM tree_nodes WHERE shard = %s AND level = %s"

STORE_NODES: Final = "SELECT store_nodes(%s::smallint, %s::smallint, %s::bigint, %s::bytea[])"

STORE_CHECKPOINT: Final = "SELECT store_checkpoint(%s::bigint, %s::text, %s::bytea, %s::text)"

_CHECKPOINT: Final = "number, body, signature, key_id, floor(date_part('epoch', at) * 1000)::bigint"

CHECKPOINTS: Final = f"SELECT {_CHECKPOINT} FROM checkpoints WHERE number > %s ORDER BY number LIMIT %s"

CHECKPOINTS_BEFORE: Final = f"SELECT {_CHECKPOINT} FROM checkpoints WHERE number < %s ORDER BY number DESC LIMIT %s"

STORE_COSIGNATURE: Final = (
    "INSERT INTO checkpoint_cosignatures (number, key_id, signature) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
)

COSIGNATURES: Final = (
    "SELECT number, key_id, signature FROM checkpoint_cosignatures WHERE number = ANY(%s) ORDER BY number, key_id"
)

COSIGNED_AFTER: Final = (
    "SELECT c.number, c.body, c.signature, c.key_id, floor(date_part('epoch', c.at) * 1000)::bigint, w.key_id,"
    " w.signature FROM checkpoint_cosignatures w JOIN checkpoints c ON c.number = w.number"
    " WHERE (w.number, w.key_id) > (%s, %s) ORDER BY w.number, w.key_id LIMIT %s"
)

LAST_CHECKPOINT: Final = f"SELECT {_CHECKPOINT} FROM checkpoints ORDER BY number DESC LIMIT 1"

PROVEN: Final = (
    Proven(
        tree="requests",
        table="requests",
        key="request_key",
        key_type="text",
        fields=("request_key", "digest", "stream_id", "first_version", "last_version", "answer", "at_us"),
        expressions={"stream_id": "r.stream_id::text"},
    ),
)
"""The log's records that checkpoints prove besides the events: every request with its stored answer."""

REVISION: Final = "SELECT version_num FROM alembic_version"
