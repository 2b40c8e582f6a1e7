"""Health: ``grpc.health.v1`` for callers and balancers, ``/healthz`` beside ``/metrics`` for probes."""

import asyncio
import json
import threading
import wsgiref.types
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from grpc_health.v1 import health, health_pb2
from prometheus_client.exposition import CONTENT_TYPE_LATEST, ThreadingWSGIServer

from services.runtime import background, logs, metrics
from services.runtime.clock import ClockOffError
from services.runtime.settings import SettingsRefused

PROBE_SECONDS, PROBE_BOUND = 1.0, 2.0
"""Pause between two probes of a process's resources, and the bound on one probe."""
STUCK_SECONDS = 10.0
"""Seconds after which an event loop that has not run counts as stuck."""

log = logs.get("health")
Probe = Callable[[], Awaitable[None]]
_SERVING, _NOT = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


class Health:
    """Whether this process serves: it has started, is not stopping, and each of its probes succeeds."""

    def __init__(self) -> None:
        self.servicer: Any = health.aio.HealthServicer()  # type: ignore[attr-defined]  # not in the stubs
        self._probes: dict[str, Probe] = {}
        self._away: frozenset[str] = frozenset({"starting"})
        self._reasons: dict[str, str] = {}
        self._names: Sequence[str] = ()
        self._heart = background.Heartbeat()
        self._stopping = False

    def add_probe(self, name: str, probe: Probe) -> None:
        """Add a probe of a resource that this process needs (``database``); the probe raises while it is away."""
        self._probes[name] = probe

    async def start(self, names: Sequence[str]) -> None:
        """Report the health of these services (their full names) from now on."""
        self._names = names
        await self._show(await self._probe())

    async def stop(self) -> None:
        """Report NOT_SERVING from now on, because the process drains."""
        self._stopping = True
        self._away = frozenset({"stopping"})
        metrics.SERVING.set(0)
        await self.servicer.enter_graceful_shutdown()

    async def watch(self) -> None:
        """Probe until cancelled, and update the health."""
        while True:
            away = await self._probe()
            if not self._stopping and away != self._away:
                log.warning("health changed", away=sorted(away), serving=not away, reasons=self._reasons)
                await self._show(away)
            await asyncio.sleep(PROBE_SECONDS)

    async def beat(self) -> None:
        """Measure the event loop's lag until cancelled."""
        await self._heart.beat()

    async def _probe(self) -> frozenset[str]:
        """Return the names of the probes that fail, and store their reasons."""
        failed = {name: why for name, probe in self._probes.items() if (why := await _failure(name, probe)) is not None}
        self._reasons = {name: why for name, why in failed.items() if why}
        return frozenset(failed)

    def reasons(self) -> dict[str, str]:
        """Return why probes failed, by name, without anything confidential. Safe from any thread."""
        return self._reasons

    def missing(self) -> list[str]:
        """Return the names of what keeps this process from serving; empty if nothing does. Safe from any thread."""
        stuck = {"event loop"} if self._heart.age() > STUCK_SECONDS else set()
        return sorted(self._away | stuck)

    async def _show(self, away: frozenset[str]) -> None:
        self._away = away
        metrics.SERVING.set(0 if away else 1)
        for name in ("", *self._names):
            await self.servicer.set(name, _NOT if away else _SERVING)


async def _failure(name: str, probe: Probe) -> str | None:
    """Return why a probe failed, "" if the reason is confidential; None if it succeeded."""
    try:
        async with asyncio.timeout(PROBE_BOUND):
            await probe()
    except ClockOffError as error:
        return str(error)
    except Exception as error:  # any error means that the resource does not answer
        log.debug("probe failed", probe=name, cause=type(error).__name__)
        return ""
    return None


class Endpoint:
    """The HTTP server of a process: ``/metrics`` and ``/healthz``, on a thread of its own."""

    def __init__(self, host: str, port: int, state: Health) -> None:
        self._health = state
        try:
            self._server = make_server(
                host, port, self._answer, server_class=ThreadingWSGIServer, handler_class=_Silent
            )
        except OSError as error:
            raise SettingsRefused(f"PITBOSS_METRICS_LISTEN: cannot listen on {host}:{port}: {error.strerror}") from None
        self.port: int = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; takes up to a tenth of a second."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=2)

    def _answer(self, environ: wsgiref.types.WSGIEnvironment, start: wsgiref.types.StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == "/metrics":
            start("200 OK", [("Content-Type", CONTENT_TYPE_LATEST)])
            return [metrics.text()]
        if path == "/healthz":
            missing = self._health.missing()
            start("503 Service Unavailable" if missing else "200 OK", [("Content-Type", "application/json")])
            told = {"serving": not missing, "missing": missing}
            reasons = self._health.reasons()
            return [json.dumps(told | ({"reasons": reasons} if reasons else {})).encode()]
        start("404 Not Found", [("Content-Type", "text/plain")])
        return [b"/metrics or /healthz\n"]


class _Silent(WSGIRequestHandler):
    timeout = 5

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named so by the library
        """Log nothing: a scrape comes every few seconds."""
