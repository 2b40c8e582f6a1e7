"""Runs the commands of a dealer: each is decided on the table in memory and appended with those of other tables."""

import time
from contextlib import AbstractAsyncContextManager
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from services.commands import runner
from services.commands.runner import Attempt, Command
from services.dealer.admission import TableChanged
from services.dealer.tables import Checkout, Tables
from services.eventlog import records
from services.eventlog.log import Appender
from services.eventlog.records import Append, Appended
from services.fairness.scripted import ScriptError
from services.rules.refusals import Refused, invalid
from services.runtime import failpoints, metrics
from services.runtime.clock import NowMs
from services.runtime.pools import Connection, Pool
from services.table import commands
from services.table.events import Event
from services.table.full_table import FullTable

MOST_TRIES: Final = 8
"""Attempts to append a command; after that the caller is asked to try later (``UNAVAILABLE``)."""
BUSY_SECONDS: Final = 0.05
"""How long a dealer counts as busy after a command."""

Answer = TypeVar("Answer", bound=Message)


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

    async def run(self, command: Command[FullTable, Answer]) -> tuple[Answer, list[Event]]:
        """Run a command; a repeated request returns the first answer. Raises Refused.

        Returns the answer and the events that this call appended (none for a repetition).
        """
        failpoints.reached("dealer.received")
        lost = False

        async def once() -> tuple[Answer, list[Event]]:
            nonlocal lost
            again, lost = lost, True
            async with self._tables.checkout(command.table_id, fresh=again) as held:
                at = _Attempt(held, self._appender, self._pool, self._process, self._now_ms())
                return await runner.attempt(command, at)

        self._running += 1
        try:
            return await runner.run(once, tries=MOST_TRIES)
        except ScriptError as error:
            raise invalid("script", f"the round's script: {error}") from error
        finally:
            self._running -= 1
            self._ended = time.monotonic()


class _Attempt(Attempt[FullTable]):
    """One try on a table that is checked out; what was decided and is not in the log makes it dirty."""

    def __init__(self, held: Checkout, appender: Appender, pool: Pool, process: str, now_ms: int) -> None:
        self._held, self._appender, self._pool = held, appender, pool
        self.process, self._now_ms = process, now_ms
        self._look()

    def _look(self) -> None:
        self.table = self._held.table
        self.core, self.head_hash = self.table.core, self.table.head_hash

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """Return a connection of the dealer's pool."""
        return self._pool.connection()

    async def decide(self, command: Command[FullTable, Any]) -> list[Event]:
        """Return the events of a command. Raises Refused, TableChanged; then the table is as it was."""
        self._held.dirty = True
        try:
            made = command.decide(self.table, self._now_ms)
        except (Refused, TableChanged):
            self._held.dirty = False
            raise
        self._held.dirty = bool(made)
        return made

    async def catch_up(self) -> bool:
        """Bring the table to the log's head; return whether that changed it."""
        changed = await self._held.catch_up()
        self._look()
        return changed

    def fold(self, made: list[Event]) -> None:
        """Fold decided events into the table."""
        commands.take(self.table, made)

    async def append(self, command: Command[FullTable, Any], batch: Append, made: list[Event]) -> Appended:
        """Append the events with those of other tables, in one commit."""
        began = time.perf_counter()
        done = await self._appender.append(batch)
        metrics.APPEND_SECONDS.observe(time.perf_counter() - began)
        metrics.APPENDS.labels(done.outcome).inc()
        failpoints.reached("dealer.appended")
        if done.outcome == records.APPENDED:
            assert done.version == self.core.version, "the log and the table are at the same version"
            self._held.appended(done, batch.events)
        return done
