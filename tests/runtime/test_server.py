"""Whole processes on real sockets: start, health, metrics, drain on SIGTERM, and errors at the start."""

import asyncio
import json
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.runtime import background, errors, failpoints, last_resort, server, settings
from services.runtime.identity import Role
from tests.support import echo, waits

MAIN = """
import sys
from services.runtime import server
from tests.support import echo
drain_seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1
given = echo.given(ready_file=sys.argv[1], drain_notice_seconds=0.3, drain_seconds=drain_seconds, call_seconds=300)
sys.exit(server.serve("echo", given, echo.build))
"""
HANGS = """
import asyncio, sys, time
from contextlib import asynccontextmanager
from services.runtime import server
from tests.support import echo

@asynccontextmanager
async def build(process):
    async with echo.build(process) as services:
        yield services
    if sys.argv[3] == "holds the event loop":
        time.sleep(60)
    await asyncio.Event().wait()

given = echo.given(ready_file=sys.argv[1], drain_notice_seconds=0.3, drain_seconds=float(sys.argv[2]))
sys.exit(server.serve("echo", given, build))
"""
ROOT = Path(__file__).parents[2]


class Child:
    """An echo in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, told: dict[str, Any]) -> None:
        self.process, self.port, self.metrics_port = process, told["port"], told["metrics_port"]

    async def end(self, seconds: float) -> tuple[int, str]:
        """Wait for the process to end; return its exit code and its log."""
        _, logged = await asyncio.wait_for(self.process.communicate(), seconds)
        assert self.process.returncode is not None
        return self.process.returncode, logged.decode()


@asynccontextmanager
async def started(ready: Path, program: str, *arguments: str) -> AsyncIterator[Child]:
    """Start an echo in a process of its own; it is killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        program,
        str(ready),
        *arguments,
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT}/protos"},
    )
    try:
        await waits.eventually(lambda: process.returncode is not None or ready.exists(), "the process serves")
        assert process.returncode is None, "the process ended before it served"
        yield Child(process, json.loads(await asyncio.to_thread(ready.read_text)))
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


@pytest.fixture
async def child(tmp_path: Path) -> AsyncIterator[Child]:
    """Start an echo in a process of its own."""
    async with started(tmp_path / "ready.json", MAIN) as found:
        yield found


async def answering(child: Child) -> None:
    """Wait until the process answers a call."""

    async def is_open() -> bool:
        return "pitboss_open_calls 1.0" in (await fetch(child.metrics_port, "/metrics"))[1]

    await waits.eventually(is_open, "the call has come in")


async def draining(child: Child) -> None:
    """Wait until the process has taken the signal to stop."""

    async def has_stopped_serving() -> bool:
        try:
            return (await fetch(child.metrics_port, "/healthz"))[0] != 200
        except OSError:
            return True

    await waits.eventually(has_stopped_serving, "the process drains")


async def fetch(port: int, path: str) -> tuple[int, str]:
    """Get a page of a process's HTTP endpoint."""

    def get() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    return await asyncio.to_thread(get)


async def until(wanted: int, stub: Any) -> None:
    """Watch health until it has this status."""
    async with asyncio.timeout(60):
        async for told in stub.Watch(health_pb2.HealthCheckRequest(service=echo.NAME)):
            if told.status == wanted:
                return


async def test_sigterm_drains_with_an_open_stream_and_a_running_call(child: Child) -> None:
    """On SIGTERM health says NOT_SERVING, the running call ends well, the stream ends UNAVAILABLE, exit code 0."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{child.port}") as channel:
        stream = echo.watch_on(channel)(StringValue(value="stay"), metadata=[echo.bearer()])
        assert [(await stream.read()).value for _ in range(3)] == ["0", "1", "2"]
        call = asyncio.ensure_future(echo.say_on(channel)(StringValue(value="wait 0.7"), metadata=[echo.bearer()]))
        await answering(child)
        child.process.send_signal(signal.SIGTERM)
        await until(health_pb2.HealthCheckResponse.NOT_SERVING, health_pb2_grpc.HealthStub(channel))
        assert (await call).value == "ann: wait 0.7"
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        status, info = errors.status_of(caught.value), error_details_pb2.ErrorInfo()
        assert status is not None
        assert status.details[0].Unpack(info)
        assert (info.reason, info.metadata["version"]) == ("SHUTTING_DOWN", "2")
    code, _ = await child.end(5)
    assert code == 0


async def test_the_drain_is_bounded_although_a_call_does_not_end(child: Child) -> None:
    """A call that runs longer than the drain is cut off; the process ends within the bound, with exit code 0."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{child.port}") as channel:
        call = asyncio.ensure_future(echo.say_on(channel)(StringValue(value="wait 9"), metadata=[echo.bearer()]))
        await answering(child)
        started = time.monotonic()
        child.process.send_signal(signal.SIGINT)
        code, logged = await child.end(6)
        assert code == 0, logged
        assert 1.0 <= time.monotonic() - started < 5
        with pytest.raises(grpc.aio.AioRpcError):
            await call


async def test_a_second_signal_cuts_the_drain_short(tmp_path: Path) -> None:
    """Two signals: what still runs is cut off at once, although the drain would wait for it much longer."""
    async with (
        started(tmp_path / "ready.json", MAIN, "300") as child,
        grpc.aio.insecure_channel(f"127.0.0.1:{child.port}") as channel,
    ):
        call = asyncio.ensure_future(echo.say_on(channel)(StringValue(value="wait 200"), metadata=[echo.bearer()]))
        await until(health_pb2.HealthCheckResponse.SERVING, health_pb2_grpc.HealthStub(channel))
        await answering(child)
        child.process.send_signal(signal.SIGTERM)
        await until(health_pb2.HealthCheckResponse.NOT_SERVING, health_pb2_grpc.HealthStub(channel))
        assert not call.done()
        child.process.send_signal(signal.SIGTERM)
        code, logged = await child.end(60)
        assert code == 0, logged
        with pytest.raises(grpc.aio.AioRpcError):
            await call


@pytest.mark.parametrize(
    ("drain", "hang", "signals"), [("0.5", "waits", 1), ("0.5", "holds the event loop", 1), ("60", "waits", 2)]
)
async def test_a_process_ends_though_something_does_not_close(
    drain: str, hang: str, signals: int, tmp_path: Path
) -> None:
    """A process whose close hangs ends within its bound, and at once after a second signal."""
    async with started(tmp_path / "ready.json", HANGS, drain, hang) as child:
        began = time.monotonic()
        for number in range(signals):
            if number:
                await draining(child)
            child.process.send_signal(signal.SIGTERM)
        code, logged = await child.end(20)
        assert code == last_resort.EXIT_CODE, logged
        assert time.monotonic() - began < 0.3 + 0.5 + 2 + 2
        assert "did not end in time" in logged


async def test_a_process_serves_metrics_and_health_over_http(child: Child) -> None:
    """/metrics holds the house's metrics, /healthz says that it serves, anything else is not found."""
    code, text = await fetch(child.metrics_port, "/metrics")
    assert code == 200
    assert "pitboss_serving 1.0" in text
    assert 'pitboss_build_info{process="echo"' in text
    assert await fetch(child.metrics_port, "/healthz") == (200, '{"serving": true, "missing": []}')
    assert (await fetch(child.metrics_port, "/else"))[0] == 404


async def test_logs_of_a_process_are_json_lines_without_the_token(child: Child) -> None:
    """Each line is JSON; start and drain are logged; no line holds a token that was used."""
    header = echo.bearer(Role.PLAYER, "zoe")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{child.port}") as channel:
        with pytest.raises(grpc.aio.AioRpcError):
            await echo.say_on(channel)(StringValue(value="fail crash"), metadata=[header])
    child.process.send_signal(signal.SIGTERM)
    _, logged = await child.end(6)
    lines = [json.loads(line) for line in logged.splitlines()]
    assert [line["event"] for line in lines] == ["serving", "call failed", "signal", "draining", "stopped"]
    failed = lines[1]
    assert (failed["method"], failed["subject"], failed["role"]) == ("Echo/Say", "zoe", "player")
    assert "RuntimeError" in failed["exception"]
    assert header[1].split()[1] not in logged


async def test_health_follows_what_the_process_needs() -> None:
    """While a probe fails the process says NOT_SERVING, over gRPC and HTTP; once it succeeds again, SERVING."""
    away = asyncio.Event()

    @asynccontextmanager
    async def build(process: server.Process) -> AsyncIterator[Sequence[server.Service]]:
        async def probe() -> None:
            if away.is_set():
                raise ConnectionError

        process.probe("database", probe)
        yield [echo.service()]

    async with (
        server.running("echo", echo.given(), build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        stub = health_pb2_grpc.HealthStub(channel)
        await until(health_pb2.HealthCheckResponse.SERVING, stub)
        away.set()
        await until(health_pb2.HealthCheckResponse.NOT_SERVING, stub)
        assert await fetch(run.metrics_port, "/healthz") == (503, '{"serving": false, "missing": ["database"]}')
        assert "pitboss_serving 0.0" in (await fetch(run.metrics_port, "/metrics"))[1]
        away.clear()
        await until(health_pb2.HealthCheckResponse.SERVING, stub)


async def test_what_a_process_uses_is_closed_after_its_server_has_stopped() -> None:
    """A call that runs while the drain begins still finds open what it uses."""
    events: list[str] = []
    entered = asyncio.Event()

    @asynccontextmanager
    async def build(process: server.Process) -> AsyncIterator[Sequence[server.Service]]:
        async def slow(request: StringValue, _: object) -> StringValue:
            entered.set()
            await process.stopping.wait()
            events.append("answered")
            return request

        yield [echo.service(slow)]
        events.append("closed")

    async with server.running("echo", echo.given(), build) as run:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{run.port}")
        call = asyncio.ensure_future(echo.say_on(channel)(StringValue(value="x"), metadata=[echo.bearer()]))
        await entered.wait()
    assert (await call).value == "x"
    assert events == ["answered", "closed"]
    await channel.close(None)


async def test_a_watch_of_health_does_not_hold_up_the_drain() -> None:
    """A watch of health gets NOT_SERVING and ends with the drain, which takes much less than its bound."""
    async with server.running("echo", echo.given(drain_seconds=20), echo.build) as run:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{run.port}")
        watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=echo.NAME))
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        started = time.monotonic()
    assert time.monotonic() - started < 5
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
    assert await watch.read() is grpc.aio.EOF  # type: ignore[attr-defined]  # not in the stubs
    await channel.close(None)


async def test_a_taken_port_is_told_in_words() -> None:
    """A second process on the same port does not start, and says which setting is at fault."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(settings.SettingsRefused, match="PITBOSS_LISTEN"):
            async with server.running("echo", echo.given(listen=where), echo.build):
                pass
        with pytest.raises(settings.SettingsRefused, match="PITBOSS_METRICS_LISTEN"):
            async with server.running("echo", echo.given(metrics_listen=where), echo.build):
                pass


def test_a_process_that_cannot_start_ends_with_a_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    """``serve`` exits with 2 and one line that names the setting."""
    code = server.serve("echo", echo.given(jwt_secret="short"), echo.build)
    assert code == 2
    line = json.loads(capfd.readouterr().err.splitlines()[-1])
    assert line["event"] == "cannot start"
    assert "JWT_SECRET" in line["reason"]


@pytest.mark.parametrize("step", ["dealer.appended", "@/folder"])
def test_a_house_with_real_players_has_no_process_that_is_told_to_die(
    step: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With PITBOSS_DIE_AT a process starts in a test house only; elsewhere it ends with a sentence that names it."""
    monkeypatch.setenv("PITBOSS_DIE_AT", step)
    assert server.serve("echo", echo.given(scripted_decks=False), echo.build) == 2
    line = json.loads(capfd.readouterr().err.splitlines()[-1])
    assert line["event"] == "cannot start"
    assert line["reason"].startswith("PITBOSS_DIE_AT")
    failpoints.check(echo.given(scripted_decks=True))


def test_every_method_of_a_service_must_name_its_roles() -> None:
    """A method without a line in the access table stops the process at its start."""
    whole = echo.service()
    part = server.Service(whole.descriptor, whole.register, {"Say": (Role.PLAYER,)})
    with pytest.raises(AssertionError, match=r"Audit.*Watch"):
        part.paths()


async def test_a_background_loop_is_started_again_after_it_fails() -> None:
    """A loop that raises twice runs a third time, and ends with the process."""
    runs, third = 0, asyncio.Event()

    async def work() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise RuntimeError("fails at first")
        third.set()
        await asyncio.Event().wait()

    loops = background.Background()
    loops.start("test", work)
    async with asyncio.timeout(60):
        await third.wait()
        await loops.close(1)
    assert runs == 3


async def test_a_background_loop_that_loses_a_cancellation_is_cancelled_again() -> None:
    """A library may swallow a cancellation; the loop ends all the same, long before the bound."""
    swallowed = 0

    async def stubborn() -> None:
        nonlocal swallowed
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed += 1
                if swallowed > 2:
                    raise

    loops = background.Background()
    loops.start("stubborn", stubborn)
    await waits.turns()
    async with asyncio.timeout(20):
        await loops.close(30)
    assert swallowed == 3
