"""Runs money commands at a table: decided on the public table, its events and ledger entry in one transaction."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from services.commands import runner
from services.commands.runner import Attempt, Command, LostRace
from services.contract import movements
from services.database import statements
from services.eventlog import log, records
from services.eventlog.records import Append, Appended, StreamHead
from services.journal import log_rows
from services.ledger import books
from services.ledger import records as ledger
from services.ledger.records import Posted
from services.ledger.signatures import EntryKey
from services.registry.records import Significant
from services.rules.refusals import Reason, Refused
from services.runtime import failpoints, metrics
from services.runtime.pools import Connection, Pool
from services.settlement import round_figures, round_metrics, significant_events, wallet_bounds
from services.table import event_fold
from services.table.events import Event
from services.table.public_table import PublicTable

PROCESS: Final = "settlement"
NO_THRESHOLDS: Final = significant_events.Thresholds()

Answer = TypeVar("Answer", bound=Message)


class MoneyCommand(Command[PublicTable, Answer]):
    """A command that may move chips; ``check`` reads the registry before it is decided, in the same transaction."""

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Check what is not at the table: limits, switches, keys. Raises Refused. Each try begins here."""


async def run(
    pool: Pool,
    command: MoneyCommand[Answer],
    key: EntryKey | None,
    large: significant_events.Thresholds = NO_THRESHOLDS,
) -> Answer:
    """Run a money command; a repeated request gets the first answer. Raises Refused; then no chip has moved.

    It takes three round trips, and what the command itself checks: read, write, commit. The table is read before the
    request is looked up: a request that was answered in between is found.
    ``key`` signs the ledger entry (None: the command moves no chips); ``large`` are the thresholds of significant wins
    and stakes.
    """

    async def once() -> tuple[Answer, _Transaction | None]:
        reads = [log.rebuild_statement(command.table_id)]
        if command.request is not None:
            reads.append(log.request_statement(command.request.key))
        async with pool.connection() as conn, statements.transaction(conn, reads) as (table, *known):
            if known and (first := runner.answer_to(command, log.request_from(known[0]))) is not None:
                return first, None
            at = _Transaction(conn, *_folded(command.table_id, table), key, large)
            answer, _ = await runner.attempt(command, at)
            return answer, at

    answer, at = await runner.run(once)
    failpoints.reached("settlement.committed")
    if at is not None:
        at.committed()
    return answer


class _Transaction(Attempt[PublicTable]):
    """One try in a transaction: the table as the log has it, its money, its figures."""

    process = PROCESS

    def __init__(
        self,
        conn: Connection,
        core: PublicTable,
        head: StreamHead,
        key: EntryKey | None,
        large: significant_events.Thresholds,
    ) -> None:
        self._conn, self._key, self._large = conn, key, large
        self.table = self.core = core
        self.head_hash, self._now_ms = head.head_hash, head.read_at_ms
        self._before = round_figures.before(core)
        self._made: list[Event] = []
        self._significant: list[Significant] = []

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """Return the transaction's connection."""
        return nullcontext(self._conn)

    async def decide(self, command: Command[PublicTable, Any]) -> list[Event]:
        """Check what the registry holds, and return the events. Raises Refused."""
        assert isinstance(command, MoneyCommand), "settlement runs money commands"
        await command.check(self._conn, self.core)
        made: list[Event] = command.decide(self.core, self._now_ms)
        return made

    async def catch_up(self) -> bool:
        """Return False: the table was read in this transaction."""
        return False

    def fold(self, made: list[Event]) -> None:
        """Fold decided events into the table."""
        self._before = round_figures.before(self.core)
        for event in made:
            event_fold.fold(self.core, event)

    async def append(self, command: Command[PublicTable, Any], batch: Append, made: list[Event]) -> Appended:
        """Post the entry, record the figures of rounds, and append the events. Raises Refused, LostRace.

        All of it is one round trip. The append comes last: the tables of a shard wait for it until the commit.
        """
        by = command.metadata(PROCESS)
        significant = significant_events.of_events(self._before, self.core, made, by, self._large)
        entry = movements.entry(self.core, made, command.actor)
        posting = [] if entry is None else [books.posting(entry, self._key)]
        found = await statements.together(
            self._conn,
            [
                *posting,
                *round_figures.statements_of(self._before, self.core, made),
                *significant_events.statements_of(significant),
                log.append_statement([batch]),
            ],
        )
        [done] = log.outcomes(found[-1], [batch])
        metrics.APPENDS.labels(done.outcome).inc()
        if entry is not None:
            _require_posted(entry, books.posted(found[0]), done)
        failpoints.reached("settlement.appended")
        if done.outcome == records.ALREADY_APPENDED:
            raise LostRace  # to the same request: what was posted here is undone, and the next try finds its answer
        if done.outcome == records.APPENDED:
            self._made, self._significant = made, significant
        return done

    def committed(self) -> None:
        """Count what the transaction has done; it is committed."""
        if self._made:
            round_metrics.committed(self.core, self._made)
        significant_events.committed(self._significant)


def _require_posted(entry: ledger.Entry, posted: Posted, done: Appended) -> None:
    """Raise Refused or LostRace where an entry was not posted; ``done`` is the append that came after it."""
    metrics.POSTINGS.labels(entry.kind, posted.outcome).inc()
    if posted.outcome == ledger.POSTED:
        return
    if posted.outcome != ledger.INSUFFICIENT_FUNDS or done.outcome != records.APPENDED:
        # The entry's id names a version of the stream: the process that posted it has appended that version too.
        # Or others have moved these chips meanwhile: what lacks now was there when this was decided.
        raise LostRace
    fault = posted.account_at_fault or ""
    if not fault.startswith("wallet:"):
        raise Refused(Reason.INTERNAL, "the ledger refuses this movement")
    held = posted.balances.get(fault, 0)
    needed = -sum(leg.amount for leg in entry.legs if leg.account == fault)
    message = f"your wallet holds {held} {entry.currency}; this needs {needed}"
    raise Refused(Reason.INSUFFICIENT_FUNDS, message, metadata=wallet_bounds.lack(held, needed, entry.currency))


async def read_core(conn: Connection, table_id: str) -> PublicTable:
    """Fold a table's public core from the log. Raises Refused (``TABLE_NOT_FOUND``)."""
    return (await read(conn, table_id))[0]


async def read(conn: Connection, table_id: str) -> tuple[PublicTable, StreamHead]:
    """Return a table's public core and its stream's head. Raises Refused (``TABLE_NOT_FOUND``)."""
    return _folded(table_id, await statements.rows(conn, *log.rebuild_statement(table_id)))


def _folded(table_id: str, rows: list[Any]) -> tuple[PublicTable, StreamHead]:
    try:
        head, recorded = log.rebuilt_from(rows, table_id)
    except log.UnknownStreamError:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all") from None
    return log_rows.fold(table_id, recorded), head
