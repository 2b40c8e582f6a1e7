"""Replay of parts of a table's log, each independently: a round's start restates the table, so a part needs no past.

The first event of the next part is checked too, so that no change between two parts goes unnoticed.
"""

from typing import Final

import msgspec

from services.audit.unseal import Reveals
from services.eventlog.records import StoredEvent
from services.fairness.seal import KeyRing, SealError
from services.journal import log_rows
from services.rules import catalogue
from services.table import event_writer, events, full_table
from services.table.replay import Difference, Replay, Sealed

BROKEN: Final = (
    SealError,
    AssertionError,
    AttributeError,
    KeyError,
    ValueError,
    IndexError,
    TypeError,
    catalogue.UnknownRules,
)
"""Errors that a manipulated log can raise; each is a finding, and the replay continues with the next round."""


class Part(msgspec.Struct, frozen=True):
    """Whole segments of one table's log in order, and the segment that follows them (empty: the log ends)."""

    table_id: str
    segments: list[list[StoredEvent]]
    following: list[StoredEvent]


class Report(msgspec.Struct):
    """The result of a replay; ``in_progress`` counts rounds that have not ended and stay sealed.

    ``unrevealed`` counts voided rounds whose seed cannot be opened: they cannot be replayed.
    """

    events_read: int = 0
    rounds: int = 0
    in_progress: int = 0
    unrevealed: int = 0
    differences: list[Difference] = msgspec.field(default_factory=list)

    def add(self, other: "Report") -> None:
        """Add the next part's report; a difference that both parts found where they meet counts once."""
        self.events_read += other.events_read
        self.rounds += other.rounds
        self.in_progress += other.in_progress
        self.unrevealed += other.unrevealed
        self.differences += [one for one in other.differences if one not in self.differences]


def replay(ring: KeyRing, part: Part) -> Report:
    """Replay every recorded decision of a part, and compare every byte."""
    report, reveals = Report(), Reveals(ring, part.table_id)
    again = Replay(part.table_id, reveals, compare=True)
    for segment, later in zip(part.segments, [*part.segments[1:], part.following], strict=True):
        report.events_read += len(segment)
        reveals.learn(segment)
        void = _hidden_void(reveals, segment)
        if void is not None:
            report.unrevealed += 1
            report.rounds += again.rounds
            again = _past_void(again, reveals, segment, void, report)
        elif not _through(again, segment, report):
            if _is_over(segment, later):
                difference = Difference(
                    segment[0].version, "", "a round whose seed was revealed", "one that stays sealed"
                )
                report.differences.append(difference)
            else:
                report.in_progress += 1
            again = Replay(part.table_id, reveals, compare=True)
    report.rounds += again.rounds
    if part.following and again.table is not None:
        reveals.learn(part.following)
        if _hidden_void(reveals, part.following) is not None:
            _restated(again, part.following[0], report)
        else:
            _through(again, part.following[:1], Report(differences=report.differences))
    return report


def _is_over(segment: list[StoredEvent], later: list[StoredEvent]) -> bool:
    """Return whether a segment's round is over: it was settled or voided, or the next one has started."""
    kinds = {log_rows.kind_of(one)[0] for one in segment}
    return bool(later) or bool(kinds & {"RoundEnded", "RoundSettled", "RoundVoided"})


def _hidden_void(reveals: Reveals, segment: list[StoredEvent]) -> int | None:
    """Return the index of the void in a segment whose voided round cannot be opened; None for other segments."""
    try:
        started = log_rows.from_stored(segment[0])
    except BROKEN:
        return None  # the replay reports the fault
    if not isinstance(started, events.RoundStarted) or not reveals.hidden(started.round_number):
        return None
    return next((at for at, one in enumerate(segment) if log_rows.kind_of(one)[0] == "RoundVoided"), None)


def _past_void(again: Replay, reveals: Reveals, segment: list[StoredEvent], void: int, report: Report) -> Replay:
    """Continue after a void whose seed cannot be opened: events up to it are folded, later ones are replayed.

    A missing seed is a difference, unless the void says that the seed is lost.
    """
    number, table_id = _restated(again, segment[0], report), segment[0].stream_id
    if not reveals.lost(number):
        expected = "the seed of this round, sealed for auditors"
        report.differences.append(Difference(segment[void].version, "reveal", expected, reveals.hidden(number)))
    behind = Replay(table_id, reveals, compare=True)
    try:
        behind.table = full_table.of_core(log_rows.fold(table_id, segment[: void + 1]))
    except BROKEN as error:
        report.differences.append(_broken(segment[void].version, error))
        return behind
    _through(behind, segment[void + 1 :], report)
    return behind


def _through(again: Replay, segment: list[StoredEvent], report: Report) -> bool:
    """Replay a segment; return False if its round is not revealed."""
    for one in segment:
        try:
            again.take(one.version, log_rows.from_stored(one), log_rows.text_of(one))
        except Sealed:
            report.rounds += max(0, again.rounds - 1)
            return False
        except BROKEN as error:
            again.differences.append(_broken(one.version, error))
            report.rounds += again.rounds
            again.restart()
            return True
        finally:
            report.differences.extend(again.differences)
            again.differences.clear()
    return True


def _restated(again: Replay, start: StoredEvent, report: Report) -> int:
    """Compare the table that a start restates with the replayed one; return the round's number."""
    started = log_rows.from_stored(start)
    assert isinstance(started, events.RoundStarted), "asked for a start"
    if again.table is not None and event_writer.restate(again.table.core) != started.table:
        difference = Difference(start.version, "table", "the table as it was left", "another one")
        if difference not in report.differences:
            report.differences.append(difference)
    return started.round_number


def _broken(version: int, error: Exception) -> Difference:
    if isinstance(error, catalogue.UnknownRules):
        expected = f"a version of the rules that is kept ({error.known})"
        return Difference(version, "rules_version", expected, error.message)
    return Difference(version, "", "an event that follows from the ones before", f"{type(error).__name__}: {error}")
