"""Every recorded decision decided again, and every byte compared."""

import msgspec

from services.audit import spans
from services.audit.unsealing import Reveals
from services.contract import stored
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing, SealError
from services.runtime import metrics
from services.runtime.pools import Pool
from services.table.replay import Difference, Replay, Sealed

MOST_DIFFERENCES = 200


class Report(msgspec.Struct):
    """What a replay found; ``in_progress`` counts rounds that have not ended and stay sealed."""

    events_read: int = 0
    rounds: int = 0
    in_progress: int = 0
    differences: list[Difference] = msgspec.field(default_factory=list)


async def replay(pool: Pool, ring: KeyRing, table_id: str, first: int, last: int) -> Report:
    """Replay a span of a table's log; it begins with the round (or the opening) in which ``first`` lies.

    Raises Problem (``TABLE_NOT_FOUND``).
    """
    head = await spans.head_version(pool, table_id)
    begin = await spans.beginning(pool, table_id, first or 1)
    report = Report()
    reveals = Reveals(ring, table_id)
    again = Replay(table_id, reveals, compare=True)
    async for segment in spans.segments(pool, table_id, begin, min(last or head, head)):
        report.events_read += len(segment)
        reveals.learn(segment)
        if not through(again, segment, report):
            report.in_progress += 1
            again = Replay(table_id, reveals, compare=True)
        if len(report.differences) >= MOST_DIFFERENCES:
            break
    report.rounds = report.rounds + again.rounds
    metrics.REPLAYED.inc(report.events_read)
    for _ in report.differences:
        metrics.REPLAY_MISMATCHES.labels("decision").inc()
    return report


def through(again: Replay, segment: list[StoredEvent], report: Report) -> bool:
    """Take a segment through a replay; False where it is a round that is not revealed yet."""
    for one in segment:
        try:
            again.take(one.version, stored.from_stored(one), stored.text_of(one))
        except Sealed:
            report.rounds += max(0, again.rounds - 1)
            return False
        except (SealError, AssertionError, KeyError, ValueError, IndexError, TypeError) as error:
            # A log that was tampered with can break anything: that is a finding too, and the next round goes on.
            report.differences.append(
                Difference(
                    one.version, "", "an event that follows from the ones before", f"{type(error).__name__}: {error}"
                )
            )
            report.rounds += again.rounds
            again.restart()
            return True
    report.differences.extend(again.differences)
    again.differences = []
    return True
