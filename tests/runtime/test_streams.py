"""Streams at the gate: they end with their token, are bounded, and a client that leaves is no error of the house."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue

from services.rules.refusals import Reason, Refused
from services.runtime import identity, interceptor, metrics, server, streams
from services.runtime.identity import Caller, Identity, Role
from tests.runtime.test_gate import refusal
from tests.support import echo, waits

PATH = f"/{echo.NAME}/Watch"
CALLS, CONNECTIONS = 60, 40
"""Calls that a flooded process takes, and connections that each send as many."""
STAY = StringValue(value="stay")


@asynccontextmanager
async def serving(**settings: object) -> AsyncIterator[grpc.aio.Channel]:
    """Serve an echo; yields a channel to it."""
    async with (
        server.running("echo", echo.given(**settings), echo.build) as run,
        grpc.aio.insecure_channel(f"127.0.0.1:{run.port}") as channel,
    ):
        yield channel


async def opened(channel: grpc.aio.Channel, subject: str, role: Role = Role.PLAYER) -> Any:
    """Open a stream that stays open and read its first message."""
    stream = echo.watch_on(channel)(STAY, metadata=[echo.bearer(role, subject)])
    assert (await stream.read()).value == "0"
    return stream


async def test_a_stream_ends_when_its_token_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the token's end comes UNAUTHENTICATED with the version to resume from, and not before."""
    monkeypatch.setattr(identity, "LEEWAY_SECONDS", 0)
    async with serving() as channel:
        short = echo.watch_on(channel)(STAY, metadata=[echo.bearer(seconds=2)])
        long = await opened(channel, "bob")
        async with asyncio.timeout(20):
            code, info, _ = await refusal(_whole(short))
        assert (code, info.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
        assert info.metadata["version"] == "2"
        assert not long.done()
        long.cancel()


async def _whole(stream: Any) -> list[str]:
    return [message.value async for message in stream]


async def test_one_caller_has_a_bounded_number_of_streams() -> None:
    """The stream beyond the bound is refused with a pause; others open theirs; a closed one makes room."""
    async with serving(streams_per_caller=3) as channel:
        held = [await opened(channel, "ann") for _ in range(3)]
        code, info, status = await refusal(opened(channel, "ann"))
        assert (code, info.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_REQUESTS")
        assert info.metadata["most"] == "3"
        assert any(detail.TypeName() == "google.rpc.RetryInfo" for detail in status.details)
        held.append(await opened(channel, "bob"))
        held.extend([await opened(channel, "gateway", Role.SERVICE) for _ in range(5)])
        held.pop(0).cancel()
        held[0] = await waits.answered(lambda: opened(channel, "ann"), grpc.aio.AioRpcError, seconds=10)
        for stream in held:
            stream.cancel()


async def test_streams_leave_room_for_calls() -> None:
    """However many callers open streams, a quarter of what a process takes is kept for calls."""
    async with serving(concurrent_calls=8) as channel:
        held = [await opened(channel, f"p{at}") for at in range(6)]
        _, info, _ = await refusal(opened(channel, "late"))
        assert info.reason == "TOO_MANY_REQUESTS"
        answer = await echo.say_on(channel)(StringValue(value="hello"), metadata=[echo.bearer()])
        assert answer.value == "ann: hello"
        for stream in held:
            stream.cancel()


async def test_overload_is_told_to_all_and_nobody_is_cancelled() -> None:
    """Of far more calls at once than a process takes each is answered or learns why not, however fast they come."""
    outcomes: Counter[str] = Counter()
    request, metadata = StringValue(value="wait 0.5"), [echo.bearer()]
    async with (
        server.running("echo", echo.given(concurrent_calls=CALLS, call_seconds=60), echo.build) as run,
        AsyncExitStack() as stack,
    ):
        where = f"127.0.0.1:{run.port}"
        connections = [
            await stack.enter_async_context(grpc.aio.insecure_channel(where, options=[("test.number", number)]))
            for number in range(CONNECTIONS)
        ]

        async def call(channel: grpc.aio.Channel) -> None:
            try:
                await echo.say_on(channel)(request, metadata=metadata, timeout=60)
                outcomes["OK"] += 1
            except grpc.aio.AioRpcError as error:
                outcomes[error.code().name] += 1

        await asyncio.gather(*(call(connections[number % CONNECTIONS]) for number in range(CONNECTIONS * CALLS)))
    assert set(outcomes) == {"OK", "RESOURCE_EXHAUSTED"}, outcomes
    assert outcomes["OK"] >= CALLS


class Details(NamedTuple):
    """What grpc tells an interceptor of a call."""

    method: str


class Left:
    """A call whose client leaves while a message is written: grpc fails the write in one of its ways."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.aborted = False

    def invocation_metadata(self) -> list[tuple[str, str]]:
        """Return the caller's token."""
        return [echo.bearer()]

    async def write(self, message: object) -> None:
        """Fail."""
        del message
        raise self._error

    async def abort(self, *status: object) -> None:
        """Take note that the house has refused."""
        del status
        self.aborted = True


@pytest.mark.parametrize(
    "error",
    [grpc.aio.InternalError("Failed execute_batch"), grpc.aio.UsageError("RPC already finished.")],
    ids=["batch", "finished"],
)
async def test_a_client_that_leaves_in_mid_message_is_no_error(error: Exception) -> None:
    """Whatever the failed write raises, the call counts as cancelled and no significant event is recorded."""
    told: list[tuple[str, ...]] = []
    entry = interceptor.Gate(
        Identity(echo.given()), {PATH: frozenset(Role)}, 10, 60, observer=lambda *what: told.append(what)
    )
    inner = grpc.unary_stream_rpc_method_handler(echo.watch, StringValue.FromString, StringValue.SerializeToString)

    async def found(_: object) -> Any:
        return inner

    details: Any = Details(PATH)  # grpc's own class cannot be made
    wrapped = await entry.intercept_service(found, details)
    before, rpc = _counted(), Left(error)
    with pytest.raises(asyncio.CancelledError):
        await wrapped.unary_stream(STAY.SerializeToString(), rpc)
    assert (told, rpc.aborted, len(echo.watching)) == ([], False, 0)
    assert _counted() == (before[0] + 1, before[1])


def _counted() -> tuple[float, float]:
    """Count the streams of the echo that were cancelled, and those that failed."""
    return _answered("CANCELLED"), _answered("INTERNAL")


def _answered(code: str) -> float:
    labels = {"service": "Echo", "method": "Watch", "code": code}
    return metrics.REGISTRY.get_sample_value("pitboss_requests_total", labels) or 0.0


def test_the_count_of_streams_returns_to_nothing() -> None:
    """Streams that end, also those that were refused, leave nothing counted."""
    load, ann = streams.Load(8, 2), Caller("ann", Role.PLAYER)
    for _ in range(50):
        with load.stream(ann), load.stream(ann), pytest.raises(Refused) as caught, load.stream(ann):
            pass
        assert caught.value.reason is Reason.TOO_MANY_REQUESTS
    with load.stream(ann):
        pass


def test_what_one_caller_holds_open_is_counted_while_it_is_open() -> None:
    """An end makes room for one, whatever else is open; of a caller without streams nothing is kept."""
    callers = streams.PerCaller(2, "two at most", {"most": 2})
    ann, bob = (Caller(subject=name, role=Role.PLAYER) for name in ("ann", "bob"))
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(callers.hold(ann))
        second.enter_context(callers.hold(ann))
        for _ in range(2):
            assert _is_full(callers, ann)
            assert not _is_full(callers, bob)
            second.close()
            assert not _is_full(callers, ann)
            second.enter_context(callers.hold(ann))
        assert _is_full(callers, ann)
    assert not callers


def _is_full(callers: streams.PerCaller, who: Caller) -> bool:
    """Return whether a caller may open no more; what it may open is closed again."""
    try:
        with callers.hold(who):
            return False
    except Refused as refusal:
        assert refusal.reason is Reason.TOO_MANY_REQUESTS
        return True
