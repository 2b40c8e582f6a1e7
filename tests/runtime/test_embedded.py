"""Embedded servers: started, stopped, crashed, found again."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from services.localhouse import embedded
from tests.support import servers, waits


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder for servers; servers that are left in it are ended with the test."""
    with servers.Nest() as nest:
        yield nest.folder


def _remember(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('yes')")


def _remembered(url: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT word FROM kept").fetchone()
    assert row is not None
    return str(row[0])


def test_a_second_start_finds_the_data(folder: Path) -> None:
    """What was stored before a clean stop is there after the next start, by another object."""
    with embedded.EmbeddedPostgres(folder / "postgres") as url:
        _remember(url)
    with embedded.EmbeddedPostgres(folder / "postgres") as url:
        assert _remembered(url) == "yes"


def test_it_is_durable_by_default(folder: Path) -> None:
    """A server nobody tuned flushes to the disk at each commit."""
    with embedded.EmbeddedPostgres(folder / "postgres") as url, psycopg.connect(url) as connection:
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert connection.execute(f"SHOW {name}").fetchone() == ("on",)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGQUIT])
def test_a_crash_loses_nothing_and_keeps_the_address(folder: Path, how: signal.Signals) -> None:
    """After the server's process was killed the same object starts it again: same URL, same data."""
    server = embedded.EmbeddedPostgres(folder / "postgres")
    url = server.start()
    _remember(url)
    os.kill(server.pid, how)
    _until_ended(server)
    assert server.start() == url
    assert _remembered(url) == "yes"
    server.stop(immediate=True)
    assert server.start() == url
    assert _remembered(url) == "yes"
    server.stop()


def test_a_stale_process_id_does_not_hinder(folder: Path) -> None:
    """A stale process id that belongs to another process now is recognised."""
    server = embedded.EmbeddedPostgres(folder / "postgres")
    _remember(server.start())
    pid_file = folder / "postgres" / "data" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    server.stop()
    other = embedded.EmbeddedRedis(folder / "redis")
    other.start()
    pid_file.write_text("\n".join([str(other.pid), *lines[1:]]) + "\n")
    try:
        assert _remembered(server.start()) == "yes"
        assert other.running, "the stranger was left in peace"
    finally:
        server.stop()
        other.stop()


def test_a_server_left_over_is_taken_over(folder: Path) -> None:
    """A server that outlived its house serves the next one, which finds it by its process id and ends it at last."""
    first = embedded.EmbeddedPostgres(folder / "postgres")
    _remember(first.start())
    pid = first.pid
    first.release()
    second = embedded.EmbeddedPostgres(folder / "postgres")
    assert _remembered(second.start()) == "yes"
    assert second.pid == pid
    second.stop()
    assert not first.running


def test_two_houses_cannot_share_a_folder(folder: Path) -> None:
    """A start on a folder whose owner lives is refused and names the owner's process."""
    with embedded.EmbeddedRedis(folder / "redis") as url:
        with pytest.raises(embedded.EmbeddedError, match=f"in use by process {os.getpid()}"):
            embedded.EmbeddedRedis(folder / "redis").start()
        assert redis.Redis.from_url(url).ping()


def test_a_taken_port_is_said(folder: Path) -> None:
    """A given port that another server has is an error that names it, not a wait without end."""
    with embedded.EmbeddedRedis(folder / "redis") as url:
        port = int(url.rpartition(":")[2].split("/")[0])
        with pytest.raises(embedded.EmbeddedError, match=f"port {port} is taken"):
            embedded.EmbeddedPostgres(folder / "postgres", port=port, start_seconds=20).start()


def test_a_password_guards_the_servers(folder: Path) -> None:
    """Neither server accepts a client without the stored password."""
    with embedded.EmbeddedRedis(folder / "redis") as url:
        bare = "redis://" + url.rpartition("@")[2]
        with pytest.raises(redis.AuthenticationError):
            redis.Redis.from_url(bare).ping()
    with embedded.EmbeddedPostgres(folder / "postgres") as url:
        head, _, tail = url.partition("@")
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(f"{head}wrong@{tail}")


def test_redis_keeps_nothing_on_disk(folder: Path) -> None:
    """A Redis that was stopped cleanly and started again is empty."""
    server = embedded.EmbeddedRedis(folder / "redis")
    client = redis.Redis.from_url(server.start())
    client.set("word", "yes")
    client.close()
    server.stop()
    client = redis.Redis.from_url(server.start())
    assert client.get("word") is None
    client.close()
    server.stop()


def test_the_guard_ends_what_was_left() -> None:
    """Servers of a test process that died without a word end soon after it."""
    with servers.Nest() as nest:
        server = embedded.EmbeddedRedis(nest.folder / "redis")
        server.start()
    _until_ended(server)
    assert not nest.folder.exists()


def _until_ended(server: embedded.EmbeddedPostgres | embedded.EmbeddedRedis) -> None:
    waits.eventually_blocking(lambda: not server.running, "the server ends")
