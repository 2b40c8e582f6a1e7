"""The doctor and the metrics report an archive that refuses the database's changes, until it accepts them."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from typer.testing import CliRunner

from services.cli import commands, main
from services.database import archive
from services.eventlog import migrate
from services.localhouse import embedded, secret_set
from services.runtime import metrics
from services.settlement import archive as watching
from tests.support import served, servers, waits

PATIENCE = 60.0


@pytest.fixture
def door() -> Iterator[Path]:
    """Yield a file without which the archive command fails."""
    with servers.Nest() as nest:
        yield nest.folder / "door"


@pytest.fixture
def server(door: Path) -> Iterator[embedded.EmbeddedPostgres]:
    """Yield a server whose archive can be opened and closed."""
    wanted = {"wal_level": "replica", "archive_mode": "on", "archive_command": f"test -e {door}"}
    wanted = servers.POSTGRES_SETTINGS | wanted
    with servers.Nest() as nest:
        made = embedded.EmbeddedPostgres(nest.folder / "postgres", settings=wanted)
        try:
            made.start()
            yield made
        finally:
            made.stop(immediate=True)


def state(conn: psycopg.Connection[tuple[object, ...]]) -> archive.Archiving:
    """Return the state of the archive."""
    row = conn.execute(archive.QUERY.encode()).fetchone()
    assert row is not None
    return archive.Archiving(*row)  # type: ignore[arg-type]  # the columns of the statement


def until(url: str, wanted: Callable[[archive.Archiving], bool]) -> archive.Archiving:
    """Write changes until the archive has the wanted state."""
    with psycopg.connect(url, autocommit=True) as conn:

        def filled() -> archive.Archiving | None:
            conn.execute("SELECT pg_logical_emit_message(true, 'pitboss', 'x'), pg_switch_wal()")
            found = state(conn)
            return found if wanted(found) else None

        return waits.eventually_blocking(filled, "the archive as wanted", seconds=PATIENCE, pause=0.2)


def doctor(url: str, redis_url: str, folder: Path) -> list[str]:
    """Run the doctor, which must find no fault; return its lines."""
    if not any(group.name == "backoffice" for group in main.app.registered_groups):
        commands.register(main.app)
    secret_set.load_or_make(folder / "secrets.json")
    environment = {"PITBOSS_DATABASE_URL": url, "PITBOSS_REDIS_URL": redis_url}
    done = CliRunner().invoke(main.app, ["doctor", "--folder", str(folder)], env=environment)
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


async def shown(url: str) -> float | None:
    """Run settlement's check in its own role; return the metric, None where there is none."""
    async with await served.connect(url) as conn:
        await conn.execute("SET ROLE pitboss_settlement")
        await watching.look(conn)
    return metrics.REGISTRY.get_sample_value("pitboss_archive_failing")


async def test_a_failing_archive_is_told_until_it_takes_changes(
    server: embedded.EmbeddedPostgres, door: Path, redis_url: str, tmp_path: Path
) -> None:
    """The doctor warns with the file's name and the gauge is 1, until the archive accepts the file."""
    migrate.upgrade(server.url)
    broken = until(server.url, lambda found: found.failing)
    lines = await asyncio.to_thread(doctor, server.url, redis_url, tmp_path)
    [line] = [one for one in lines if one.startswith("warn")]
    assert f"archive: {broken.failed_file} was not archived" in line
    assert lines[-1] == "all checks passed, with 1 warning"
    assert await shown(server.url) == 1
    await asyncio.to_thread(door.touch)
    until(server.url, lambda found: bool(found.file) and not found.failed)
    lines = await asyncio.to_thread(doctor, server.url, redis_url, tmp_path)
    assert any(one.startswith("ok    archive: on; the last one archived is ") for one in lines)
    assert lines[-1] == "all checks passed"
    assert await shown(server.url) == 0


def test_how_an_archive_stands_is_said_in_words() -> None:
    """An archive that is off, has no file yet, or fails from the first file on has a different state each."""
    off = archive.Archiving(on=False, failed=True, failed_file="a", file="", at="")
    fresh = archive.Archiving(on=True, failed=False, failed_file="", file="", at="")
    broken = archive.Archiving(on=True, failed=True, failed_file="a", file="", at="")
    assert [one.failing for one in (off, fresh, broken)] == [False, False, True]
    assert "cannot be restored" in off.words()
    assert fresh.words() == "on; none was archived yet"
    assert broken.words().startswith("a was not archived")
