"""Heavy reads in workers: the audit process answers meanwhile, and every bound holds.

A worker that is stopped by a signal represents a read without end.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from random import Random
from typing import Any

import grpc
import psutil
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from pitboss import client, parts
from pitboss.v1 import audit_pb2 as pb

from services.audit import service, worker_pool
from services.audit.frames import Job
from services.audit.worker_pool import WorkerPool
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Role
from services.runtime.settings import Settings
from tests.support import served, sittings, waits
from tests.support.sittings import Sitting

ROLE = "pitboss_audit"


@pytest.fixture
async def sitting(postgres_url: str) -> Sitting:
    """Return a table in the log with some settled rounds."""
    found, rng = Sitting("texas_holdem", table_id=served.table_id()), Random(1)
    found.sit(dict.fromkeys(range(6), 5000))
    for _ in range(2):
        found.start()
        found.finish(rng, lapses=1.0)
        found.settle()
    async with await served.connect(postgres_url) as conn:
        await served.publish(conn, found, together=True)
    return found


@pytest.fixture
def settings(postgres_url: str, redis_url: str) -> Settings:
    """Return the settings of an audit process with one worker."""
    return served.given(postgres_url, redis_url, audit_workers=1)


@pytest.fixture
async def pool(settings: Settings) -> AsyncIterator[WorkerPool]:
    """Yield a pool of one worker."""
    async with worker_pool.opened(settings, sittings.AUDIT, ROLE, 1) as opened:
        yield opened


def replay_of(sitting: Sitting) -> Job:
    """Return the job of a replay."""
    return Job("ReplayTable", pb.ReplayTableRequest(table_id=sitting.table_id).SerializeToString())


async def done(pool: WorkerPool, job: Job) -> list[bytes]:
    """Run a job and return all parts of its answer."""
    async with aclosing(pool.run(job)) as found:
        return [part async for part in found]


def workers() -> list[int]:
    """Return the ids of this process's workers."""
    return [child.pid for child in multiprocessing.active_children() if child.pid and child.name == "audit worker"]


@contextlib.contextmanager
def stopped() -> Iterator[None]:
    """Stop every worker by a signal; afterwards let the running ones continue."""
    held = workers()
    assert held, "nobody works"
    for pid in held:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in held:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


async def refused(reason: Reason, work: "asyncio.Future[Any]") -> None:
    """Wait for work that must be refused with this reason."""
    with pytest.raises(Refused) as caught:
        await work
    assert caught.value.reason is reason


async def test_short_calls_are_answered_while_every_worker_is_busy(settings: Settings, sitting: Sitting) -> None:
    """While the most reads hang, checkpoints are listed and made, and health is answered.

    Shown by order: every short call is answered while no read is.
    """
    async with served.serve("audit", settings) as auditor:
        request = pb.RecallRoundsRequest(table_id=sitting.table_id)

        def recall(player: str) -> "asyncio.Task[pb.RecallRoundsResponse]":
            metadata = (("authorization", f"Bearer {auditor.token(player)}"),)
            stream = auditor.audit.RecallRounds(request, metadata=metadata, timeout=60)
            return asyncio.create_task(parts.recalled(stream))

        first = await recall("p0")
        assert [one.round_number for one in first.rounds] == [2, 1]
        with stopped():
            reads = [recall(f"p{seat}") for seat in range(6)]
            for _ in range(20):
                await auditor.call(auditor.audit.ListCheckpoints, pb.ListCheckpointsRequest(), Role.AUDITOR)
            await auditor.call(auditor.audit.CreateCheckpoint, pb.CreateCheckpointRequest(), Role.AUDITOR)
            health = health_pb2_grpc.HealthStub(auditor.channel)
            told = await health.Check(health_pb2.HealthCheckRequest(), timeout=10)
            assert told.status == health_pb2.HealthCheckResponse.SERVING
            assert not any(read.done() for read in reads)
        assert await asyncio.wait_for(reads[0], 60) == first
        await asyncio.gather(*reads)


async def test_a_player_has_a_bounded_number_of_reads_and_others_are_served(
    settings: Settings, sitting: Sitting
) -> None:
    """One read too many of one player is TOO_MANY_REQUESTS with a pause to wait; another player's is answered."""
    async with served.serve("audit", settings) as auditor:
        request = pb.RecallRoundsRequest(table_id=sitting.table_id)

        def recall(player: str) -> "asyncio.Task[pb.RecallRoundsResponse]":
            metadata = (("authorization", f"Bearer {auditor.token(player)}"),)
            stream = auditor.audit.RecallRounds(request, metadata=metadata, timeout=60)
            return asyncio.create_task(parts.recalled(stream))

        await recall("p0")
        with stopped():
            mine = [recall("p0") for _ in range(service.MOST_PER_PLAYER + 1)]
            over, _ = await asyncio.wait(mine, return_when=asyncio.FIRST_COMPLETED)
            [refusal] = [read.exception() for read in over]
            assert isinstance(refusal, grpc.RpcError)
            assert client.refusal(refusal).reason == "TOO_MANY_REQUESTS"
            other = recall("p1")
        assert (await other).rounds
        await asyncio.gather(*(read for read in mine if read not in over))
        assert (await recall("p0")).rounds


async def test_only_so_many_reads_wait(pool: WorkerPool, sitting: Sitting) -> None:
    """With a busy worker and a full queue the next read is refused; the queued ones are answered in the end."""
    answer = await done(pool, replay_of(sitting))
    with stopped():
        waiting = [
            asyncio.ensure_future(done(pool, replay_of(sitting)))
            for _ in range(1 + worker_pool.MOST_WAITING_PER_WORKER)
        ]
        await waits.turns()
        await refused(Reason.TOO_MANY_REQUESTS, asyncio.ensure_future(done(pool, replay_of(sitting))))
    assert await asyncio.gather(*waiting) == [answer] * len(waiting)


async def test_a_job_whose_caller_has_gone_is_dropped_and_its_worker_goes_on(
    pool: WorkerPool, sitting: Sitting
) -> None:
    """After a cancelled job the same process does the next one, and its place is free."""
    answer = await done(pool, replay_of(sitting))
    before = workers()
    for _ in range(3):
        with stopped():
            gone = asyncio.ensure_future(done(pool, replay_of(sitting)))
            await waits.eventually(lambda: not pool._idle, "the stopped worker has the job")
            gone.cancel()
            with pytest.raises(asyncio.CancelledError):
                await gone
    assert await done(pool, replay_of(sitting)) == answer
    assert workers() == before


async def test_a_worker_that_does_not_let_go_is_replaced(
    pool: WorkerPool, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read beyond its time is DEADLINE_EXCEEDED; its worker is killed and replaced."""
    answer = await done(pool, replay_of(sitting))
    before = workers()
    monkeypatch.setattr(worker_pool, "LETS_GO_SECONDS", 0.1)
    monkeypatch.setattr(worker_pool, "LONG_SECONDS", 0.1)
    with stopped():
        await refused(Reason.DEADLINE_EXCEEDED, asyncio.ensure_future(done(pool, replay_of(sitting))))
        monkeypatch.setattr(worker_pool, "LONG_SECONDS", 60.0)
        assert await done(pool, replay_of(sitting)) == answer
    assert len(workers()) == 1
    assert workers() != before


async def test_a_worker_that_is_killed_is_told_and_replaced(pool: WorkerPool, sitting: Sitting) -> None:
    """If a worker is killed, its caller gets UNAVAILABLE, and the next read has a worker."""
    answer = await done(pool, replay_of(sitting))
    with stopped():
        running = asyncio.ensure_future(done(pool, replay_of(sitting)))
        await waits.eventually(lambda: not pool._idle, "the stopped worker has the job")
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
        await refused(Reason.UNAVAILABLE, running)
    assert await done(pool, replay_of(sitting)) == answer
    [idle] = workers()
    os.kill(idle, signal.SIGKILL)
    await waits.eventually(lambda: idle not in workers(), f"the end of {idle}")
    assert await done(pool, replay_of(sitting)) == answer


async def test_what_a_read_refuses_is_told_and_the_worker_goes_on(pool: WorkerPool, sitting: Sitting) -> None:
    """A read's refusal reaches the caller unchanged, and the worker is free again."""
    request = pb.ReplayTableRequest(table_id=sitting.table_id, from_version=1_000_000)
    for _ in range(3):
        with pytest.raises(Refused) as caught:
            await done(pool, Job("ReplayTable", request.SerializeToString()))
        assert caught.value.reason is Reason.INVALID_ARGUMENT
        assert caught.value.fields[0][0] == "from_version"


ASKER = """
import asyncio, sys, time
from pitboss.v1 import audit_pb2 as pb
from services.audit import worker_pool
from services.audit.frames import Job
from services.rules.refusals import Refused
from tests.audit import test_worker_pool as tests
from tests.support import sittings
from tests.support import served

async def ask(url):
    async with worker_pool.opened(served.given(url, "redis://127.0.0.1:1/0"), sittings.AUDIT, tests.ROLE, 1) as pool:
        try:
            request = pb.VerifyStreamRequest(table_id=served.table_id())
            await tests.done(pool, Job("VerifyStream", request.SerializeToString()))
        except Refused:
            print(*tests.workers(), flush=True)
        signal.pause()

if __name__ == "__main__":
    asyncio.run(ask(sys.argv[1]))
"""


def test_workers_end_with_the_process_that_started_them(postgres_url: str) -> None:
    """An audit process that is killed leaves no worker behind."""
    with subprocess.Popen([sys.executable, "-c", ASKER, postgres_url], stdout=subprocess.PIPE, text=True) as asker:
        assert asker.stdout is not None
        pids = [int(pid) for pid in asker.stdout.readline().split()]
        asker.kill()
    assert pids
    waits.eventually_blocking(lambda: not any(psutil.pid_exists(pid) for pid in pids), f"the end of {pids}")
