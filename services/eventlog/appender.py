"""Group commit: appends that arrive while a batch is being committed go together into the next one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

import psycopg
import psycopg_pool

from services.database import retry
from services.eventlog import append_calls
from services.eventlog.kept_connection import KeptConnection
from services.eventlog.records import Append, Appended

MOST_WAITING: Final = 4096
"""Maximum number of waiting appends; a further one is refused."""
BATCH: Final = 64
"""Maximum number of appends in one commit."""
IDLE_SECONDS: Final = 0.5
"""Seconds without an append after which the connection goes back to the pool."""
GATHER_SECONDS: Final = 0.0015
"""Longest wait for the callers of the last commit to append again, if it held more than one append."""
CLOSE_SECONDS: Final = 1.0
"""Seconds that ``close`` waits for a log that does not answer."""

Pool = psycopg_pool.AsyncConnectionPool[Any]
_Waiting = tuple[Append, asyncio.Future[Appended]]


class LogAwayError(psycopg.OperationalError):
    """The log is unreachable; repeat the append with its request key to learn whether it happened."""


class LogBusyError(LogAwayError):
    """Too many appends are waiting, or others won every race; nothing was appended."""


class Appender:
    """Appends to the log for many concurrent callers; one for each process and pool, ended by ``close``.

    An append that finds the log idle is committed at once, alone. Only where the last commit held several, the next
    one waits for as many, for ``GATHER_SECONDS`` at most: one caller alone never waits. ``on_commit`` is called with
    the number of appends of each commit.
    """

    def __init__(
        self,
        pool: Pool,
        *,
        most_waiting: int = MOST_WAITING,
        batch: int = BATCH,
        on_commit: Callable[[int], None] | None = None,
    ) -> None:
        self._on_commit = on_commit
        assert 1 <= batch <= append_calls.MOST_APPENDS, f"a batch of {batch}"
        self._pool = pool
        self._most_waiting = most_waiting
        self._batch = batch
        self._waiting: deque[_Waiting] = deque()
        self._taken: tuple[_Waiting, ...] = ()
        self._worker: asyncio.Task[None] | None = None
        self._kept = KeptConnection(pool)
        self._idle_seconds = IDLE_SECONDS if pool.max_size > 1 else 0.0  # others need an only one
        self._wanted = 0
        self._enough: asyncio.Future[None] | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def append(self, one: Append) -> Appended:
        """Append and wait until it is durable; cancelling the caller ends the wait, not the append.

        Raises LogBusyError, LogAwayError, and psycopg.Error if the database refuses the values.
        """
        if self._closed or len(self._waiting) >= self._most_waiting:
            message = "the log is closing" if self._closed else f"{len(self._waiting)} appends wait already; try later"
            raise LogBusyError(message)
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        elif len(self._waiting) >= self._wanted:
            self._go_on()
        return await answer

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Refuse further appends and wait up to ``seconds`` for accepted ones; then their callers get LogAwayError."""
        self._closed = True
        if self._worker is None:
            return
        self._go_on()
        done, _ = await asyncio.wait({self._worker}, timeout=seconds)
        if not done:
            self._worker.cancel()
            await asyncio.wait({self._worker}, timeout=seconds)
            self._fail([*self._taken, *self._waiting], LogAwayError("the log did not answer before the process ended"))
            self._waiting.clear()

    async def _work(self) -> None:
        """Commit what waits until nothing has come for a while."""
        try:
            while self._waiting or await self._wait_for(1, self._idle_seconds):
                await self._commit_all()
        finally:
            await self._kept.give_back()

    async def _commit_all(self) -> None:
        batch = self._take()
        try:
            conn = await self._kept.take()
            while batch:
                outcomes = await append_calls.append(conn, [one for one, _ in batch])
                await _commit(conn)
                done, batch = batch, []
                for (_, answer), outcome in zip(done, outcomes, strict=True):
                    _answer(answer, outcome)
                if self._on_commit is not None:
                    self._on_commit(len(done))
                await asyncio.sleep(0)  # lets callers that were answered append into the next batch
                if len(self._waiting) < len(done) > 1:
                    await self._wait_for(len(done), GATHER_SECONDS)
                batch = self._take()
        except (psycopg_pool.PoolTimeout, psycopg_pool.TooManyRequests, psycopg_pool.PoolClosed) as error:
            self._fail([*batch, *self._waiting], _away(error))
            self._waiting.clear()
        except retry.ContentionError as error:
            await self._kept.give_back()
            self._fail(batch, LogBusyError(f"other appends won every race: {error}"))
        except Exception as error:  # each caller gets its own outcome
            await self._kept.give_back()
            await self._singly(batch, error)

    async def _wait_for(self, count: int, seconds: float) -> bool:
        """Wait until so many appends wait, the appender closes, or the time has passed; return whether any waits."""
        if not self._closed:
            loop = asyncio.get_running_loop()
            self._wanted, self._enough = count, loop.create_future()
            timer = loop.call_later(seconds, self._go_on)
            try:
                await self._enough
            finally:
                timer.cancel()
                self._enough = None
        return bool(self._waiting)

    def _go_on(self) -> None:
        if self._enough is not None and not self._enough.done():
            self._enough.set_result(None)

    def _take(self) -> list[_Waiting]:
        """Return the next batch; an append whose request key is already in it waits for a later one."""
        batch: list[_Waiting] = []
        keys: set[str] = set()
        later: list[_Waiting] = []
        while self._waiting and len(batch) < self._batch:
            one, answer = self._waiting.popleft()
            if one.request_key is not None and one.request_key in keys:
                later.append((one, answer))
                continue
            if one.request_key is not None:
                keys.add(one.request_key)
            batch.append((one, answer))
        self._waiting.extendleft(reversed(later))
        self._taken = tuple(batch)
        return batch

    async def _singly(self, batch: list[_Waiting], error: Exception) -> None:
        """Retry each append of a failed batch alone, so that one bad value fails alone.

        If the connection was lost, the batch may have been committed: an append that is not idempotent is not repeated.
        If it is lost again, the remaining appends are not tried.
        """
        lost = isinstance(error, psycopg.OperationalError) and not retry.lost_race(error)
        if lost:
            await self._pool.check()  # a restart of the server breaks every connection of the pool
        elif len(batch) == 1:
            self._fail(batch, error)
            return
        for place, (one, answer) in enumerate(batch):
            if lost and one.request_key is None and one.expected is None:
                self._fail([(one, answer)], _away(error))
                continue
            try:
                async with self._pool.connection() as conn:
                    outcomes = await append_calls.append(conn, [one])
                    await _commit(conn)
                _answer(answer, outcomes[0])
            except psycopg.OperationalError as again:
                self._fail(batch[place:], _away(again))
                return
            except Exception as again:  # handed to the caller
                _answer(answer, again)

    @staticmethod
    def _fail(batch: Sequence[_Waiting], error: Exception) -> None:
        for _, answer in batch:
            _answer(answer, error)


async def _commit(conn: psycopg.AsyncConnection[Any]) -> None:
    """Commit, unless the connection is in autocommit mode, which saves a round trip."""
    if not conn.autocommit:
        await conn.commit()


def _away(error: Exception) -> LogAwayError:
    away = LogAwayError(f"the log cannot be reached: {error}")
    away.__cause__ = error
    return away


def _answer(answer: asyncio.Future[Appended], outcome: Appended | Exception) -> None:
    if answer.done():  # its caller was cancelled
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)
