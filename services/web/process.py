"""The composition root of the page's process: files and settings, but no database, no key and no way to the house."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import uvicorn

from services.runtime import logs
from services.runtime.server import Process, Service
from services.runtime.settings import Settings, SettingsRefused, address
from services.web.site import Site

log = logs.get("web")
MOST_CONNECTIONS: Final = 2_000
IDLE_SECONDS: Final = 15
MOST_HEAD_BYTES: Final = 16_384


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build the process. Raises SettingsRefused."""
    settings = process.settings
    with _socket(settings) as listening:
        server = _Server(
            uvicorn.Config(
                Site(settings).application(),
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
        serving = asyncio.create_task(server.serve([listening]))
        process.probe("page", server.probe)
        scheme = "https" if settings.tls_certificate_file else "http"
        host, port = listening.getsockname()[:2]
        log.info("the page is served", url=f"{scheme}://{host}:{port}")
        try:
            yield []
        finally:
            server.should_exit = True
            await asyncio.wait({serving}, timeout=settings.drain_seconds)


class _Server(uvicorn.Server):
    """A server whose signals are this process's own concern."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone."""
        yield

    async def probe(self) -> None:
        """Raise ConnectionError while nothing is served."""
        if not self.started or self.should_exit:
            raise ConnectionError


def _socket(settings: Settings) -> socket.socket:
    host, port = address(settings.web_listen, "web_listen")
    try:
        return socket.create_server((host.strip("[]"), port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsRefused(f"PITBOSS_WEB_LISTEN: cannot listen on {settings.web_listen}: {error.strerror}") from None
