"""Servers and databases for tests; a test that asks for none starts none."""

import functools
import itertools
import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

import psycopg
import pytest
import redis
from psycopg import conninfo, sql

from services.cli import reach
from services.eventlog import migrate
from services.localhouse import embedded, local_house
from services.rules import catalogue
from tests.support import aged, clusters, figured, people, servers

figured.watch()

HOUSES: Final = 6
"""Whole houses of one run that have a database and a Redis of their own."""
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the URL of a Postgres server of this process, durable, as superuser; a test must not stop it."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def _migrated(postgres_server: str) -> str:
    """Return the URL of the maintenance database of a server that has a migrated template."""
    base = _database(postgres_server, "postgres")
    with psycopg.connect(base, autocommit=True) as connection:
        if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [servers.TEMPLATE]).rowcount:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(servers.TEMPLATE)))
            migrate.upgrade(_database(postgres_server, servers.TEMPLATE))
    return base


@pytest.fixture
def postgres_url(_migrated: str) -> Iterator[str]:
    """Yield the URL of a fresh migrated database of this test's own, dropped after it."""
    name = f"test_{os.getpid()}_{next(_numbers)}"
    _execute(
        _migrated,
        sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(servers.TEMPLATE)),
    )
    yield _database(_migrated, name)
    _execute(_migrated, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def fast_postgres_url(postgres_url: str) -> str:
    """Return a database like ``postgres_url`` that acknowledges a commit before it is on the disk: for many commits."""
    name = conninfo.conninfo_to_dict(postgres_url)["dbname"]
    _execute(postgres_url, sql.SQL("ALTER DATABASE {} SET synchronous_commit = off").format(sql.Identifier(str(name))))
    return postgres_url


@pytest.fixture
def own_postgres() -> Iterator[embedded.EmbeddedPostgres]:
    """Yield a started, migrated Postgres of this test alone, which it may stop, kill and start again."""
    with servers.Nest() as nest:
        server = embedded.EmbeddedPostgres(nest.folder / "postgres", settings=servers.POSTGRES_SETTINGS)
        try:
            migrate.upgrade(server.start())
            yield server
        finally:
            server.stop(immediate=True)


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    """Yield the URL, without a database, of a Redis server of this process; a test must not stop it."""
    with servers.redis() as url:
        yield url


@pytest.fixture
def redis_url(redis_server: str) -> Iterator[str]:
    """Yield the URL of an empty logical database, emptied after the test (channels are the whole server's)."""
    url = f"{redis_server}/{next(_numbers) % (servers.REDIS_DATABASES - HOUSES)}"
    yield url
    with redis.Redis.from_url(url) as client:
        client.flushdb()


@pytest.fixture
def own_redis() -> Iterator[embedded.EmbeddedRedis]:
    """Yield a started Redis of this test alone, which it may stop, kill and start again."""
    with servers.Nest() as nest:
        server = embedded.EmbeddedRedis(nest.folder / "redis")
        try:
            server.start()
            yield server
        finally:
            server.stop(immediate=True)


@pytest.fixture(scope="session")
def restless_cluster() -> Iterator[clusters.Cluster]:
    """Yield a Redis cluster of three nodes of this process; a test that stops or freezes one starts it again."""
    with clusters.running() as found:
        yield found


@pytest.fixture
def own_cluster(restless_cluster: clusters.Cluster) -> Iterator[clusters.Cluster]:
    """Yield a Redis cluster that a test may stop, kill and freeze; afterwards its nodes all run and are empty."""
    yield restless_cluster
    restless_cluster.start()
    for node in restless_cluster.nodes:
        clusters.ask(node, "FLUSHALL")


def _database(url: str, name: str) -> str:
    """Return the URL of another database of the same server."""
    return f"{url.rpartition('/')[0]}/{name}"


def _execute(url: str, statement: sql.Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


@pytest.fixture(scope="session")
def house_urls(_migrated: str, redis_server: str) -> Iterator[Callable[[], tuple[str, str]]]:
    """Return a function that makes a database and a Redis for one whole house, which live as long as the run.

    Each house has its own: one must not find checkpoints that another one has signed with another key.
    """
    names: list[str] = []

    def make() -> tuple[str, str]:
        number = len(names)
        assert number < HOUSES, "there is a Redis database for each house"
        name = f"house_{os.getpid()}_{number}"
        _execute(
            _migrated,
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(servers.TEMPLATE)),
        )
        names.append(name)
        return _database(_migrated, name), f"{redis_server}/{servers.REDIS_DATABASES - 1 - number}"

    yield make
    for name in names:
        _execute(_migrated, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def aged_house(monkeypatch: pytest.MonkeyPatch) -> Iterator[aged.House]:
    """Yield a function that makes the catalogue that of a house of ``aged``; the test leaves no game behind."""
    yield functools.partial(aged.house, monkeypatch)
    catalogue.game.cache_clear()


@pytest.fixture
def reached(house: local_house.LocalHouse) -> reach.Reach:
    """Return the addresses and tokens of the folder's own fixture ``house``."""
    return reach.of_folder(house.folder)


@pytest.fixture
async def crowd(reached: reach.Reach) -> AsyncIterator[people.Crowd]:
    """Yield people of this test, each with a wallet of their own."""
    async with people.Crowd(reached) as guests:
        yield guests
