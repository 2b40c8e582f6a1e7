"""One process: ``serve`` starts it, waits for SIGTERM or SIGINT, drains it and closes its resources."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import grpc
import msgspec
import uvloop
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from services.runtime import background, collector, failpoints, health, interceptor, logs, metrics, quotas, streams, tls
from services.runtime.clock import HouseClock
from services.runtime.identity import Identity, Role
from services.runtime.last_resort import LastResort
from services.runtime.quotas import Kind, Quotas
from services.runtime.settings import Settings, SettingsRefused, address

log = logs.get("server")
_STOP_MARGIN = 2.0
"""Seconds after the drain in which a process closes its resources; then it ends in any case."""
CONNECTION_AGE_SECONDS = 3600
"""Seconds after which a connection takes no further calls; running ones continue."""
HURRY_SECONDS = 1.0
"""Seconds that a process has to end after a second signal."""
MOST_PENDING = 16_000
"""Maximum calls that have arrived and were not yet taken by the process."""
_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


class Service(msgspec.Struct, frozen=True):
    """One gRPC service: its descriptor, the function that adds it to a server, and the roles of each method.

    ``seconds`` names the methods that may take longer than ``call_seconds`` (a replay, a check of the whole log);
    ``haste`` those whose kind differs from the default (``quotas.kind_of``).
    """

    descriptor: ServiceDescriptor
    register: Callable[[grpc.aio.Server], None]
    access: Mapping[str, Iterable[Role]]
    seconds: Mapping[str, float] = {}
    haste: Mapping[str, Kind] = {}

    def paths(self) -> dict[str, frozenset[Role]]:
        """Return each method's path with its roles; the table must list exactly the methods of the service."""
        methods = {method.name for method in self.descriptor.methods}
        assert methods == set(self.access), (
            f"{self.descriptor.full_name}: methods without roles, or roles without methods:"
            f" {sorted(methods ^ set(self.access))}"
        )
        assert set(self.seconds) <= methods, f"bounds for methods that are not there: {set(self.seconds) - methods}"
        return {f"/{self.descriptor.full_name}/{name}": frozenset(roles) for name, roles in self.access.items()}

    def bounds(self) -> dict[str, float]:
        """Return the seconds of each path that has a bound of its own."""
        return {f"/{self.descriptor.full_name}/{name}": seconds for name, seconds in self.seconds.items()}

    def kinds(self) -> dict[str, Kind]:
        """Return the kind of each path's method."""
        known = self.descriptor.methods_by_name
        assert set(self.haste) <= set(known), f"kinds of methods that are not there: {set(self.haste) - set(known)}"
        return {
            f"/{self.descriptor.full_name}/{name}": self.haste.get(name, quotas.kind_of(method))
            for name, method in known.items()
        }


class Process:
    """The parts that a service is built with: settings, identity, background work, probes, the stop event."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name, self.settings = name, settings
        self.identity = Identity(settings)
        self.stopping = asyncio.Event()
        self.health = health.Health()
        self.clock = HouseClock(settings.clock_tolerance_seconds)
        self.observer: interceptor.Observer | None = None
        """Receives refused sign-ins and errors; set while the process is built."""
        self._work = background.Background()

    def background(self, name: str, work: background.Work) -> None:
        """Run a loop until the process stops (``background.Background.start``)."""
        self._work.start(name, work)

    def probe(self, name: str, probe: health.Probe) -> None:
        """Probe a resource that this process needs (``health.Health.add_probe``)."""
        self.health.add_probe(name, probe)

    async def close(self, seconds: float) -> None:
        """End the background work."""
        await self._work.close(seconds)


Build = Callable[[Process], AbstractAsyncContextManager[Sequence[Service]]]
"""Opens a process's resources, yields its services, and closes everything once the server has stopped."""


class Running:
    """A serving process: its addresses, and how it is stopped."""

    def __init__(
        self, process: Process, server: grpc.aio.Server, entry: interceptor.Gate, ports: tuple[int, int]
    ) -> None:
        self.process = process
        self.port, self.metrics_port = ports
        self._server, self._gate = server, entry

    async def drain(self) -> None:
        """Report NOT_SERVING, wait for balancers, end streams and loops, let calls finish. Each step is bounded."""
        settings = self.process.settings
        await self.process.health.stop()
        log.info("draining", notice=settings.drain_notice_seconds, bound=settings.drain_seconds)
        await asyncio.sleep(settings.drain_notice_seconds)
        self.process.stopping.set()
        self._gate.end_streams()
        await asyncio.gather(self._stop(settings.drain_seconds), self.process.close(settings.drain_seconds))

    async def hurry(self) -> None:
        """Cut off what still runs."""
        self._gate.end_streams()
        await self._stop(0)

    async def _stop(self, grace: float) -> None:
        try:
            async with asyncio.timeout(grace + _STOP_MARGIN):
                await self._server.stop(grace)
        except TimeoutError:
            log.warning("calls did not end in time and are left", bound=grace)


@asynccontextmanager
async def running(name: str, settings: Settings, build: Build) -> AsyncIterator[Running]:
    """Run a process within this event loop; it drains when the block ends. Raises ``SettingsRefused`` in words."""
    process = Process(name, settings)
    metrics.describe(name)
    endpoint = health.Endpoint(*address(settings.metrics_listen, "metrics_listen"), process.health)
    try:
        async with quotas.opened(settings) as hastes, build(process) as services:
            server, entry, port = _server(process, services, hastes)
            await server.start()
            run = Running(process, server, entry, (port, endpoint.port))
            try:
                await _announce(run, [service.descriptor.full_name for service in services])
                yield run
            finally:
                await run.drain()
    finally:
        endpoint.close()
        log.info("stopped")


def _server(
    process: Process, services: Sequence[Service], hastes: Quotas
) -> tuple[grpc.aio.Server, interceptor.Gate, int]:
    settings = process.settings
    access = {path: roles for service in services for path, roles in service.paths().items()}
    access[_REFLECTION] = frozenset(Role)
    bounds = {path: seconds for service in services for path, seconds in service.bounds().items()}
    kinds = {path: kind for service in services for path, kind in service.kinds().items()}
    entry = interceptor.Gate(
        process.identity,
        access,
        settings.call_seconds,
        settings.stream_seconds,
        bounds,
        process.observer,
        hastes,
        kinds,
        streams.Load(settings.concurrent_calls, settings.streams_per_caller),
        process.clock,
    )
    server = grpc.aio.server(
        interceptors=[entry], options=_options(settings), maximum_concurrent_rpcs=2 * settings.concurrent_calls
    )
    health_pb2_grpc.add_HealthServicer_to_server(process.health.servicer, server)
    for service in services:
        service.register(server)
    names = [service.descriptor.full_name for service in services]
    health_name = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
    reflection.enable_server_reflection([*names, health_name, reflection.SERVICE_NAME], server)
    credentials = tls.server_credentials(settings)
    try:
        if credentials is None:
            port = server.add_insecure_port(settings.listen)
        else:
            port = server.add_secure_port(settings.listen, credentials)
    except RuntimeError:
        raise SettingsRefused(
            f"PITBOSS_LISTEN: cannot listen on {settings.listen}; is another process there, or the certificate wrong?"
        ) from None
    return server, entry, port


def _options(settings: Settings) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # two processes on one port are a mistake that must be noticed
        ("grpc.max_receive_message_length", settings.message_bytes),
        ("grpc.max_send_message_length", settings.message_bytes),
        ("grpc.server_handshake_timeout_ms", int(settings.handshake_seconds * 1000)),
        ("grpc.max_connection_idle_ms", int(settings.idle_seconds * 1000)),
        ("grpc.max_connection_age_ms", CONNECTION_AGE_SECONDS * 1000),  # clients reconnect, also to new replicas
        ("grpc.max_connection_age_grace_ms", int(settings.stream_seconds * 1000)),
        # More than the gate takes, for grpc resets what goes beyond this, and the gate says that it is too much.
        ("grpc.max_concurrent_streams", 2 * settings.concurrent_calls),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.ping_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Calls that arrive faster than they are taken wait in grpc itself. Beyond 1,000 it would cancel some by chance,
        # and their callers would not learn that the house is overloaded: here they all reach the gate, which says so.
        ("grpc.server.max_pending_requests", MOST_PENDING),
        ("grpc.server.max_pending_requests_hard_limit", MOST_PENDING),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ]


async def _announce(run: Running, names: Sequence[str]) -> None:
    process = run.process
    process.background("health", process.health.watch)
    process.background("heartbeat", process.health.beat)
    await process.health.start(names)
    log.info("serving", port=run.port, metrics_port=run.metrics_port, services=list(names))
    if process.settings.ready_file is not None:
        write_ready(process.settings.ready_file, process.name, run.port, run.metrics_port)


def write_ready(path: Path, name: str, port: int, metrics_port: int) -> None:
    """Write the file that says that a process serves, whole or not at all."""
    told = {"pid": os.getpid(), "port": port, "metrics_port": metrics_port, "process": name}
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(json.dumps(told), encoding="utf-8")
    draft.replace(path)


def serve(name: str, settings: Settings, build: Build) -> int:
    """Run a process until SIGTERM or SIGINT (a second one cuts off what still runs); return its exit code.

    A process that was asked to stop and has not ended within its bound exits with ``last_resort.EXIT_CODE``.
    """
    logs.set_up(settings.log_level, settings.log_format, name)
    end = LastResort()
    factory = uvloop.new_event_loop if settings.event_loop == "uvloop" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        try:
            failpoints.check(settings)
            runner.run(_until_told(name, settings, build, end))
        except SettingsRefused as error:
            log.error("cannot start", reason=str(error))  # noqa: TRY400 - the sentence says it all
            return 2
        except asyncio.CancelledError:
            log.info("stopped while starting")
        finally:
            end.call_off()
    return 0


async def _until_told(name: str, settings: Settings, build: Build, end: LastResort) -> None:
    told, loop, main = asyncio.Event(), asyncio.get_running_loop(), asyncio.current_task()
    run: Running | None = None
    hurrying: list[asyncio.Task[None]] = []

    def on_signal(number: signal.Signals) -> None:
        log.info("signal", signal=number.name)
        if run is None:
            assert main is not None
            main.cancel()
            end.within(_STOP_MARGIN)
        elif told.is_set():
            hurrying.append(loop.create_task(run.hurry()))
            end.within(HURRY_SECONDS)
        else:
            end.within(settings.drain_notice_seconds + settings.drain_seconds + _STOP_MARGIN)
        told.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)
    async with running(name, settings, build) as started:
        run = started
        collector.relax()
        await told.wait()
