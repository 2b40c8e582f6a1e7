"""Heavy reads in processes of their own, so that they do not delay health checks, signing and short calls.

The numbers of workers, of calls per caller and of waiting calls are bounded, and so is the time of a job. A job whose
caller has gone away is cancelled; a worker that does not cancel it is killed and replaced.
"""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar

from services.audit.frames import Job
from services.audit.worker_process import WorkerProcess
from services.fairness.seal import KeyRing
from services.rules.refusals import Reason, Refused
from services.runtime import logs
from services.runtime.settings import Settings

T = TypeVar("T")
MOST_WAITING_PER_WORKER: Final = 8
"""Reads that may wait, per worker; further ones are refused."""
BUFFER_BYTES: Final = 16 << 20
"""Maximum size of an answer that is read from a worker at once, so that a slow caller does not occupy it."""
SHORT_SECONDS: Final = 60.0
LONG_SECONDS: Final = 600.0
LONG: Final = frozenset({"ReplayTable", "VerifyStream", "ProveConsistency", "CheckCheckpoint"})
"""Reads that may take minutes; of several workers, one is always reserved for short reads."""
LETS_GO_SECONDS: Final = 5.0
"""Seconds for a worker to cancel a job whose caller has gone away; then the worker is killed."""

log = logs.get("workers")


class _Loan:
    """A worker on loan to a job, and the semaphores held until the worker is returned."""

    def __init__(self, places: list[asyncio.Semaphore]) -> None:
        self.places = places
        self.process: WorkerProcess
        self.returned = False

    async def ahead(self, job: Job) -> deque[bytes]:
        """Start a job and return the first parts of its answer, up to the buffer's size."""
        await self.process.begin(job)
        taken: deque[bytes] = deque()
        size = 0
        while size <= BUFFER_BYTES and (part := await self.process.next_part()) is not None:
            taken.append(part)
            size += len(part)
        return taken


class WorkerPool:
    """The workers of an audit process; the first starts at once, the others on demand."""

    def __init__(self, settings: Settings, ring: KeyRing, role: str, count: int) -> None:
        assert count > 0, "a pool needs a worker"
        self._settings, self._ring, self._role, self._count = settings, ring, role, count
        self._free = asyncio.Semaphore(count)
        self._free_for_long = asyncio.Semaphore(max(1, count - 1))
        self._idle: deque[WorkerProcess] = deque()
        self._processes: set[WorkerProcess] = set()
        self._callers: Counter[str] = Counter()
        self._waiting = 0
        self._behind: set[asyncio.Task[None]] = set()
        self._first = asyncio.create_task(self._start_first())

    @contextmanager
    def admitted(self, subject: str, most: int) -> Iterator[None]:
        """Count a caller's heavy call while it runs. Raises Refused (``TOO_MANY_REQUESTS``) beyond ``most``."""
        if self._callers[subject] >= most:
            message = f"{most} of your reads are being answered; wait until one of them ends, then ask again"
            raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=1)
        self._callers[subject] += 1
        try:
            yield
        finally:
            self._callers[subject] -= 1
            if not self._callers[subject]:
                del self._callers[subject]

    async def run(self, job: Job) -> AsyncGenerator[bytes, None]:
        """Run a job in a worker and yield the parts of its answer; close the generator if not all are read.

        Raises Refused: the refusal of the read itself; ``TOO_MANY_REQUESTS`` if too many reads wait already;
        ``DEADLINE_EXCEEDED``; ``UNAVAILABLE`` if the worker was killed.
        """
        until = asyncio.get_running_loop().time() + (LONG_SECONDS if job.method in LONG else SHORT_SECONDS)
        loan = await self._borrow(long=job.method in LONG)
        try:
            ahead = await _bounded(loan.ahead(job), until)
            if not loan.process.busy:  # the worker is free for others while the caller reads
                self._give_back(loan)
            while ahead:
                yield ahead.popleft()
            while not loan.returned and (part := await _bounded(loan.process.next_part(), until)) is not None:
                yield part
        finally:
            if not loan.returned:
                if loan.process.busy:
                    self._later(self._drop(loan))
                else:
                    self._give_back(loan)

    async def _borrow(self, *, long: bool) -> _Loan:
        if self._waiting >= MOST_WAITING_PER_WORKER * self._count:
            message = "too many reads wait already; ask again in a while"
            raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=5)
        loan = _Loan([])
        self._waiting += 1
        try:
            for place in [self._free_for_long, self._free] if long else [self._free]:
                await place.acquire()
                loan.places.append(place)
        except BaseException:
            self._vacate(loan)
            raise
        finally:
            self._waiting -= 1
        starting = asyncio.ensure_future(self._process())
        try:
            loan.process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            self._later(self._given_back(loan, starting))
            raise
        except BaseException:
            self._vacate(loan)
            raise
        return loan

    async def _start_first(self) -> None:
        try:
            self._idle.append(await self._started())
        except OSError as error:  # the next caller tries again and gets the error
            log.warning("a worker did not start", cause=type(error).__name__)

    async def _process(self) -> WorkerProcess:
        await asyncio.wait([self._first])
        while self._idle:
            process = self._idle.pop()
            if process.alive():
                return process
            await self._end(process)
        return await self._started()

    async def _started(self) -> WorkerProcess:
        process = WorkerProcess(self._settings, self._ring, self._role)
        await process.start()
        self._processes.add(process)
        return process

    async def _given_back(self, loan: _Loan, starting: Awaitable[WorkerProcess]) -> None:
        try:
            loan.process = await starting
        except OSError as error:
            log.warning("a worker did not start", cause=type(error).__name__)
            self._vacate(loan)
        else:
            self._give_back(loan)

    def _give_back(self, loan: _Loan) -> None:
        self._idle.append(loan.process)
        self._vacate(loan)

    @staticmethod
    def _vacate(loan: _Loan) -> None:
        loan.returned = True
        while loan.places:
            loan.places.pop().release()

    async def _drop(self, loan: _Loan) -> None:
        """Cancel a worker's job; its place is free once it has stopped, or has ended."""
        try:
            async with asyncio.timeout(LETS_GO_SECONDS):
                await loan.process.drop()
        except (TimeoutError, EOFError):
            log.warning("a worker is ended", pid=loan.process.pid)
            await self._end(loan.process)
            self._vacate(loan)
        else:
            self._give_back(loan)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work that must follow an answer."""
        task = asyncio.create_task(work)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    async def _end(self, process: WorkerProcess) -> None:
        self._processes.discard(process)
        await process.end()

    async def close(self) -> None:
        """End every worker."""
        await asyncio.wait([self._first])
        for task in self._behind:
            task.cancel()
        await asyncio.gather(*self._behind, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in self._processes))


async def _bounded(work: Awaitable[T], until: float) -> T:
    """Wait for a worker. Raises Refused (``DEADLINE_EXCEEDED``, ``UNAVAILABLE``)."""
    try:
        async with asyncio.timeout_at(until):
            return await work
    except TimeoutError:
        raise Refused(Reason.DEADLINE_EXCEEDED, "this read takes too long; ask for a smaller part") from None
    except EOFError:
        raise Refused(Reason.UNAVAILABLE, "a process of this read was ended; ask again") from None


@asynccontextmanager
async def opened(settings: Settings, ring: KeyRing, role: str, count: int) -> AsyncIterator[WorkerPool]:
    """Run a pool of workers; they end with the block."""
    pool = WorkerPool(settings, ring, role, count)
    try:
        yield pool
    finally:
        await pool.close()
