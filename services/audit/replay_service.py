"""Replay of every recorded decision, comparing every byte."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from services.audit import log_segments, replay_part, replay_pool
from services.audit.replay_part import Part, Report
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing
from services.rules.refusals import invalid
from services.runtime import metrics
from services.runtime.pools import Pool

MOST_DIFFERENCES: Final = 200
PART: Final = 1000
"""Minimum events in a part; it ends with a whole round."""
LONG: Final = 20_000
"""Number of events from which it pays to start processes for a replay."""

_pools = asyncio.Semaphore(1)
"""One pool at a time in a process: meanwhile further long replays run in the calling process."""


async def replay(
    pool: Pool, ring: KeyRing, table_id: str, first: int, last: int, *, processes: int = 1, part: int = PART
) -> Report:
    """Replay a span of a table's log; it begins with the round (or the opening) that holds ``first``.

    A long span is distributed over ``processes`` (1: this one alone). Raises Refused (``TABLE_NOT_FOUND``;
    ``INVALID_ARGUMENT`` for an empty span; ``UNAVAILABLE`` if one of the processes was killed).
    """
    head = await log_segments.head_version(pool, table_id)
    log_segments.require_order(first, last, "from_version", "to_version")
    if first > head:
        raise invalid("from_version", f"{first} is not written yet; the table's newest version is {head}")
    begin = await log_segments.beginning(pool, table_id, first or 1)
    end = min(last or head, head)
    found = parts(table_id, log_segments.segments(pool, table_id, begin, end), part)
    if processes > 1 and end - begin >= LONG and not _pools.locked():
        async with _pools:
            with replay_pool.gathered(ring, processes) as gathered:
                report = await _sum(replay_pool.reports(gathered, processes, found))
    else:
        report = await _sum(_here(ring, found))
    metrics.REPLAYED.inc(report.events_read)
    for _ in report.differences:
        metrics.REPLAY_MISMATCHES.labels("decision").inc()
    return report


async def parts(table_id: str, segments: AsyncIterator[list[StoredEvent]], least: int) -> AsyncIterator[Part]:
    """Yield parts of at least ``least`` events made of whole segments; each holds the segment after it."""
    held: list[list[StoredEvent]] = []
    async for segment in segments:
        if sum(map(len, held)) >= least:
            yield Part(table_id, held, segment)
            held = []
        held.append(segment)
    if held:
        yield Part(table_id, held, [])


async def _here(ring: KeyRing, found: AsyncIterator[Part]) -> AsyncIterator[Report]:
    async for part in found:
        yield replay_part.replay(ring, part)


async def _sum(reports: AsyncIterator[Report]) -> Report:
    total = Report()
    async for report in reports:
        total.add(report)
        if len(total.differences) >= MOST_DIFFERENCES:
            break
    return total
