"""Real Postgres and Redis servers for tests: containers where a Docker daemon answers, otherwise embedded ones.

``PITBOSS_TEST_SERVERS`` set to ``docker`` or ``embedded`` decides instead. Each process of a run has servers of its
own, started when a test first asks for one. Whatever ends the process, a guard ends the embedded servers after it
and removes their folder. ``PITBOSS_TEST_POSTGRES`` and ``PITBOSS_TEST_REDIS`` name servers that run already, for one
process at a time: a superuser's URL with a database, and a URL without one.
"""

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psutil

from services.localhouse import embedded

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
"""Set before gRPC is imported: servers are started while calls run, and its handlers of a fork crash the child then."""

POSTGRES_IMAGE: Final = "postgres:18"
REDIS_IMAGE: Final = "valkey/valkey:8"
REDIS_DATABASES: Final = 64
DOCKER_SECONDS: Final = 2
POSTGRES_ENV: Final = "PITBOSS_TEST_POSTGRES"
REDIS_ENV: Final = "PITBOSS_TEST_REDIS"
TEMPLATE: Final = "pitboss_template"
"""The migrated database that those of the tests are copies of."""

POSTGRES_SETTINGS: Final = {
    "max_connections": "200",
    "shared_buffers": "64MB",
    "max_wal_size": "512MB",
    "autovacuum": "off",
    "jit": "off",
}
"""Small and steady, and as durable as any server: what a commit has answered is on the disk."""


class Nest:
    """A temporary folder for embedded servers, with a guard that outlives this process."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pitboss-test-"))
        self.folder.chmod(0o711)  # the servers' account must pass through
        self._guard = subprocess.Popen(
            [sys.executable, __file__, str(self.folder)], stdin=subprocess.PIPE, start_new_session=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait(30)


def guard(folder: Path) -> None:
    """Wait until the owner of the folder has gone, then end what still runs in it and remove it."""
    sys.stdin.buffer.read()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            serves = Path(process.environ().get("PITBOSS_READY_FILE", "/"))  # a process of a house, wherever it runs
            if Path(process.cwd()).is_relative_to(folder) or serves.is_relative_to(folder):
                process.kill()
    shutil.rmtree(folder, ignore_errors=True)


def docker_answers() -> bool:
    """Whether tests take containers: a Docker daemon answers within moments, and nobody decided otherwise."""
    wish = os.environ.get("PITBOSS_TEST_SERVERS", "")
    if wish not in {"", "docker", "embedded"}:
        raise ValueError(f"PITBOSS_TEST_SERVERS is {wish!r}; write docker, embedded or nothing")
    if wish:
        return wish == "docker"
    docker: Any = importlib.import_module("docker")  # slow to import, and most runs end before they need it
    try:
        with contextlib.closing(docker.from_env(timeout=DOCKER_SECONDS)) as client:
            return bool(client.ping())
    except Exception:  # whatever is wrong with Docker, embedded servers will do
        return False


def _postgres_container() -> Any:
    containers: Any = importlib.import_module("testcontainers.community.postgres")
    options = " ".join(f"-c {name}={value}" for name, value in POSTGRES_SETTINGS.items())
    names = dict.fromkeys(("username", "password", "dbname"), "pitboss")
    container = containers.PostgresContainer(POSTGRES_IMAGE, driver=None, **names)
    return container.with_command(f"postgres {options}")


def _redis_container() -> Any:
    containers: Any = importlib.import_module("testcontainers.community.redis")
    return containers.RedisContainer(REDIS_IMAGE).with_command(f"valkey-server --save '' --databases {REDIS_DATABASES}")


def _contained(make: Callable[[], Any]) -> Any:
    """Start a container; None where Docker has no image and can get none."""
    if not docker_answers():
        return None
    try:
        return make().start()
    except Exception as error:
        if os.environ.get("PITBOSS_TEST_SERVERS") == "docker":
            raise
        warnings.warn(f"Docker answers but starts no server ({error}); embedded ones are used", stacklevel=2)
        return None


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Run Postgres and yield the URL of its first database, whose user is superuser."""
    if running := os.environ.get(POSTGRES_ENV):
        yield running
        return
    container = _contained(_postgres_container)
    if container is not None:
        with contextlib.closing(_Stopping(container)):
            yield container.get_connection_url()
        return
    with Nest() as nest, embedded.EmbeddedPostgres(nest.folder / "postgres", settings=POSTGRES_SETTINGS) as url:
        yield url


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Run Redis and yield its URL without a database number."""
    if running := os.environ.get(REDIS_ENV):
        yield running
        return
    container = _contained(_redis_container)
    if container is not None:
        with contextlib.closing(_Stopping(container)):
            yield f"redis://{container.get_container_host_ip()}:{container.get_exposed_port(container.port)}"
        return
    settings = {"databases": str(REDIS_DATABASES)}
    with Nest() as nest, embedded.EmbeddedRedis(nest.folder / "redis", settings=settings) as url:
        yield url.removesuffix("/0")


class _Stopping:
    def __init__(self, container: Any) -> None:
        self._container = container

    def close(self) -> None:
        self._container.stop()


if __name__ == "__main__":
    guard(Path(sys.argv[1]))
