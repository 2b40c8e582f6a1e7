"""A server process of this machine: found, started, watched and ended by its process id."""

import abc
import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Final

import psutil

from services.localhouse import accounts, claims

Progress = Callable[[str], None]

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_TRIES: Final = 4
_POLL_SECONDS: Final = 0.05
LOG_TAIL: Final = 2000


class EmbeddedError(Exception):
    """A server could not be started or stopped; the message holds the end of its own log."""


class Daemon(abc.ABC):
    """A server with its data in a folder; the base class of the kinds of servers."""

    name: str
    program: str

    def __init__(
        self,
        folder: Path | str,
        port: int | None = None,
        *,
        settings: Mapping[str, str] | None = None,
        progress: Progress | None = None,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.folder = Path(folder).absolute()
        self.port = port
        self.settings = dict(settings or {})
        self._tell: Progress = progress or (lambda _: None)
        self._seconds = start_seconds
        self._process: psutil.Process | None = None
        self._claim: claims.FolderClaim | None = None
        self._account = accounts.Account(None)
        self._place = self.folder

    @property
    def pid(self) -> int:
        """The server's process id. Raises EmbeddedError when it was not started."""
        if self._process is None:
            raise EmbeddedError(f"{self.name} in {self.folder} is not running; start it first")
        return int(self._process.pid)

    @property
    def running(self) -> bool:
        """Return whether the server's process runs."""
        return self._process is not None and _lives(self._process)

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self._place / "log"

    def start(self) -> str:
        """Start the server, or adopt one that already serves this folder. Return its URL.

        The port stays the same for all starts of this object. Raises EmbeddedError (the folder is in use by
        another living process, the port is taken, the server did not answer in time).
        """
        if self.running:
            return self.url
        until = time.monotonic() + self._seconds
        try:
            self._account = accounts.choose(self.folder)
            self._place = accounts.usable_folder(self.folder, self._account, self._tell)
            self._claim = self._claim or claims.FolderClaim(self._place, self.folder)
            self._prepare()
            self._process = self._found()
            if self._process is None:
                self._launch(until)
            self._await(until)
            self._finish()
        except (accounts.AccountError, claims.ClaimError) as error:
            self.release()
            raise EmbeddedError(str(error)) from error
        except BaseException:
            self.stop(immediate=True)
            raise
        self._tell(f"{self.name} serves 127.0.0.1:{self.port}")
        return self.url

    def stop(self, *, immediate: bool = False) -> None:
        """Stop the server by its process id and wait for its end; ``immediate``: as in a power failure."""
        process, self._process = self._process, None
        try:
            if process is not None:
                self._end(process, self._immediate_signal if immediate else self._stop_signal)
        finally:
            self.release()

    def release(self) -> None:
        """Detach: keep the server running, so that the next start of the folder adopts it."""
        claim, self._claim = self._claim, None
        if claim is not None:
            claim.release()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- the differences between the two servers ---------------------------------------------------------------

    _stop_signal: signal.Signals
    _immediate_signal: signal.Signals

    @property
    @abc.abstractmethod
    def url(self) -> str:
        """The URL of the server for clients, including its password."""

    @abc.abstractmethod
    def _prepare(self) -> None:
        """Make the data folder on the first start."""

    @abc.abstractmethod
    def _recorded_pid(self) -> int | None:
        """Return the process id that an earlier start recorded."""

    @abc.abstractmethod
    def _command(self) -> tuple[list[str], bytes]:
        """Return the command line and the text for the server's standard input."""

    @abc.abstractmethod
    def _answers(self) -> bool:
        """Return whether the server answers a client."""

    def _finish(self) -> None:  # noqa: B027 - Redis needs nothing more
        """Do the set-up that needs a running server."""

    # -- starting and ending -----------------------------------------------------------------------------------

    def _found(self) -> psutil.Process | None:
        """Find a server of an earlier start that still runs on this folder; a stale process id does not count."""
        pid = self._recorded_pid()
        if pid is None:
            return None
        try:
            process = psutil.Process(pid)
            ours = process.name().startswith(self.program) and Path(process.cwd()).is_relative_to(self._place)
        except (psutil.Error, OSError):
            return None
        if not ours:
            return None
        self._tell(f"{self.name} of an earlier start still runs as process {pid}")
        return self._adopted(process)

    def _adopted(self, process: psutil.Process) -> psutil.Process | None:
        self._end(process, self._stop_signal)
        return None

    def _launch(self, until: float) -> None:
        chosen = self.port
        for attempt in range(_TRIES):
            if chosen is not None and not claims.is_free(chosen):
                time.sleep(0.2 * (attempt + 1))
                continue
            self.port = chosen or claims.free_port()
            command, said = self._command()
            with self.log.open("ab") as log:
                self._process = psutil.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    cwd=self._place,
                    start_new_session=True,
                    **self._account.spawning(),
                )
            stdin: IO[bytes] = self._process.stdin
            with contextlib.suppress(BrokenPipeError), stdin:
                stdin.write(said)
            while _lives(self._process) and not self._answers() and time.monotonic() < until:
                time.sleep(_POLL_SECONDS)
            if _lives(self._process) or time.monotonic() >= until:
                return
            # A crashed server's children may hold the folder, or another process the port, a little longer.
            self._process = None
            time.sleep(0.2 * (attempt + 1))
        if chosen is not None and not claims.is_free(chosen):
            message = f"{self.name} cannot start: port {chosen} is taken by another process; name another port"
            raise EmbeddedError(message)
        raise EmbeddedError(f"{self.name} ended at once on port {self.port}; the end of its log:\n{self._tail()}")

    def _await(self, until: float) -> None:
        while not self._answers():
            if time.monotonic() >= until:
                message = f"{self.name} did not answer within {self._seconds:.0f} s; its log ends:\n{self._tail()}"
                raise EmbeddedError(message)
            time.sleep(_POLL_SECONDS)

    def _end(self, process: psutil.Process, how: signal.Signals) -> None:
        for order, seconds in ((how, STOP_SECONDS), (signal.SIGKILL, 5.0)):
            try:
                process.send_signal(order)
                process.wait(seconds)
            except psutil.NoSuchProcess:
                return
            except (psutil.TimeoutExpired, subprocess.TimeoutExpired):
                continue
            return
        raise EmbeddedError(f"{self.name}, process {process.pid}, does not end")

    def _tail(self) -> str:
        return self.log.read_text(errors="replace")[-LOG_TAIL:] if self.log.exists() else "(there is no log)"

    def _password(self) -> str:
        """Return the password that is stored beside the data. The first start makes it."""
        path = self._place / "password"
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(16))
            self._account.own(path)
        return path.read_text()


def _lives(process: psutil.Process) -> bool:
    if isinstance(process, psutil.Popen) and process.poll() is not None:
        return False
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
