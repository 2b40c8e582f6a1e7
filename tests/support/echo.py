"""A small gRPC service for the tests of the runtime: it answers, waits, streams or fails as the request says."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
import psycopg
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.wrappers_pb2 import StringValue

from services.rules.refusals import Reason, Refused
from services.runtime import context, server, settings
from services.runtime.identity import Caller, Identity, Role

SECRET = "a secret of the tests, long enough for HS256"
NAME = "pitboss.test.Echo"


def _descriptor() -> Any:
    pool = descriptor_pool.Default()
    try:
        return pool.FindServiceByName(NAME)
    except KeyError:
        pass
    file = descriptor_pb2.FileDescriptorProto(
        name="pitboss/test/echo.proto",
        package="pitboss.test",
        syntax="proto3",
        dependency=["google/protobuf/wrappers.proto"],
    )
    service = file.service.add(name="Echo")
    for name, streams in (("Say", False), ("Audit", False), ("Watch", True)):
        service.method.add(
            name=name,
            input_type=".google.protobuf.StringValue",
            output_type=".google.protobuf.StringValue",
            server_streaming=streams,
        )
    pool.Add(file)
    return pool.FindServiceByName(NAME)


FAILURES: dict[str, BaseException] = {
    "problem": Refused(Reason.TABLE_NOT_FOUND, "no table 7", metadata={"table": 7}, fields=[("table", "unknown")]),
    "refused": Refused(Reason.OUT_OF_TURN, "seat 2 is to act, not seat 1"),
    "crash": RuntimeError("the password is hunter2"),
    "away": psycopg.OperationalError("connection to 10.0.0.7 failed"),
    "timeout": TimeoutError("something inside took long"),
}


async def say(request: StringValue, _: Any) -> StringValue:
    """Answer with who asks and what; fail or wait when told to."""
    word, _, rest = request.value.partition(" ")
    if word == "fail":
        raise FAILURES[rest]
    if word == "wait":
        await asyncio.sleep(float(rest))
    return StringValue(value=f"{context.caller().subject}: {request.value}")


watching: set[object] = set()
"""Streams whose handler has not been closed yet."""


async def watch(request: StringValue, _: Any) -> AsyncIterator[StringValue]:
    """Stream numbers: a given count at once, then wait without end; fail on request."""
    stream = object()
    watching.add(stream)
    word, _, rest = request.value.partition(" ")
    try:
        for number in range(int(rest) if word == "count" else 3):
            context.current().resume["version"] = number
            yield StringValue(value=str(number))
        if word == "fail":
            raise FAILURES[rest]
        if word != "count":
            await asyncio.Event().wait()
    finally:
        watching.remove(stream)


def service(saying: Any = say) -> server.Service:
    """Return the service: players and operators may say and watch, auditors may audit."""
    unary = {"Say": saying, "Audit": say}
    handlers: dict[str, Any] = {
        name: grpc.unary_unary_rpc_method_handler(behaviour, StringValue.FromString, StringValue.SerializeToString)
        for name, behaviour in unary.items()
    }
    handlers["Watch"] = grpc.unary_stream_rpc_method_handler(
        watch, StringValue.FromString, StringValue.SerializeToString
    )
    generic = grpc.method_handlers_generic_handler(NAME, handlers)
    everyone = (Role.PLAYER, Role.OPERATOR, Role.SERVICE)
    return server.Service(
        _descriptor(),
        lambda running: running.add_generic_rpc_handlers((generic,)),
        {"Say": everyone, "Watch": everyone, "Audit": (Role.AUDITOR,)},
        {"Audit": 30.0},
    )


@asynccontextmanager
async def build(_: server.Process) -> AsyncIterator[Sequence[server.Service]]:
    """Build a process that serves the echo and nothing else."""
    yield [service()]


def given(**more: object) -> settings.Settings:
    """Return settings for a test: free ports, quick drain."""
    base: dict[str, object] = {
        "listen": "127.0.0.1:0",
        "metrics_listen": "127.0.0.1:0",
        "jwt_secret": SECRET,
        "drain_notice_seconds": 0,
        "drain_seconds": 0.5,
    }
    return settings.load(**(base | more))


def bearer(role: Role = Role.PLAYER, subject: str = "ann", seconds: float = 60, **more: Any) -> tuple[str, str]:
    """Return metadata with a token."""
    token = Identity(given()).mint(Caller(subject, role, **more), seconds)
    return "authorization", f"Bearer {token}"


def say_on(channel: grpc.aio.Channel, method: str = "Say") -> Any:
    """Return the unary call of a channel; it also takes bytes as they are."""
    return channel.unary_unary(
        f"/{NAME}/{method}",
        lambda sent: sent if isinstance(sent, bytes) else sent.SerializeToString(),
        StringValue.FromString,
    )


def watch_on(channel: grpc.aio.Channel) -> Any:
    """Return the streaming call of a channel."""
    return channel.unary_stream(f"/{NAME}/Watch", StringValue.SerializeToString, StringValue.FromString)
