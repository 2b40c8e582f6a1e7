"""Runs money commands at a table: decided on the public table, its events and ledger entry in one transaction."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from services.commands import runner
from services.commands.runner import Attempt, Command, LostRace
from services.contract import movements
from services.eventlog import log, records
from services.eventlog.records import Append, Appended, StreamHead
from services.journal import log_rows
from services.ledger import books
from services.ledger import records as ledger
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

    ``key`` signs the ledger entry (None: the command moves no chips); ``large`` are the thresholds of significant wins
    and stakes.
    """

    async def once() -> tuple[Answer, _Transaction | None]:
        async with pool.connection() as conn, conn.transaction():
            if (first := await runner.first_answer(command, nullcontext(conn))) is not None:
                return first, None
            at = _Transaction(conn, *await read(conn, command.table_id), key, large)
            answer, _ = await runner.attempt(command, at)
            return answer, at

    answer, at = await runner.run(once)
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
        """Post the entry, append the events, and record the figures of rounds. Raises Refused, LostRace."""
        entry = movements.entry(self.core, made, command.actor)
        if entry is not None:
            await self._post(entry, decided_on=self.core.version - len(made))
        failpoints.reached("settlement.posted")
        [done] = await log.append(self._conn, [batch])
        metrics.APPENDS.labels(done.outcome).inc()
        failpoints.reached("settlement.appended")
        if done.outcome == records.ALREADY_APPENDED:
            raise LostRace  # to the same request: what was posted here is undone, and the next try finds its answer
        if done.outcome == records.APPENDED:
            self._made = made
            await round_figures.record(self._conn, self._before, self.core, made)
            by = command.metadata(PROCESS)
            self._significant = significant_events.of_events(self._before, self.core, made, by, self._large)
            await significant_events.record(self._conn, self._significant)
        return done

    def committed(self) -> None:
        """Count what the transaction has done; it is committed."""
        if self._made:
            round_metrics.committed(self.core, self._made)
        significant_events.committed(self._significant)

    async def _post(self, entry: ledger.Entry, decided_on: int) -> None:
        """Post the entry of events that were decided on a version of the table."""
        posted = await books.post(self._conn, entry, self._key)
        metrics.POSTINGS.labels(entry.kind, posted.outcome).inc()
        if posted.outcome == ledger.INSUFFICIENT_FUNDS:
            head = await log.read_head(self._conn, self.core.table_id)
            if head is None or head.version != decided_on:
                # Others have moved these chips meanwhile: what lacks now was there when this was decided.
                raise LostRace
            fault = posted.account_at_fault or ""
            if fault.startswith("wallet:"):
                held = posted.balances.get(fault, 0)
                needed = -sum(leg.amount for leg in entry.legs if leg.account == fault)
                message = f"your wallet holds {held} {entry.currency}; this needs {needed}"
                lack = wallet_bounds.lack(held, needed, entry.currency)
                raise Refused(Reason.INSUFFICIENT_FUNDS, message, metadata=lack)
            raise Refused(Reason.INTERNAL, "the ledger refuses this movement")
        if posted.outcome != ledger.POSTED:
            # The entry's id names a version of the stream: the process that posted it has appended that version too.
            raise LostRace


async def read_core(conn: Connection, table_id: str) -> PublicTable:
    """Fold a table's public core from the log. Raises Refused (``TABLE_NOT_FOUND``)."""
    return (await read(conn, table_id))[0]


async def read(conn: Connection, table_id: str) -> tuple[PublicTable, StreamHead]:
    """Return a table's public core and its stream's head. Raises Refused (``TABLE_NOT_FOUND``)."""
    try:
        head, recorded = await log.read_for_rebuild(conn, table_id)
    except log.UnknownStreamError:
        raise Refused(Reason.TABLE_NOT_FOUND, f"there is no table {table_id!r}; ListTables shows all") from None
    return log_rows.fold(table_id, recorded), head
