"""Runs one command at one table: decide, append, reply. A version conflict is retried (optimistic concurrency)."""

import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

import msgspec
from google.protobuf.message import Message

from services.contract import requests
from services.dealer.tables import Tables
from services.eventlog import log, records
from services.eventlog.log import Appender
from services.fairness.scripted import ScriptError
from services.journal import log_rows
from services.journal.log_rows import Metadata
from services.rules.refusals import Reason, Refused
from services.runtime import failpoints, metrics
from services.runtime.clock import NowMs
from services.runtime.identity import Caller
from services.runtime.pools import Pool
from services.table import commands
from services.table.events import Event
from services.table.full_table import FullTable

MOST_TRIES: Final = 8
"""Attempts to append a command; after that the caller is asked to try later (``UNAVAILABLE``)."""
BUSY_SECONDS: Final = 0.05
"""How long a dealer counts as busy after a command."""

Answer = TypeVar("Answer", bound=Message)


class TableCommand(msgspec.Struct, Generic[Answer], frozen=True, kw_only=True):
    """A command at a table: ``decide`` returns its events (none: nothing to do), ``answer`` builds the response."""

    kind: str
    table_id: str
    caller: Caller
    decide: Callable[[FullTable, int], list[Event]]
    answer: Callable[[FullTable, list[Event]], Answer]
    read_answer: Callable[[bytes], Answer]
    command: log_rows.Command | None = None
    expected_version: int | None = None


class Commands:
    """Runs table commands."""

    def __init__(self, tables: Tables, appender: Appender, pool: Pool, process: str, now_ms: NowMs) -> None:
        self._tables = tables
        self._appender = appender
        self._pool = pool
        self._process = process
        self._now_ms = now_ms
        self._running = 0
        self._ended = float("-inf")

    def busy(self) -> bool:
        """Return whether a command is running or has just ended, so that another one is likely to follow."""
        return self._running > 0 or time.monotonic() - self._ended < BUSY_SECONDS

    async def run(self, job: TableCommand[Answer]) -> tuple[Answer, list[Event]]:
        """Run a command; a repeated request returns the first answer. Raises Refused.

        Returns the answer and the events that this call appended (none for a repetition).
        """
        failpoints.reached("dealer.received")
        self._running += 1
        try:
            async with self._tables.lock(job.table_id):
                for attempt in range(MOST_TRIES):
                    done = await self._try(job, again=attempt > 0)
                    if done is not None:
                        return done
        finally:
            self._running -= 1
            self._ended = time.monotonic()
        raise Refused(Reason.UNAVAILABLE, "this table is too busy; send the same request again")

    async def _try(self, job: TableCommand[Answer], *, again: bool) -> tuple[Answer, list[Event]] | None:
        table, newest = await self._tables.at_hand(job.table_id)
        if again and not newest:
            table, newest = await self._tables.caught_up(table), True
        now_ms = self._now_ms()
        try:
            self._check_version(job, table)
            made = job.decide(table, now_ms)
        except Refused as refusal:
            return await self._refused(job, table, refusal, newest=newest)
        except ScriptError as error:
            # A script can fail in the middle of an action: the table is not kept.
            raise Refused(Reason.INVALID_ARGUMENT, f"the round's script: {error}") from error
        failpoints.reached("dealer.decided")
        if not made:
            self._tables.keep(table)
            return await self._answered(job) or job.answer(table, []), []
        commands.take(table, made)
        answer = job.answer(table, made)
        return await self._append(job, table, made, answer)

    async def _append(
        self, job: TableCommand[Answer], table: FullTable, made: list[Event], answer: Answer
    ) -> tuple[Answer, list[Event]] | None:
        metadata = Metadata(
            actor=job.caller.subject, role=job.caller.role.value, command=job.kind, process=self._process
        )
        began = time.perf_counter()
        follows = table.head_hash
        batch = log_rows.append(table.core, made, metadata, job.command, answer.SerializeToString(), follows=follows)
        done = await self._appender.append(batch)
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        metrics.APPENDS.labels(done.outcome).inc()
        failpoints.reached("dealer.appended")
        if done.outcome == records.APPENDED:
            assert done.version == table.core.version, "the log and the table are at the same version"
            table.head_hash = done.hash
            self._tables.changed(table)
            self._tables.listener(job.table_id, done.first_version, batch.events)
            return answer, made
        if done.outcome == records.ALREADY_APPENDED:
            return job.read_answer(done.answer), []
        if done.outcome == records.REQUEST_CONFLICT:
            raise requests.conflict()
        return None

    def _check_version(self, job: TableCommand[Answer], table: FullTable) -> None:
        if job.expected_version is not None and job.expected_version != table.core.version:
            message = f"the table is at version {table.core.version}, not {job.expected_version}; read it again"
            raise Refused(Reason.STALE_VERSION, message, metadata={"version": table.core.version})

    async def _answered(self, job: TableCommand[Answer]) -> Answer | None:
        """Return the stored answer of the same request. Raises Refused (``REQUEST_CONFLICT``)."""
        if job.command is None:
            return None
        async with self._pool.connection() as conn:
            known = await log.find_request(conn, job.command.key)
        if known is None:
            return None
        if known.digest != job.command.digest:
            raise requests.conflict()
        return job.read_answer(known.answer)

    async def _refused(
        self, job: TableCommand[Answer], table: FullTable, refusal: Exception, *, newest: bool
    ) -> tuple[Answer, list[Event]] | None:
        """Raise the refusal if the newest state refuses too. Returns the stored answer, or None to try again."""
        if (answer := await self._answered(job)) is not None:
            self._tables.keep(table)
            return answer, []
        if not newest:
            before = table.head_hash
            table = await self._tables.caught_up(table)
            if table.head_hash != before:
                self._tables.keep(table)
                return None
        self._tables.keep(table)
        raise refusal
