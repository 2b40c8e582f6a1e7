"""A log that has lost its newest events while processes run on, as after a standby that lacked the last commits."""

import msgspec

from services.eventlog import log
from services.journal import log_rows
from services.table import public_table
from tests.support.served import Connection

MARKS = {public_table.IN_ROUND: log_rows.IN_ROUND, public_table.SETTLING: log_rows.UNSETTLED}

SET_BACK = """
UPDATE streams SET version = %(version)s, head_hash = %(hash)s, rebuild_version = %(rebuild)s, mark = %(mark)s,
    summary = %(summary)s WHERE stream_id = %(stream)s
"""


async def lose(conn: Connection, table_id: str, version: int) -> None:
    """Take a table's events behind a version out of the log, as if they had never been committed.

    ``conn`` is the database owner's. Positions of the shard must end with this table's events.
    """
    kept = await log.read(conn, table_id, 0, version)
    types = ["RoundStarted.v1", "RoundStarted.v2", "TableOpened.v1", "TableOpened.v2"]
    rebuild = await log.first_of_types(conn, table_id, version, types, backwards=True)
    assert rebuild is not None, "a stream begins with an event from which its table is rebuilt"
    core = log_rows.fold(table_id, [one for one in kept if one.version >= rebuild.version])
    await conn.execute("SET session_replication_role = replica")
    try:
        async with conn.transaction():
            stream = {"stream": table_id, "version": version}
            await conn.execute(
                "DELETE FROM requests WHERE stream_id = %(stream)s AND last_version > %(version)s", stream
            )
            await conn.execute("DELETE FROM events WHERE stream_id = %(stream)s AND version > %(version)s", stream)
            row = {
                "hash": kept[-1].hash,
                "rebuild": rebuild.version,
                "mark": MARKS.get(core.phase, ""),
                "summary": msgspec.json.encode(log_rows.summary(core)).decode(),
            }
            await conn.execute(SET_BACK, stream | row)
            await conn.execute(
                "UPDATE shards s SET head = coalesce((SELECT max(position) FROM events e WHERE e.shard = s.shard), 0)"
            )
    finally:
        await conn.execute("SET session_replication_role = DEFAULT")
