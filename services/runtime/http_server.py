"""An HTTP server within a process, for pages that browsers load; it starts, is probed and drains with the process."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import uvicorn
from starlette.applications import Starlette

from services.runtime.server import Process
from services.runtime.settings import PREFIX, Settings, SettingsRefused, address

MOST_CONNECTIONS: Final = 2_000
IDLE_SECONDS: Final = 15
MOST_HEAD_BYTES: Final = 16_384


@asynccontextmanager
async def serving(process: Process, application: Starlette, setting: str, what: str) -> AsyncIterator[str]:
    """Serve an application at the address of a setting, until the block ends. Yield its URL.

    ``what`` names it among the probes of the process. Raises SettingsRefused where the address cannot be taken.
    """
    settings = process.settings
    with _socket(settings, setting) as listening:
        server = _Server(
            uvicorn.Config(
                application,
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_keep_alive=IDLE_SECONDS,
                h11_max_incomplete_event_size=MOST_HEAD_BYTES,
                ssl_certfile=settings.tls_certificate_file,
                ssl_keyfile=settings.tls_key_file,
            )
        )
        running = asyncio.create_task(server.serve([listening]))
        process.probe(what, server.probe)
        scheme = "https" if settings.tls_certificate_file else "http"
        host, port = listening.getsockname()[:2]
        try:
            yield f"{scheme}://{host}:{port}"
        finally:
            server.should_exit = True
            await asyncio.wait({running}, timeout=settings.drain_seconds)


class _Server(uvicorn.Server):
    """A server whose signals are its process's own concern."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    async def probe(self) -> None:
        """Raise ConnectionError while nothing is served."""
        if not self.started or self.should_exit:
            raise ConnectionError


def _socket(settings: Settings, setting: str) -> socket.socket:
    given = getattr(settings, setting)
    host, port = address(given, setting)
    try:
        return socket.create_server((host.strip("[]"), port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsRefused(f"{PREFIX}{setting.upper()}: cannot listen on {given}: {error.strerror}") from None
