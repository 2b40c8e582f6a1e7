"""``pitboss serve gateway``: writes Envoy's configuration, watches over Envoy, drains it."""

import asyncio
import signal
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final

from services.gateway import configuration, envoy
from services.runtime import logs, server
from services.runtime.last_resort import LastResort
from services.runtime.settings import Settings, SettingsRefused

log = logs.get("gateway")
NAME: Final = "gateway"
STOP_SECONDS: Final = 5.0
"""After the drain: time for Envoy itself to end."""


def serve(settings: Settings) -> int:
    """Run the gateway until SIGTERM or SIGINT. Return the exit code: 1 if Envoy ended by itself."""
    logs.set_up(settings.log_level, settings.log_format, NAME)
    end = LastResort()
    try:
        asyncio.run(_until_told(settings, end))
    except SettingsRefused as error:
        log.error("cannot start", reason=str(error))  # noqa: TRY400 - the sentence says it all
        return 2
    except envoy.EnvoyEnded as error:
        log.error("stopped", reason=str(error))  # noqa: TRY400 - as above
        return 1
    except asyncio.CancelledError:
        log.info("stopped while starting")
    finally:
        end.call_off()
    return 0


async def _until_told(settings: Settings, end: LastResort) -> None:
    told, loop, main = asyncio.Event(), asyncio.get_running_loop(), asyncio.current_task()
    serving = False

    def on_signal(number: signal.Signals) -> None:
        log.info("signal", signal=number.name)
        if not serving or told.is_set():
            assert main is not None
            main.cancel()
        end.within(settings.drain_notice_seconds + settings.drain_seconds + STOP_SECONDS)
        told.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal, number)
    with tempfile.TemporaryDirectory(prefix="pitboss-gateway-") as folder:
        running = envoy.Envoy(Path(folder), settings.gateway_threads, settings.log_level)
        try:
            made = configuration.bootstrap(settings, str(running.admin))
            ports = await running.start(made, (configuration.LISTENER, configuration.METRICS))
            serving = True
            log.info("serving", port=ports[0], metrics_port=ports[1])
            if settings.ready_file is not None:
                server.write_ready(settings.ready_file, NAME, ports[0], ports[1])
            await _first(told.wait(), running.ended())
            await running.drain(settings.drain_notice_seconds, settings.drain_seconds)
        finally:
            await running.stop()
    log.info("stopped")


async def _first(*awaited: Coroutine[Any, Any, object]) -> None:
    """Wait for the first of them, and raise what it raises."""
    tasks = [asyncio.create_task(one) for one in awaited]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
