"""Check of the hash chain of one table's stream, from its first event to its last row, page by page."""

from typing import Final

from services.eventlog import canonical, log, verify
from services.eventlog.records import StoredEvent
from services.eventlog.verify import Mismatch
from services.rules.refusals import Reason, Refused
from services.runtime import metrics
from services.runtime.pools import Pool

PAGE: Final = 5000
MOST_FOUND: Final = 500


async def check(pool: Pool, table_id: str) -> tuple[int, bytes, list[Mismatch]]:
    """Return the number of events, the hash of the stream's head, and the mismatches (500 at most).

    Raises Refused (``TABLE_NOT_FOUND``).
    """
    async with pool.connection() as conn:
        head = await log.read_head(conn, table_id)
    if head is None:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id}")
    found: list[Mismatch] = []
    held: list[StoredEvent] = []
    after, count = (0, canonical.FIRST), 0
    while len(found) < MOST_FOUND:
        async with pool.connection() as conn:
            page = await log.read(conn, table_id, held[-1].version if held else 0, PAGE)
        count += len(page)
        held += page
        if len(page) < PAGE:
            found += verify.verify(held, head, after=after)
            break
        # The last event of a page is checked again with the one that follows it, in the next iteration.
        found += [one for one in verify.verify(held, after=after) if one.version < held[-1].version]
        after, held = (held[-2].version, held[-2].hash), held[-1:]
    for one in found:
        metrics.REPLAY_MISMATCHES.labels(one.kind).inc()
    return count, head.head_hash, found[:MOST_FOUND]
