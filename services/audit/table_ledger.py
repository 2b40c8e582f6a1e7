"""Check of a table's ledger entries against its events, field by field: every entry that the log implies, no other.

An entry belongs to one append: its id comes from the table and the version of the append's first event. The log shows
which events were appended together (``_follows``); where several splits are possible, the existing entries decide.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from services.audit import entry_signatures, log_segments, replay_part
from services.audit.findings import FORGED, LEDGER, Finding
from services.contract import movements
from services.eventlog.records import MOST_EVENTS, StoredEvent
from services.journal import log_rows
from services.ledger import entries
from services.ledger.entries import PostedEntry
from services.ledger.records import Entry
from services.ledger.signatures import EntryKeys
from services.runtime.pools import Connection, Pool
from services.table import event_fold, events
from services.table.public_table import PublicTable

PAGE: Final = 1000
MOST_FOUND: Final = 200
FOLLOWERS: Final = ("SeatLeft", "SatOut", "RemovedForAbsence", "ChipsAdded", "TopUpFailed", "StakesAllowed")
"""Events that may follow the first one of an append that moves chips."""

Appended = list[tuple[StoredEvent, events.Event]]


async def compare(
    pool: Pool, table_id: str, first: int = 0, last: int = 0, entry_keys: EntryKeys | None = None
) -> list[Finding]:
    """Return the entries of a table that differ from its events (200 at most).

    Compares the span from ``first`` to ``last`` (0: all); entries without an event are searched for only in a full
    comparison. ``entry_keys`` check settlement's signatures. Raises Refused (``TABLE_NOT_FOUND``).
    """
    # Read before the events: an entry is committed together with its events, so each of these entries has an event.
    there = await _ids(pool, table_id) if first <= 1 and not last else set()
    head = await log_segments.head_version(pool, table_id)
    begin, end = await log_segments.beginning(pool, table_id, first or 1), min(last or head, head)
    found: list[Finding] = []
    core: PublicTable | None = None
    async for segment in log_segments.segments(pool, table_id, begin, min(end + MOST_EVENTS, head)):
        ids = [movements.entry_id(table_id, one.version) for one in segment]
        async with pool.connection() as conn:
            posted = await entries.named(conn, ids)
            found += await _forged(conn, entry_keys, table_id, segment, posted)
        there.difference_update(ids)
        try:
            for part in _appends(segment, posted):
                core = _folded(core, table_id, part)
                if part[0][0].version <= end:
                    found += _compared(core, part, posted)
        except replay_part.BROKEN as error:
            # A manipulated log can raise anything; the replay names the place. The check continues with the next round.
            core = None
            found.append(_of(table_id, segment[0].version, "", "events", "events that follow", f"{error!r}"))
        if len(found) >= MOST_FOUND:
            break
    found += [_of(table_id, 0, one, "entry", "no entry without an event", "it was posted") for one in sorted(there)]
    return found[:MOST_FOUND]


async def _forged(
    conn: Connection,
    keys: EntryKeys | None,
    table_id: str,
    segment: list[StoredEvent],
    posted: Mapping[str, PostedEntry],
) -> list[Finding]:
    if keys is None or not posted:
        return []
    versions = {movements.entry_id(table_id, one.version): one.version for one in segment}
    return [
        Finding(
            table_id,
            versions[one.entry_id],
            FORGED,
            "signature",
            entry_signatures.EXPECTED,
            entry_signatures.said(one.signature),
            entry_signatures.TREE,
            one.entry_id,
        )
        for one in await entry_signatures.of_posted(conn, keys, posted.values())
    ]


async def _ids(pool: Pool, table_id: str) -> set[str]:
    found: set[str] = set()
    after = entries.FIRST[1]
    while True:
        async with pool.connection() as conn:
            page = await entries.ids_of_table(conn, table_id, after, PAGE)
        found.update(page)
        if len(page) < PAGE:
            return found
        after = page[-1]


def _appends(segment: list[StoredEvent], posted: Mapping[str, PostedEntry]) -> Iterator[Appended]:
    """Split a segment into appends where chips move; other events are yielded one by one."""
    part: Appended = []
    for one in segment:
        if part and not _follows(part[0][0], one, posted):
            yield part
            part = []
        part.append((one, log_rows.from_stored(one)))
    if part:
        yield part


def _follows(first: StoredEvent, one: StoredEvent, posted: Mapping[str, PostedEntry]) -> bool:
    together = (first.metadata, first.recorded_at_ms) == (one.metadata, one.recorded_at_ms)
    has_own = movements.entry_id(one.stream_id, one.version) in posted
    kinds = log_rows.kind_of(first)[0], log_rows.kind_of(one)[0]
    return together and not has_own and kinds[0] in movements.NAMES and kinds[1] in FOLLOWERS


def _folded(core: PublicTable | None, table_id: str, part: Appended) -> PublicTable:
    for one, event in part:
        if core is None:
            core = event_fold.begin(table_id, one.version, event)
        else:
            event_fold.fold(core, event)
    assert core is not None, "an append has an event"
    return core


def _compared(core: PublicTable, part: Appended, posted: Mapping[str, PostedEntry]) -> Iterator[Finding]:
    first, made = part[0][0], [event for _, event in part]
    own = movements.entry_id(core.table_id, first.version)
    moves = log_rows.kind_of(first)[0] in movements.NAMES
    expected = movements.entry(core, made, log_rows.metadata_of(first).actor) if moves else None
    found = posted.get(own)
    if expected is None:
        if found is not None:
            yield _of(core.table_id, first.version, own, "entry", "none: no chip moves", f"one of kind {found.kind}")
    elif found is None:
        yield _of(core.table_id, first.version, own, "entry", f"one of kind {expected.kind}", "it is missing")
    else:
        for field, wanted, said in _differences(expected, found):
            yield _of(core.table_id, first.version, own, field, wanted, said)


def _differences(expected: Entry, found: PostedEntry) -> Iterator[tuple[str, str, str]]:
    for field in ("kind", "currency", "reason", "actor", "table", "round"):
        wanted, said = getattr(expected, field), getattr(found, field)
        if wanted != said:
            yield field, str(wanted), str(said)
    wanted_legs = {leg.account: leg.amount for leg in expected.legs}
    found_legs = {leg.account: leg.amount for leg in found.legs}
    for account in sorted({*wanted_legs, *found_legs}):
        amounts = wanted_legs.get(account, 0), found_legs.get(account, 0)
        if amounts[0] != amounts[1]:
            yield f"amount of {account}", str(amounts[0]), str(amounts[1])


def _of(table_id: str, version: int, entry_id: str, field: str, expected: str, found: str) -> Finding:
    return Finding(table_id, version, LEDGER, field, expected, found, "entries" if entry_id else "", entry_id)
