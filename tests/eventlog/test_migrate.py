"""The migrations give the schema that is written down, in one go and step by step, once."""

import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from services.eventlog import canonical, migrate
from tests.eventlog import shape

WRITTEN = Path(__file__).parent / "golden" / "schema.txt"
REVISIONS = ("0001", "0002", "0003", "0004", "0005")
_numbers = itertools.count()


@pytest.fixture
def empty_url(postgres_server: str) -> Iterator[str]:
    """Give a fresh database without a schema."""
    base = f"{postgres_server.rpartition('/')[0]}/postgres"
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(base, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        yield f"{postgres_server.rpartition('/')[0]}/{name}"
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def schema(url: str) -> list[str]:
    """Give a database's schema."""
    with psycopg.connect(url) as conn:
        return shape.lines(conn)


def test_the_schema_is_the_one_written_down(postgres_url: str) -> None:
    """A migrated database has exactly the tables, constraints, functions and grants of golden/schema.txt.

    After a wanted change: ``python -m tests.eventlog.test_migrate URL > tests/eventlog/golden/schema.txt``.
    """
    assert schema(postgres_url) == WRITTEN.read_text().splitlines()


def test_step_by_step_is_the_same_as_at_once(empty_url: str, postgres_url: str) -> None:
    """Every revision can be stopped at, and the way over all of them ends at the same schema."""
    assert not migrate.is_current(empty_url)
    for revision in REVISIONS:
        migrate.upgrade(empty_url, revision)
    assert migrate.is_current(empty_url)
    assert schema(empty_url) == schema(postgres_url)
    assert migrate.newest() == REVISIONS[-1]


def test_a_second_upgrade_changes_nothing(postgres_url: str) -> None:
    """A database that is current stays as it is."""
    before = schema(postgres_url)
    migrate.upgrade(postgres_url)
    assert schema(postgres_url) == before


def test_two_upgrades_at_once_are_one(empty_url: str) -> None:
    """Two jobs that migrate the same database at the same moment both succeed."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            migrate.upgrade(empty_url)
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert failures == []
    assert migrate.is_current(empty_url)


def test_a_failed_upgrade_leaves_nothing(empty_url: str) -> None:
    """Migrations are one transaction: where the last step fails the database is as empty as before."""
    with psycopg.connect(empty_url, autocommit=True) as conn:
        conn.execute("CREATE TABLE checkpoints (mine int)")
    with pytest.raises(Exception, match="checkpoints"):
        migrate.upgrade(empty_url)
    assert [line for line in schema(empty_url) if line.startswith("table")] == ["table checkpoints"]


def test_another_encoding_is_refused_in_words(postgres_server: str) -> None:
    """A database whose texts are not UTF-8 is refused before anything is made in it."""
    base = postgres_server.rpartition("/")[0]
    with psycopg.connect(f"{base}/postgres", autocommit=True) as conn:
        conn.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(migrate.MigrationError, match="encoding is LATIN1; make it with ENCODING 'UTF8'"):
                migrate.upgrade(f"{base}/latin")
        finally:
            conn.execute("DROP DATABASE latin WITH (FORCE)")


def test_database_and_code_agree_on_the_shards(postgres_url: str) -> None:
    """The shards are as many as the code believes, numbered from 0."""
    with psycopg.connect(postgres_url) as conn:
        rows = conn.execute("SELECT shard FROM shards ORDER BY shard").fetchall()
    assert [shard for (shard,) in rows] == list(range(canonical.SHARDS))


if __name__ == "__main__":
    import sys

    sys.stdout.write("\n".join(schema(sys.argv[1])) + "\n")
