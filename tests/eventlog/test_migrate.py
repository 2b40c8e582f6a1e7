"""The migrations give the schema that is written down, in one go and step by step, once."""

import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

import migrations
from services.eventlog import canonical, migrate, queries, revision, verify
from services.eventlog.records import StoredEvent
from services.localhouse import embedded
from tests.eventlog import shape
from tests.support import log_events

WRITTEN = Path(__file__).parent / "golden" / "schema.txt"
REVISIONS = tuple(f"{number:04}" for number in range(1, 23))
LEDGER_BEFORE = Path(__file__).parent / "golden" / "ledger_before_0006.sql"
"""What revision 0003 made of the ledger until revision 0006 came."""
POST = """
SELECT outcome, balances
FROM post_entry(%s::uuid, 'transfer', 'CHIP', 'a test', NULL, NULL, %s, decode('', 'hex'), 'me', %s, %s::bigint[])
"""
_numbers = itertools.count()


@pytest.fixture
def empty_url(postgres_server: str) -> Iterator[str]:
    """Yield a fresh database without a schema."""
    base = f"{postgres_server.rpartition('/')[0]}/postgres"
    name = f"empty_{next(_numbers)}"
    with psycopg.connect(base, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        yield f"{postgres_server.rpartition('/')[0]}/{name}"
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def schema(url: str) -> list[str]:
    """Return a database's schema."""
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
    for number in REVISIONS:
        migrate.upgrade(empty_url, number)
    assert migrate.is_current(empty_url)
    assert schema(empty_url) == schema(postgres_url)
    assert migrate.newest() == REVISIONS[-1]


def test_a_house_made_earlier_comes_to_the_same_schema(empty_url: str, postgres_url: str) -> None:
    """A ledger made before 0006 gets its guards, its entries stay as they were, and more are posted behind them."""
    migrate.upgrade(empty_url, "0002")
    with psycopg.connect(empty_url) as conn:
        conn.execute(LEDGER_BEFORE.read_bytes())
        conn.execute("UPDATE alembic_version SET version_num = '0003'")
    migrate.upgrade(empty_url, "0005")
    with psycopg.connect(empty_url) as conn:
        conn.execute("ALTER TABLE limits ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY")
        conn.execute("REVOKE INSERT (number) ON limits FROM pitboss_settlement")
    assert schema(empty_url) != schema(postgres_url)
    first, second, third = (f"00000000-0000-4000-8000-00000000000{number}" for number in range(3))
    with psycopg.connect(empty_url, autocommit=True) as conn:
        post(conn, first, {"cashier:CHIP:0": -100, "wallet:CHIP:ann": 100})
        post(conn, second, {"wallet:CHIP:ann": -30, "seat:t:0": 10, "seat:t:1": 20})
        before = conn.execute(LEGS).fetchall()
    migrate.upgrade(empty_url)
    assert schema(empty_url) == schema(postgres_url) == WRITTEN.read_text().splitlines()
    with psycopg.connect(empty_url, autocommit=True) as conn:
        assert conn.execute(LEGS).fetchall() == before
        sizes = "SELECT e.entry_id::text, e.size, array_agg(l.size) FROM entries e JOIN legs l USING (entry_id)"
        found = conn.execute(f"{sizes} GROUP BY e.entry_id ORDER BY e.entry_id".encode()).fetchall()
        assert found == [(first, 2, [2, 2]), (second, 3, [3, 3, 3])]
        assert post(conn, second, {"wallet:CHIP:ann": -30, "seat:t:0": 10, "seat:t:1": 20}) == "already_posted"
        assert post(conn, third, {"wallet:CHIP:ann": -70, "seat:t:0": 70}) == "posted"
        for table in ("legs", "entries"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute(f"DELETE FROM {table}".encode())


def test_a_log_of_the_release_before_still_verifies(empty_url: str) -> None:
    """Events that were hashed without their moment keep their hashes, and those that follow hold the moment."""
    migrate.upgrade(empty_url, "0008")
    stream = log_events.stream()
    append = "SELECT outcome FROM append_one(%s::uuid, %s, NULL, NULL, NULL, NULL, NULL, NULL, %s, %s, %s)"
    content = (["Made.v1"] * 2, ['{"a": 1}'] * 2, ["{}"] * 2)
    with psycopg.connect(empty_url, autocommit=True) as conn:
        assert conn.execute(append, (stream, 0, *content)).fetchall() == [("appended",)]
        before = conn.execute("SELECT * FROM events ORDER BY version").fetchall()
    migrate.upgrade(empty_url)
    with psycopg.connect(empty_url, autocommit=True) as conn:
        assert conn.execute(append, (stream, 2, *content)).fetchall() == [("appended",)]
        rows = conn.execute(queries.READ.encode(), {"stream": stream, "after": 0, "limit": 10}).fetchall()
        assert conn.execute("SELECT * FROM events ORDER BY version LIMIT 2").fetchall() == before
    events = [StoredEvent(*row) for row in rows]
    assert verify.verify(events) == []
    forms = [verify.form(now, last.hash) for last, now in itertools.pairwise(events)]
    assert forms == ["untimed", "timed", "timed"]


LEGS = "SELECT entry_id, line, account, account_line, currency, amount, balance_after FROM legs ORDER BY entry_id, line"


def post(conn: psycopg.Connection[Any], entry: str, changes: dict[str, int]) -> str:
    """Post an entry and return its outcome."""
    row = conn.execute(POST, (entry, f"k{entry}", list(changes), list(changes.values()))).fetchone()
    assert row is not None
    return str(row[0])


def test_a_second_upgrade_changes_nothing(postgres_url: str) -> None:
    """A database that is current stays as it is."""
    before = schema(postgres_url)
    migrate.upgrade(postgres_url)
    assert schema(postgres_url) == before


@pytest.mark.parametrize("level", ["read committed", "repeatable read", "serializable"])
def test_two_upgrades_at_once_are_one(empty_url: str, level: str) -> None:
    """Two jobs that migrate the same database at the same moment both succeed, at whatever isolation level."""
    with psycopg.connect(empty_url, autocommit=True) as conn:
        name = sql.Identifier(conn.info.dbname)
        conn.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_isolation = {}").format(name, level))
    failures: list[BaseException] = []

    def run() -> None:
        try:
            migrate.upgrade(empty_url)
        except BaseException as error:  # reported below
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    assert failures == []
    assert migrate.is_current(empty_url)


ONE_JOB = "import sys; from services.eventlog import migrate; migrate.upgrade(sys.argv[1])"


def test_databases_of_one_server_are_migrated_at_once(own_postgres: embedded.EmbeddedPostgres) -> None:
    """Upgrades of several databases of a fresh server, which share its roles, all succeed at the same moment."""
    base = own_postgres.url.rpartition("/")[0]
    with psycopg.connect(f"{base}/pitboss", autocommit=True) as conn:
        conn.execute("DROP OWNED BY pitboss_dealer, pitboss_settlement, pitboss_audit")
        conn.execute("DROP ROLE pitboss_dealer, pitboss_settlement, pitboss_audit")
        names = [f"house_{number}" for number in range(3)]
        for name in names:
            conn.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    jobs = [
        subprocess.Popen([sys.executable, "-c", ONE_JOB, f"{base}/{name}"], cwd=Path(migrations.__file__).parents[1])
        for name in names
    ]
    assert [job.wait(60) for job in jobs] == [0] * len(names)
    assert all(migrate.is_current(f"{base}/{name}") for name in names)


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
            with pytest.raises(migrate.MigrationError, match="encoding is LATIN1; create it with ENCODING 'UTF8'"):
                migrate.upgrade(f"{base}/latin")
        finally:
            conn.execute("DROP DATABASE latin WITH (FORCE)")


def test_a_database_of_a_later_release_is_left_alone(empty_url: str) -> None:
    """A revision that this program does not know is refused in words, and nothing is changed."""
    migrate.upgrade(empty_url)
    with psycopg.connect(empty_url) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
    assert migrate.state(empty_url) is revision.State.NEWER
    with pytest.raises(migrate.MigrationError, match="revision 9999, which this program does not know"):
        migrate.upgrade(empty_url)
    with psycopg.connect(empty_url) as conn:
        assert conn.execute(queries.REVISION).fetchone() == ("9999",)


def test_the_revisions_are_those_of_the_files() -> None:
    """What processes compare with, without loading what migrates, is what migrates."""
    assert revision.KNOWN == REVISIONS
    assert migrate.newest() == revision.NEWEST


def test_database_and_code_agree_on_the_shards(postgres_url: str) -> None:
    """The shards are as many as the code believes, numbered from 0."""
    with psycopg.connect(postgres_url) as conn:
        rows = conn.execute("SELECT shard FROM shards ORDER BY shard").fetchall()
    assert [shard for (shard,) in rows] == list(range(canonical.SHARDS))


if __name__ == "__main__":
    sys.stdout.write("\n".join(schema(sys.argv[1])) + "\n")
