"""Group commit: appends that arrive while a batch is being committed go together into the next one."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Self

import psycopg
import psycopg_pool

from services.database import retry
from services.eventlog import append_calls
from services.eventlog.records import Append, Appended

MOST_WAITING: Final = 4096
"""Appends that may wait; a further one is refused."""
BATCH: Final = 64
"""Appends in one commit."""
CLOSE_SECONDS: Final = 1.0
"""A log that is silent is waited for so long at the end."""

Pool = psycopg_pool.AsyncConnectionPool[Any]
_Waiting = tuple[Append, asyncio.Future[Appended]]


class LogAwayError(psycopg.OperationalError):
    """The log cannot be reached now; whether the append happened is told by repeating it with its request key."""


class LogBusyError(LogAwayError):
    """Too many appends wait already, or others were always faster; nothing was appended."""


class Appender:
    """Appends to the log for many callers at once; one for each process and pool, ended by ``close``.

    Waits for nothing: an append that finds the log idle is committed at once, alone. ``on_commit`` is told how many
    appends shared each commit.
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
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def append(self, one: Append) -> Appended:
        """Append and wait until it is durable; the caller's cancellation ends the waiting, not the append.

        Raises LogBusyError, LogAwayError, and psycopg.Error where the database refuses the values.
        """
        if self._closed or len(self._waiting) >= self._most_waiting:
            message = "the log is closing" if self._closed else f"{len(self._waiting)} appends wait already; try later"
            raise LogBusyError(message)
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._waiting.append((one, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await answer

    async def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Take no more appends and wait so long for those that were taken; then their callers get LogAwayError."""
        self._closed = True
        if self._worker is None:
            return
        done, _ = await asyncio.wait({self._worker}, timeout=seconds)
        if not done:
            self._worker.cancel()
            await asyncio.wait({self._worker}, timeout=seconds)
            self._fail([*self._taken, *self._waiting], LogAwayError("the log did not answer before the process ends"))
            self._waiting.clear()

    async def _work(self) -> None:
        while self._waiting:
            batch = self._take()
            try:
                async with self._pool.connection() as conn:
                    while batch:
                        outcomes = await append_calls.append(conn, [one for one, _ in batch])
                        await _commit(conn)
                        done, batch = batch, []
                        for (_, answer), outcome in zip(done, outcomes, strict=True):
                            _answer(answer, outcome)
                        if self._on_commit is not None:
                            self._on_commit(len(done))
                        await asyncio.sleep(0)  # callers that were answered append again into the next batch
                        batch = self._take()
            except (psycopg_pool.PoolTimeout, psycopg_pool.TooManyRequests, psycopg_pool.PoolClosed) as error:
                self._fail([*batch, *self._waiting], _away(error))
                self._waiting.clear()
            except retry.ContentionError as error:
                self._fail(batch, LogBusyError(f"others append all the time: {error}"))
            except Exception as error:  # every caller gets its own answer
                await self._singly(batch, error)

    def _take(self) -> list[_Waiting]:
        """Take the next batch; a request that is in it already waits for the next one."""
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
        """Give every append of a failed batch a try of its own, so that one bad value fails alone.

        Where the connection was lost the batch may have been committed: an append that nothing tells from its own
        repetition is not repeated. Where it is lost again the others are not tried.
        """
        lost = isinstance(error, psycopg.OperationalError) and not retry.lost_race(error)
        if lost:
            await self._pool.check()  # the server's restart breaks every connection of the pool
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
    """Commit where the connection does not do so by itself after every statement, which saves a round trip."""
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
