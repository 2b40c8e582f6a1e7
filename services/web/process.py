"""The composition root of the page's process: files and settings, but no database, no key and no way to the house."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.runtime import http_server, logs
from services.runtime.server import Process, Service
from services.web.site import Site

log = logs.get("web")


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build the process. Raises SettingsRefused."""
    application = Site(process.settings).application()
    async with http_server.serving(process, application, "web_listen", "page") as url:
        log.info("the page is served", url=url)
        yield []
