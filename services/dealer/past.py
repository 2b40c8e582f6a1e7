"""The past of a table as a feed needs it when it is built anew."""

from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Pool


async def whole(pool: Pool, table_id: str, most: int) -> tuple[list[StoredEvent], list[StoredEvent]]:
    """Return the events from the one that restates a table on, and the last ones, ``most`` at most.

    Raises Refused (``TABLE_NOT_FOUND``), psycopg.Error.
    """
    try:
        async with pool.connection() as conn:
            head, rows = await log.read_for_rebuild(conn, table_id)
            after = max(0, head.version - most)
            past = rows[0].version > after + 1
            recent = await log.read(conn, table_id, after, most) if past else rows
    except log.UnknownStreamError:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all") from None
    return rows, [row for row in recent if row.version <= head.version]
