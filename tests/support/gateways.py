"""Envoy in front of processes of a test, configured as the gateway configures it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from services.gateway import configuration, envoy
from services.runtime import settings
from services.runtime.settings import Settings


class Gateway(NamedTuple):
    """A running Envoy and the ports of its listeners."""

    envoy: envoy.Envoy
    port: int
    metrics_port: int


def given(**more: Any) -> Settings:
    """Return settings of a gateway on free ports."""
    return settings.load(**{"listen": "127.0.0.1:0", "metrics_listen": "127.0.0.1:0", **more})


@asynccontextmanager
async def running(folder: Path, own: Settings) -> AsyncIterator[Gateway]:
    """Run Envoy by the settings of a gateway, its files in a folder, until the block ends."""
    started = envoy.Envoy(folder, 1, "warning")
    try:
        made = configuration.bootstrap(own, str(started.admin))
        port, metrics_port = await started.start(made, (configuration.LISTENER, configuration.METRICS))
        yield Gateway(started, port, metrics_port)
    finally:
        await started.stop()
