"""The composition root of the console's process: sessions and channels, but no database and no token of its own."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.console.house import Channels
from services.console.sessions import Sessions
from services.console.site import Site
from services.runtime import http_server, logs
from services.runtime.server import Process, Service

log = logs.get("console")


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build the process. Raises SettingsRefused."""
    settings = process.settings
    channels = Channels(settings)
    try:
        site = Site(settings, Sessions(settings, process.identity), channels)
        async with http_server.serving(process, site.application(), "console_listen", "console") as url:
            log.info("the console is served", url=url)
            yield []
    finally:
        await channels.close()
