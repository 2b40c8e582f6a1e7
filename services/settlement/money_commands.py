"""Money commands at a table: decided on the public table, its events and its ledger entry in one transaction."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from google.protobuf.message import Message

from services.contract import movements, requests
from services.database import retry
from services.eventlog import log, records
from services.eventlog.records import StreamHead
from services.journal import log_rows
from services.journal.log_rows import Metadata
from services.ledger import books
from services.ledger import records as ledger
from services.ledger.signatures import EntryKey
from services.registry.records import Significant
from services.rules.refusals import Reason, Refused
from services.runtime import failpoints, metrics
from services.runtime.pools import Connection, Pool
from services.settlement import round_figures, round_metrics, significant_events
from services.table import event_fold
from services.table.events import Event
from services.table.public_table import PublicTable

PROCESS: Final = "settlement"

Answer = TypeVar("Answer", bound=Message)


class MoneyCommand(msgspec.Struct, Generic[Answer], frozen=True, kw_only=True):
    """A money command: ``decide`` returns its events (none: nothing to do), ``answer`` builds the response.

    ``check`` reads the registry in the same transaction, before ``decide``, and raises Refused. ``key`` signs the
    ledger entry. ``large`` holds the thresholds of significant wins and stakes.
    """

    kind: str
    table_id: str
    actor: str
    role: str
    decide: Callable[[PublicTable, int], list[Event]]
    answer: Callable[[PublicTable, list[Event]], Answer]
    read_answer: Callable[[bytes], Answer]
    key: EntryKey | None
    command: log_rows.Command | None = None
    expected_version: int | None = None
    check: Callable[[Connection, PublicTable], Awaitable[None]] | None = None
    large: significant_events.Thresholds = significant_events.Thresholds()


class _Done(msgspec.Struct, Generic[Answer], frozen=True):
    """A command's answer, the table after the events that it ``made`` now, and their significant events."""

    answer: Answer
    core: PublicTable | None = None
    made: Sequence[Event] = ()
    significant: Sequence[Significant] = ()


class LostRace(Exception):
    """Another append was faster: the transaction is rolled back and the command is decided again."""


async def run(pool: Pool, job: MoneyCommand[Answer]) -> Answer:
    """Run a money command; a repeated request gets the first answer. Raises Refused; then no chip has moved."""
    try:
        done = await retry.transaction(pool.connection, lambda conn: _once(conn, job), lost=(LostRace,))
    except retry.ContentionError:
        message = "too many others are acting at this table; send the same request again"
        raise Refused(Reason.UNAVAILABLE, message) from None
    if done.core is not None:
        round_metrics.committed(done.core, done.made)
    significant_events.committed(done.significant)
    return done.answer


async def _once(conn: Connection, job: MoneyCommand[Answer]) -> _Done[Answer]:
    if (answer := await _answered(conn, job)) is not None:
        return _Done(answer)
    core, head = await _read(conn, job.table_id)
    try:
        made = await _decided(conn, core, job, head.read_at_ms)
    except Refused:
        # The same request may have succeeded since the first look, and be impossible for that reason.
        if (answer := await _answered(conn, job)) is not None:
            return _Done(answer)
        raise
    failpoints.reached("settlement.decided")
    if not made:
        # There may be nothing to do because the same request has succeeded since the first look.
        return _Done(await _answered(conn, job) or job.answer(core, []))
    return await _write(conn, job, core, made, head.head_hash)


async def _answered(conn: Connection, job: MoneyCommand[Answer]) -> Answer | None:
    """Return the first answer to this request; None where it is new. Raises Refused (``REQUEST_CONFLICT``)."""
    known = await log.find_request(conn, job.command.key) if job.command else None
    if known is None or job.command is None:
        return None
    if known.digest != job.command.digest:
        raise requests.conflict()
    return job.read_answer(known.answer)


async def _decided(conn: Connection, core: PublicTable, job: MoneyCommand[Answer], now_ms: int) -> list[Event]:
    if job.expected_version is not None and job.expected_version != core.version:
        message = f"the table is at version {core.version}, not {job.expected_version}; read it again"
        raise Refused(Reason.STALE_VERSION, message, metadata={"version": core.version})
    if job.check is not None:
        await job.check(conn, core)
    return job.decide(core, now_ms)


async def _write(
    conn: Connection, job: MoneyCommand[Answer], core: PublicTable, made: list[Event], last_hash: bytes
) -> _Done[Answer]:
    before = round_figures.before(core)
    for event in made:
        event_fold.fold(core, event)
    entry = movements.entry(core, made, job.actor)
    if entry is not None:
        await _post(conn, entry, job.key, core.table_id, core.version - len(made))
    failpoints.reached("settlement.posted")
    answer = job.answer(core, made)
    metadata = Metadata(actor=job.actor, role=job.role, command=job.kind, process=PROCESS)
    one = log_rows.append(core, made, metadata, job.command, answer.SerializeToString(), follows=last_hash)
    [done] = await log.append(conn, [one])
    metrics.APPENDS.labels(done.outcome).inc()
    failpoints.reached("settlement.appended")
    if done.outcome == records.REQUEST_CONFLICT:
        raise requests.conflict()
    if done.outcome != records.APPENDED:
        raise LostRace
    await round_figures.record(conn, before, core, made)
    significant = significant_events.of_events(before, core, made, metadata, job.large)
    await significant_events.record(conn, significant)
    return _Done(answer, core, made, significant)


async def _post(conn: Connection, entry: ledger.Entry, key: EntryKey | None, table_id: str, decided_on: int) -> None:
    """Post the entry of events that were decided on a version of the table."""
    posted = await books.post(conn, entry, key)
    metrics.POSTINGS.labels(entry.kind, posted.outcome).inc()
    if posted.outcome == ledger.INSUFFICIENT_FUNDS:
        head = await log.read_head(conn, table_id)
        if head is None or head.version != decided_on:
            # Others have moved these chips meanwhile: what lacks now was there when this was decided.
            raise LostRace
        fault = posted.account_at_fault or ""
        if fault.startswith("wallet:"):
            held = posted.balances.get(fault, 0)
            message = f"your wallet holds {held} {entry.currency}, which is less than this needs"
            raise Refused(Reason.INSUFFICIENT_FUNDS, message)
        raise Refused(Reason.INTERNAL, "the ledger refuses this movement")
    if posted.outcome != ledger.POSTED:
        # The entry's id names a version of the stream: whoever posted it has appended that version too.
        raise LostRace


async def read_core(conn: Connection, table_id: str) -> PublicTable:
    """Fold a table's public core from the log. Raises Refused (``TABLE_NOT_FOUND``)."""
    return (await _read(conn, table_id))[0]


async def _read(conn: Connection, table_id: str) -> tuple[PublicTable, StreamHead]:
    """Return a table's public core and its stream's head. Raises Refused (``TABLE_NOT_FOUND``)."""
    try:
        head, recorded = await log.read_for_rebuild(conn, table_id)
    except log.UnknownStreamError:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all") from None
    return log_rows.fold(table_id, recorded), head


def expected(request: Any) -> int | None:
    """Return the version that a request expects; None where it names no version."""
    return request.expected_version if request.HasField("expected_version") else None
