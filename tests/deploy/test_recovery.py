"""The commands of docs/recovery.md on a real server: back up while play goes on, restore to a moment, verify."""

import asyncio
import datetime as dt
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from pitboss.v1 import audit_pb2 as pb

from services.cli import reach
from services.ledger import checks
from services.livestate import slots
from services.localhouse import accounts, embedded, local_house
from tests.support import people, play, servers, waits

PAGE = (Path(__file__).parents[2] / "docs" / "recovery.md").read_text(encoding="utf-8")
PATIENCE = 60.0
HEADS = "SELECT stream_id::text, version, head_hash FROM streams ORDER BY stream_id"


class Site:
    """Two servers in one folder: the one that is lost, with its archive, and the one that is restored."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archive, self.backup = folder / "archive", folder / "backup"
        self.account = accounts.choose(folder / "lost")
        for path in (self.archive, self.backup):
            path.mkdir()
            self.account.own(path)
        found = dict(re.findall(r"^   (\w+) = '?(.*?)'?$", PAGE, re.MULTILINE))
        names = ("wal_level", "archive_mode", "archive_command", "archive_timeout")
        archiving = {name: found[name].replace("/archive", str(self.archive)) for name in names}
        self.lost = embedded.EmbeddedPostgres(folder / "lost", settings=servers.POSTGRES_SETTINGS | archiving)
        self.restored = embedded.EmbeddedPostgres(folder / "restored", settings=servers.POSTGRES_SETTINGS)

    def back_up(self) -> None:
        """Run the page's commands, as the server's account."""
        programs = Path(self.lost._program("psql")).parent
        for line in re.findall(r"^   (pg_basebackup .*|pg_verifybackup .*)$", PAGE, re.MULTILINE):
            text = line.replace('"$PITBOSS_DATABASE_URL"', shlex.quote(self.lost.url))
            program, *words = shlex.split(text.replace("/backup/$(date +%F)", str(self.backup / "base")))
            done = subprocess.run(
                [programs / program, *words],
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
                cwd="/",
                **self.account.spawning(),
            )
            assert done.returncode == 0, done.stderr

    def archived(self) -> None:
        """Wait until everything written is in the archive."""
        with psycopg.connect(self.lost.url, autocommit=True) as conn:
            [name] = _row(conn, "SELECT pg_walfile_name(pg_switch_wal())")
        waits.eventually_blocking((self.archive / str(name)).exists, f"{name} in the archive", seconds=PATIENCE)

    def restore(self, moment: dt.datetime) -> str:
        """Follow the page's second list; return the restored server's URL."""
        place = self.folder / "restored"
        place.mkdir()
        self.account.own(place)
        subprocess.run(["cp", "-a", str(self.backup / "base"), str(place / "data")], check=True)
        subprocess.run(["cp", "-a", str(self.folder / "lost" / "password"), str(place / "password")], check=True)
        lines = re.findall(r"^   ((?:restore_command|recovery_target_\w+) = .*)$", PAGE, re.MULTILINE)
        text = "\n".join(lines).replace("/archive", str(self.archive))
        text = re.sub(r"2026-11-29 18:30:00\+00", moment.isoformat(), text)
        with (place / "data" / "postgresql.auto.conf").open("a") as file:
            file.write(text + "\n")
        signal = place / "data" / "recovery.signal"
        signal.touch()
        self.account.own(signal)
        url = self.restored.start()

        def is_restored() -> bool:
            with psycopg.connect(url, autocommit=True) as conn:
                return _row(conn, "SELECT pg_is_in_recovery()") == (False,)

        waits.eventually_blocking(is_restored, f"the end of the recovery; see {self.restored.log}", seconds=PATIENCE)
        return url


def _row(conn: psycopg.Connection[Any], query: str) -> tuple[Any, ...]:
    found = conn.execute(query.encode()).fetchone()
    assert found is not None
    return tuple(found)


@pytest.fixture
def site() -> Iterator[Site]:
    """Yield servers that this test may destroy."""
    with servers.Nest() as nest:
        made = Site(nest.folder)
        try:
            yield made
        finally:
            made.lost.stop(immediate=True)
            made.restored.stop(immediate=True)


def opened(folder: Path, url: str, redis_url: str) -> local_house.LocalHouse:
    """Return a house on a database; the same folder holds the same secrets."""
    return local_house.LocalHouse(
        folder, database_url=url, redis_url=redis_url, settings={"PITBOSS_DRAIN_SECONDS": "2"}
    )


async def _signed(crowd: people.Crowd) -> pb.Checkpoint:
    stub, metadata = crowd.auditor()
    made: pb.Checkpoint = (await stub.CreateCheckpoint(pb.CreateCheckpointRequest(), metadata=metadata)).checkpoint
    return made


async def test_a_house_is_restored_to_a_moment(site: Site, tmp_path: Path, redis_url: str) -> None:
    """Log and ledger are restored to the byte; checkpoints hold; later events are reported lost; play goes on."""
    url = site.lost.start()
    with opened(tmp_path, url, redis_url) as house:
        house.write_down()
        async with people.Crowd(reach.of_folder(tmp_path)) as crowd:
            table_id, players = await play.opened(crowd, "high_suit")
            await play.rounds(table_id, players)
            backup = asyncio.create_task(asyncio.to_thread(site.back_up))
            await play.rounds(table_id, players, 2)
            await backup
            await play.rounds(table_id, players)
            kept = await _signed(crowd)
            with psycopg.connect(url, autocommit=True) as conn:
                [moment] = _row(conn, "SELECT clock_timestamp()")
                heads = conn.execute(HEADS).fetchall()
                entries = _row(conn, "SELECT count(*), sum(abs(amount)) FROM legs")
            await play.rounds(table_id, players)
            late = await _signed(crowd)
            await asyncio.to_thread(_command, tmp_path, "checkpoint", table_id, "--out", "late.json")
        await asyncio.to_thread(site.archived)
    site.lost.stop(immediate=True)

    restored = await asyncio.to_thread(site.restore, moment)
    assert await _imbalance(restored) == 0
    with psycopg.connect(restored, autocommit=True) as conn:
        assert conn.execute(HEADS).fetchall() == heads
        assert _row(conn, "SELECT count(*), sum(abs(amount)) FROM legs") == entries
    with redis.Redis.from_url(redis_url) as client:  # what Redis holds is of the past that was lost
        state = slots.state(table_id)
        lost = int(client.hget(state, "v") or 0)
    version = next(version for stream, version, _ in heads if stream == table_id)
    assert lost > version
    with opened(tmp_path, restored, redis_url) as house:
        house.write_down()
        async with people.Crowd(reach.of_folder(tmp_path)) as crowd:
            await _verified(crowd, table_id, kept, late)
            await asyncio.to_thread(_command, tmp_path, "export", table_id, "--out", "table.jsonl")
            said = await asyncio.to_thread(
                _command, tmp_path, "verify", "table.jsonl", "--checkpoint", "late.json", well=False
            )
            assert f"FAIL  table {table_id}" in said
            again = [crowd.person(player.subject) for player in players]
            assert (await again[0].house.table(table_id)).table.version == version
            async for message in again[1].house.watch(table_id):
                assert message.view.table.version == version
                break
            assert await play.rounds(table_id, again) == 5
    assert await _imbalance(restored) == 0


async def _imbalance(url: str) -> int:
    """Add up the whole ledger of a database."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        return await checks.imbalance(conn)


def _command(folder: Path, *arguments: str, well: bool = True) -> str:
    """Run a command of the page in the folder of the house; return its output."""
    whole = [sys.executable, "-m", "services.cli.main", *arguments]
    whole += [] if arguments[0] == "verify" else ["--folder", str(folder)]
    done = subprocess.run(
        whole,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode == 0) == well, done.stdout + done.stderr
    return done.stdout


async def _verified(crowd: people.Crowd, table_id: str, kept: pb.Checkpoint, late: pb.Checkpoint) -> None:
    """Check the restored house against a checkpoint before the moment and one after it."""
    stub, metadata = crowd.auditor()
    held = await stub.CheckCheckpoint(pb.CheckCheckpointRequest(checkpoint=kept), metadata=metadata, timeout=60)
    assert held.holds, held.mismatches
    chain = await stub.VerifyStream(pb.VerifyStreamRequest(table_id=table_id), metadata=metadata, timeout=60)
    replay = await stub.ReplayTable(pb.ReplayTableRequest(table_id=table_id), metadata=metadata, timeout=60)
    assert (list(chain.mismatches), list(replay.mismatches), replay.rounds_replayed) == ([], [], 4)
    told = await stub.CheckCheckpoint(pb.CheckCheckpointRequest(checkpoint=late), metadata=metadata, timeout=60)
    assert not told.holds
    assert any(one.kind == "gap" for one in told.mismatches), told.mismatches
