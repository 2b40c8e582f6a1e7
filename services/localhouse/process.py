"""One process of a house on this machine: started, waited for, found again after a crash, and ended by its id."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import psutil

from services.runtime import key_holders

START_SECONDS: Final = 45.0
STOP_SECONDS: Final = 20.0
_POLL_SECONDS: Final = 0.02


class HouseError(Exception):
    """The house could not be started; the message names the part and its log."""


class Ready(msgspec.Struct, frozen=True):
    """The ports of a serving process."""

    pid: int
    port: int
    metrics_port: int
    process: str


def left(folder: Path, name: str) -> Ready | None:
    """Find the process of that name that an earlier house in the folder left running; None where there is none."""
    file = folder / f"{name}.ready"
    try:
        ready = msgspec.json.decode(file.read_bytes(), type=Ready)
        lives = psutil.Process(ready.pid).environ().get("PITBOSS_READY_FILE") == str(file)
    except (OSError, msgspec.DecodeError, psutil.Error):
        return None
    return ready if lives else None


class Member:
    """One process of the house."""

    def __init__(self, name: str, arguments: list[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self._arguments = arguments
        self._folder = folder
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self.ready: Ready | None = None

    @property
    def address(self) -> str:
        """The address of its gRPC server."""
        assert self.ready is not None, f"{self.name} has not started"
        return f"127.0.0.1:{self.ready.port}"

    @property
    def listen(self) -> str:
        """The address that it serves, as its settings say; known before it has started."""
        return self._environment["PITBOSS_LISTEN"]

    @property
    def metrics_url(self) -> str:
        """The URL of its metrics."""
        assert self.ready is not None, f"{self.name} has not started"
        return f"http://127.0.0.1:{self.ready.metrics_port}/metrics"

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports that the process was started with; 0: any."""
        names = (f"PITBOSS_{what}" for what in ("LISTEN", "METRICS_LISTEN", "WEB_LISTEN", "CONSOLE_LISTEN"))
        wanted = (self._environment[name] for name in names if name in self._environment)
        return tuple(int(address.rpartition(":")[2]) for address in wanted)

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None, f"{self.name} has not started"
        return self._process.pid

    @property
    def log(self) -> Path:
        """The file of its log."""
        return self._folder / f"{self.name}.log"

    def end_orphan(self) -> int:
        """End this process of an earlier house that was killed. Return its id, 0 if there is none.

        Only for a house that holds the folder's claim, so that no other house runs there.
        """
        found = left(self._folder, self.name)
        if found is None:
            return 0
        try:
            process = psutil.Process(found.pid)
            process.terminate()
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)
        except psutil.Error:
            return 0
        return found.pid

    def launch(self, more: Mapping[str, str] | None = None) -> None:
        """Start the process; ``more`` is added to its environment this time only."""
        ready = self._folder / f"{self.name}.ready"
        ready.unlink(missing_ok=True)
        if self.ready is not None:  # a restart keeps the address
            self._environment["PITBOSS_LISTEN"] = self.address
        process = self._arguments[1]
        given = {**os.environ, **self._environment, "PITBOSS_READY_FILE": str(ready), **(more or {})}
        environment = {name: value for name, value in given.items() if key_holders.may_hold(process, name)}
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "services.cli.main", *self._arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait_ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until the process serves. Raises HouseError with the end of its log."""
        ready = self._folder / f"{self.name}.ready"
        until = time.monotonic() + seconds
        assert self._process is not None, f"{self.name} has not been launched"
        while not ready.exists():
            if self._process.poll() is not None or time.monotonic() > until:
                raise HouseError(f"{self.name} did not start; the end of its log:\n{self.tail()}")
            time.sleep(_POLL_SECONDS)
        self.ready = msgspec.json.decode(ready.read_bytes(), type=Ready)

    def start(self, more: Mapping[str, str] | None = None) -> None:
        """Start and wait until it serves."""
        self.launch(more)
        self.wait_ready()

    def running(self) -> bool:
        """Return whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def wait_ended(self, seconds: float = STOP_SECONDS) -> int:
        """Wait until the process has ended. Return its exit code."""
        assert self._process is not None, f"{self.name} has not been launched"
        return self._process.wait(seconds)

    def kill(self) -> None:
        """End it at once, as ``kill -9`` does."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """Ask the process to drain; kill it if it does not end in time."""
        self._signal(signal.SIGTERM)

    def _signal(self, how: signal.Signals) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(STOP_SECONDS)

    def tail(self) -> str:
        """Return the end of its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")[-2000:] if self.log.exists() else ""
