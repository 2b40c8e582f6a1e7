"""Optimistic concurrency for commands at a table: decide on the state at hand, append, retry if others did.

One try reads from top to bottom in ``attempt``. Where the state comes from, and what is written beside the events, is
an ``Attempt`` of the dealer (a table in memory) or of settlement (a transaction with the ledger).
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, ClassVar, Generic, TypeVar

import psycopg
from google.protobuf.message import Message

from services.database import retry
from services.eventlog import log, records
from services.eventlog.records import Append, Appended
from services.journal import log_rows
from services.rules import refusals
from services.rules.refusals import Reason, Refused
from services.runtime import failpoints
from services.table.events import Event
from services.table.public_table import PublicTable

State = TypeVar("State")
Answer = TypeVar("Answer", bound=Message)
Result = TypeVar("Result")


class LostRace(Exception):
    """Another append was faster: nothing has happened, and the command is retried."""


class Command(ABC, Generic[State, Answer]):
    """One command at a table: ``decide`` returns its events, ``reply`` builds the answer once they are folded.

    ``actor`` and ``role`` are who commands, as the log shows it. ``request`` identifies the caller's request, so that a
    repetition gets the first answer (None: a command of the house itself, which may be repeated).
    """

    kind: ClassVar[str]
    """The command's name in the log."""
    answer_type: type[Answer]

    def __init__(
        self,
        table_id: str,
        actor: str,
        role: str,
        request: log_rows.Command | None = None,
        expected_version: int | None = None,
    ) -> None:
        self.table_id, self.actor, self.role = table_id, actor, role
        self.request = request
        self.expected_version = expected_version

    def metadata(self, process: str) -> log_rows.Metadata:
        """Return an event's metadata in the log: the actor, the command, the kind of process."""
        return log_rows.Metadata(actor=self.actor, role=self.role, command=self.kind, process=process)

    @abstractmethod
    def decide(self, table: State, now_ms: int) -> list[Event]:
        """Return the events, none where nothing is to change. Raises Refused; then the table is as it was."""

    @abstractmethod
    def reply(self, table: State, made: list[Event]) -> Answer:
        """Return the answer; the table holds the events that were ``made``."""


class Attempt(ABC, Generic[State]):
    """One try of a command: the state of its table, and the way to the log.

    ``core`` is the public part of ``table``; ``head_hash`` is the hash of the last event that the log has of it;
    ``process`` is the kind of process, as the log and the failpoints name it.
    """

    process: str
    table: State
    core: PublicTable
    head_hash: bytes

    @abstractmethod
    def connection(self) -> AbstractAsyncContextManager[psycopg.AsyncConnection[Any]]:
        """Return a connection on which requests are looked up."""

    @abstractmethod
    async def decide(self, command: Command[State, Any]) -> list[Event]:
        """Return the events of a command decided on this state. Raises Refused."""

    @abstractmethod
    async def catch_up(self) -> bool:
        """Bring the state to the log's head; return whether that changed it."""

    @abstractmethod
    def fold(self, made: list[Event]) -> None:
        """Fold decided events into the state."""

    @abstractmethod
    async def append(self, command: Command[State, Any], batch: Append, made: list[Event]) -> Appended:
        """Append the events, with what belongs to them; where there are none, the answer alone.

        Raises Refused, LostRace; then nothing was written.
        """


async def run(once: Callable[[], Awaitable[Result]], *, tries: int = retry.MOST_TRIES) -> Result:
    """Try a command until it is appended or refused. Raises Refused (``UNAVAILABLE`` where every try lost)."""
    try:
        return await retry.again(once, lost=(LostRace,), tries=tries)
    except retry.ContentionError:
        message = "too many others are acting at this table; send the same request again"
        raise Refused(Reason.UNAVAILABLE, message) from None


async def attempt(command: Command[State, Answer], at: Attempt[State]) -> tuple[Answer, list[Event]]:
    """Decide a command and append its events; a repeated request gets the first answer. Raises Refused, LostRace.

    A request that changes nothing is recorded as well: the table may change before it is repeated.
    Returns the answer and the events that this call appended (none for a repetition).
    """
    while True:
        try:
            _require_version(command, at.core)
            made = await at.decide(command)
            break
        except Refused:
            # The same request may have succeeded, and be impossible for that reason; or the state is an old one.
            if (first := await first_answer(command, at.connection())) is not None:
                return first, []
            if not await at.catch_up():
                raise
    failpoints.reached(f"{at.process}.decided")
    if not made and command.request is None:
        return command.reply(at.table, []), []
    at.fold(made)
    answer = command.reply(at.table, made)
    batch = log_rows.append(
        at.core, made, command.metadata(at.process), command.request, answer.SerializeToString(), follows=at.head_hash
    )
    done = await at.append(command, batch, made)
    if done.outcome == records.APPENDED:
        return answer, made
    if done.outcome == records.ALREADY_APPENDED:
        return command.answer_type.FromString(done.answer), []
    if done.outcome == records.REQUEST_CONFLICT:
        raise refusals.conflict()
    raise LostRace


async def first_answer(
    command: Command[Any, Answer], connection: AbstractAsyncContextManager[psycopg.AsyncConnection[Any]]
) -> Answer | None:
    """Return the first answer to a request, None where it is new. Raises Refused (``REQUEST_CONFLICT``)."""
    if command.request is None:
        return None
    return answer_to(command, await known_request(command.request, connection))


def answer_to(command: Command[Any, Answer], known: records.Request | None) -> Answer | None:
    """Return the first answer to a request as it is recorded. Raises Refused (``REQUEST_CONFLICT``)."""
    if known is None or command.request is None:
        return None
    _require_same(command.request, known)
    return command.answer_type.FromString(known.answer)


async def known_request(
    request: log_rows.Command, connection: AbstractAsyncContextManager[psycopg.AsyncConnection[Any]]
) -> records.Request | None:
    """Return what is recorded of a request, None where it is new. Raises Refused (``REQUEST_CONFLICT``)."""
    async with connection as conn:
        known = await log.find_request(conn, request.key)
    if known is not None:
        _require_same(request, known)
    return known


def _require_same(request: log_rows.Command, known: records.Request) -> None:
    if known.digest != request.digest:
        raise refusals.conflict()


def _require_version(command: Command[Any, Any], core: PublicTable) -> None:
    if command.expected_version is not None and command.expected_version != core.version:
        message = f"the table is at version {core.version}, not {command.expected_version}; read it again"
        raise Refused(Reason.STALE_VERSION, message, metadata={"version": core.version})
