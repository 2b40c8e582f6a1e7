"""Parts of a table's log decided again, each by itself: a round's start restates the table, so a part needs no past.

That the next part's first event follows from this part is checked here too, so that nothing can be changed between
two parts unseen.
"""

import msgspec

from services.audit.unsealing import Reveals
from services.contract import stored
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing, SealError
from services.table.replay import Difference, Replay, Sealed


class Part(msgspec.Struct, frozen=True):
    """Whole segments of one table's log in order, and the segment that follows them (empty: none does)."""

    table_id: str
    segments: list[list[StoredEvent]]
    following: list[StoredEvent]


class Report(msgspec.Struct):
    """What a replay found; ``in_progress`` counts rounds that have not ended and stay sealed."""

    events_read: int = 0
    rounds: int = 0
    in_progress: int = 0
    differences: list[Difference] = msgspec.field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Add what the next part gave; what two parts found alike where they meet counts once."""
        self.events_read += other.events_read
        self.rounds += other.rounds
        self.in_progress += other.in_progress
        self.differences += [one for one in other.differences if one not in self.differences]


def decide(ring: KeyRing, part: Part) -> Report:
    """Decide every recorded decision of a part again, and compare every byte."""
    report, reveals = Report(), Reveals(ring, part.table_id)
    again = Replay(part.table_id, reveals, compare=True)
    for segment, later in zip(part.segments, [*part.segments[1:], part.following], strict=True):
        report.events_read += len(segment)
        reveals.learn(segment)
        if not _through(again, segment, report):
            if _is_over(segment, later):
                told = Difference(segment[0].version, "", "a round whose seed was revealed", "one that stays sealed")
                report.differences.append(told)
            else:
                report.in_progress += 1
            again = Replay(part.table_id, reveals, compare=True)
    report.rounds += again.rounds
    if part.following and again.table is not None:
        reveals.learn(part.following)
        _through(again, part.following[:1], Report(differences=report.differences))
    return report


def _is_over(segment: list[StoredEvent], later: list[StoredEvent]) -> bool:
    """Whether a segment's round has ended by the rules; one that was voided from the office may stay sealed."""
    kinds = {stored.kind_of(one)[0] for one in segment}
    return bool(kinds & {"RoundEnded", "RoundSettled"}) or (bool(later) and "RoundVoided" not in kinds)


def _through(again: Replay, segment: list[StoredEvent], report: Report) -> bool:
    """Take a segment through a replay; False where it is a round that is not revealed."""
    for one in segment:
        try:
            again.take(one.version, stored.from_stored(one), stored.text_of(one))
        except Sealed:
            report.rounds += max(0, again.rounds - 1)
            return False
        except (SealError, AssertionError, KeyError, ValueError, IndexError, TypeError) as error:
            # A log that was tampered with can break anything: that is a finding too, and the next round goes on.
            again.differences.append(
                Difference(
                    one.version, "", "an event that follows from the ones before", f"{type(error).__name__}: {error}"
                )
            )
            report.rounds += again.rounds
            again.restart()
            return True
        finally:
            report.differences.extend(again.differences)
            again.differences.clear()
    return True
