"""What a database's owner does to the log, triggers off, and how the auditor of a running house finds and names it."""

import contextlib
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Self

import psycopg
import pytest
from pitboss.v1 import audit_pb2 as pb
from psycopg import sql
from typer.testing import CliRunner

from services.audit import checkpointing, keeping
from services.cli import commands, local, main, reach
from services.eventlog import canonical
from tests import people
from tests.conftest import TEMPLATE
from tests.e2e import play

commands.register(main.app)


class Owner:
    """The owner of the database: no trigger stops it, and what it broke is as it was when the block ends."""

    def __init__(self, url: str, table_id: str) -> None:
        self.table_id = table_id
        self._conn = psycopg.connect(url, autocommit=True)
        self._conn.execute("SET session_replication_role = replica")

    def run(self, statement: str, *values: Any) -> None:
        """Run one statement on the stream."""
        self._conn.execute(statement.encode(), {"table": self.table_id} | dict(enumerate_names(values)))

    def rows(self) -> list[tuple[Any, ...]]:
        """Give version, type, data, metadata and hash of every event."""
        return self._conn.execute(
            "SELECT version, type, data, metadata, hash FROM events WHERE stream_id = %s ORDER BY version",
            (self.table_id,),
        ).fetchall()

    def __enter__(self) -> Self:
        for table in ("events", "streams"):
            self._conn.execute(
                sql.SQL("CREATE TEMP TABLE {} AS SELECT * FROM {} WHERE stream_id = %s").format(
                    sql.Identifier(f"kept_{table}"), sql.Identifier(table)
                ),
                (self.table_id,),
            )
        return self

    def __exit__(self, *_: object) -> None:
        for table in ("events", "streams"):
            self.run(f"DELETE FROM {table} WHERE stream_id = %(table)s")
            self.run(f"INSERT INTO {table} SELECT * FROM kept_{table}")
        self._conn.close()


def enumerate_names(values: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Name values a, b, c and so on."""
    return zip("abcdef", values, strict=False)


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, _migrated: str, redis_server: str) -> Iterator[local.LocalHouse]:
    """Give a house whose database nobody else uses."""
    name = f"tampered_{os.getpid()}"
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
    house = local.LocalHouse(
        tmp_path_factory.mktemp("tampered"), settings={"PITBOSS_DRAIN_SECONDS": "2"}, redis_url=f"{redis_server}/40",
        database_url=f"{_migrated.rpartition('/')[0]}/{name}",
    )  # fmt: skip
    with house:
        house.write_down()
        yield house
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def guests(watched: local.LocalHouse) -> AsyncIterator[people.Crowd]:
    """Give people who come to this house."""
    async with people.Crowd(reach.of_folder(watched.folder)) as found:
        yield found


class Audit:
    """The auditor's questions about one table."""

    def __init__(self, crowd: people.Crowd, table_id: str) -> None:
        self._stub, self._metadata = crowd.auditor()
        self.table_id = table_id

    async def ask(self, name: str, request: Any) -> Any:
        """Call a method."""
        return await getattr(self._stub, name)(request, metadata=self._metadata, timeout=60)

    async def checkpoint(self) -> pb.Checkpoint:
        """Sign the log as it is."""
        made: pb.Checkpoint = (await self.ask("CreateCheckpoint", pb.CreateCheckpointRequest())).checkpoint
        return made

    async def chain(self) -> list[pb.Mismatch]:
        """Give what VerifyStream finds."""
        return list((await self.ask("VerifyStream", pb.VerifyStreamRequest(table_id=self.table_id))).mismatches)

    async def held(self, checkpoint: pb.Checkpoint) -> list[pb.Mismatch]:
        """Give what CheckCheckpoint finds."""
        answer = await self.ask("CheckCheckpoint", pb.CheckCheckpointRequest(checkpoint=checkpoint))
        assert answer.holds == (not answer.mismatches)
        return list(answer.mismatches)

    async def replay(self) -> list[pb.Mismatch]:
        """Give what ReplayTable finds."""
        return list((await self.ask("ReplayTable", pb.ReplayTableRequest(table_id=self.table_id))).mismatches)


@contextlib.asynccontextmanager
async def tampered(watched: local.LocalHouse, crowd: people.Crowd) -> AsyncIterator[tuple[Audit, Owner, pb.Checkpoint]]:
    """Give a table with a round behind it, and another one untouched, at a checkpoint; put back what is broken."""
    for _ in range(2):
        table_id, players = await play.opened(crowd, "texas_holdem")
        await play.rounds(table_id, players)
    audit = Audit(crowd, table_id)
    checkpoint = await audit.checkpoint()
    assert await audit.held(checkpoint) == await audit.chain() == await audit.replay() == []
    with Owner(watched.environment["PITBOSS_DATABASE_URL"], table_id) as owner:
        yield audit, owner, checkpoint
    assert await audit.held(checkpoint) == []


def named(found: list[pb.Mismatch], table_id: str) -> set[tuple[int, str, str]]:
    """Give version, kind and field of what was found in a stream; no other stream may be named."""
    assert {one.stream_id for one in found} <= {table_id, ""}
    return {(one.version, one.kind, one.field) for one in found if one.stream_id}


CHANGE = "UPDATE events SET {} WHERE stream_id = %(table)s AND version = %(a)s"
EDITS = {
    "data": (CHANGE.format("data = replace(data, '1', '2')"), {(5, "edit", "data")}),
    "metadata": (CHANGE.format("""metadata = '{"actor":"other"}'"""), {(5, "edit", "data")}),
    "type": (CHANGE.format("type = 'SeatLeft.v1'"), {(5, "edit", "data")}),
    "hash": (CHANGE.format("hash = sha256(hash)"), {(5, "edit", "hash")}),
    "drop": ("DELETE FROM events WHERE stream_id = %(table)s AND version = %(a)s", {(5, "gap", "version")}),
}


@pytest.mark.parametrize("how", list(EDITS))
async def test_a_changed_or_dropped_row_is_named(how: str, watched: local.LocalHouse, guests: people.Crowd) -> None:
    """Data, metadata, type or hash of one event changed, or the event dropped: stream, version, field and kind."""
    statement, expected = EDITS[how]
    async with tampered(watched, guests) as (audit, owner, checkpoint):
        owner.run(statement, 5)
        assert named(await audit.chain(), audit.table_id) == expected
        assert named(await audit.held(checkpoint), audit.table_id) >= expected


async def test_swapped_rows_are_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """Two events that changed places are both edits."""
    async with tampered(watched, guests) as (audit, owner, checkpoint):
        owner.run(
            "UPDATE events a SET (type, data, metadata, hash) = (b.type, b.data, b.metadata, b.hash) FROM events b"
            " WHERE a.stream_id = %(table)s AND b.stream_id = a.stream_id AND a.version IN (7, 8)"
            " AND b.version = 15 - a.version"
        )
        both = {(7, "edit", "data"), (8, "edit", "data")}
        assert named(await audit.chain(), audit.table_id) >= both
        assert named(await audit.held(checkpoint), audit.table_id) >= both


async def test_a_cut_tail_is_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """A tail cut off, the stream's own row set back with it: the chain alone holds, the checkpoint names the gap."""
    async with tampered(watched, guests) as (audit, owner, checkpoint):
        cut = len(owner.rows()) - 2
        owner.run("DELETE FROM events WHERE stream_id = %(table)s AND version > %(a)s", cut)
        assert named(await audit.chain(), audit.table_id) == {(cut + 1, "gap", "version")}
        owner.run(
            "UPDATE streams s SET version = e.version, head_hash = e.hash FROM events e"
            " WHERE s.stream_id = %(table)s AND e.stream_id = s.stream_id AND e.version = %(a)s", cut,
        )  # fmt: skip
        assert await audit.chain() == []
        assert (cut + 1, "gap", "version") in named(await audit.held(checkpoint), audit.table_id)


async def test_an_appended_row_is_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """A row put behind the last one, its hash well computed, is a fork: the stream is said to end before it."""
    async with tampered(watched, guests) as (audit, owner, _):
        version, type_, data, metadata, last = owner.rows()[-1]
        hash_ = canonical.event_hash(last, audit.table_id, version + 1, type_, data, metadata)
        owner.run(
            "INSERT INTO events SELECT stream_id, version + 1, shard, position + 1000000, type, data, metadata,"
            " recorded_at, %(a)s FROM events WHERE stream_id = %(table)s AND version = %(b)s", hash_, version,
        )  # fmt: skip
        assert named(await audit.chain(), audit.table_id) == {(version + 1, "fork", "version")}


async def test_a_row_that_stands_twice_is_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """With the key dropped, a row can stand twice or two events claim one version: duplicate and fork."""
    async with tampered(watched, guests) as (audit, owner, _):
        owner.run("ALTER TABLE events DROP CONSTRAINT events_version_once")
        try:
            copy = (
                "INSERT INTO events SELECT stream_id, version, shard, position + 1000000, type, {}, metadata,"
                " recorded_at, hash FROM events WHERE stream_id = %(table)s AND version = %(a)s AND position < 1000000"
            )
            owner.run(copy.format("data"), 3)
            owner.run(copy.format("data || ' '"), 6)
            assert named(await audit.chain(), audit.table_id) == {(3, "duplicate", "version"), (6, "fork", "version")}
        finally:
            owner.run("DELETE FROM events WHERE stream_id = %(table)s AND position > 1000000")
            owner.run("ALTER TABLE events ADD CONSTRAINT events_version_once PRIMARY KEY (stream_id, version, shard)")


async def test_a_rewritten_chain_is_named_by_the_checkpoint(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """A whole history rewritten, every hash and head anew: nothing but the checkpoint kept elsewhere tells."""
    async with tampered(watched, guests) as (audit, owner, checkpoint):
        last = rewrite(owner, 4)
        assert await audit.chain() == []
        found = await audit.held(checkpoint)
        assert named(found, audit.table_id) == {(last, "fork", "hash")}
        assert {one.field for one in found if not one.stream_id} == {"root", f"log {shard(audit)}"}
        later = await audit.checkpoint()
        assert await audit.held(later) == []
        answer = await audit.ask("ProveConsistency", pb.ProveConsistencyRequest(old_number=checkpoint.number))
        with pytest.raises(AssertionError, match="are not the first of"):
            extended(checkpoint, answer)


async def test_a_dropped_stream_is_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """A table taken out whole, events and head, is a gap from its first version on."""
    async with tampered(watched, guests) as (audit, owner, checkpoint):
        owner.run("DELETE FROM events WHERE stream_id = %(table)s")
        owner.run("DELETE FROM streams WHERE stream_id = %(table)s")
        assert named(await audit.held(checkpoint), audit.table_id) == {(1, "gap", "version")}


async def test_decisions_changed_under_good_hashes_are_named(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """Data changed and all hashes computed anew: replay names version and field of what the rules do not give."""
    async with tampered(watched, guests) as (audit, owner, _):
        version = next(row[0] for row in owner.rows() if row[1].startswith("RoundSettled"))
        rewrite(owner, version, lambda data: data.replace('"at_ms":1', '"at_ms":1', 1).replace('":', '": ', 1))
        assert await audit.chain() == []
        assert version in {one.version for one in await audit.replay()}


async def test_a_checkpoint_of_the_house_is_no_proof_of_itself(watched: local.LocalHouse, guests: people.Crowd) -> None:
    """A checkpoint's text or signature changed, or the house's own copy of it: each is told."""
    async with tampered(watched, guests) as (audit, owner, kept):
        forged = pb.Checkpoint()
        forged.CopyFrom(kept)
        forged.text = kept.text.replace('"streams":', '"streams":1')
        assert [one.field for one in await audit.held(forged)] == ["signature"]
        where = "WHERE number = %(a)s"
        owner.run(f"UPDATE checkpoints SET body = replace(body, '\"at_ms\":', '\"at_ms\":1') {where}", kept.number)
        try:
            assert [one.field for one in await audit.held(kept)] == [f"checkpoint {kept.number}"]
        finally:
            owner.run(f"UPDATE checkpoints SET body = %(b)s {where}", kept.number, kept.text)


async def test_a_later_checkpoint_is_proven_to_extend_an_older_one(
    watched: local.LocalHouse, guests: people.Crowd
) -> None:
    """With nothing but the two texts and a few hashes; play in between changes nothing in the older one."""
    async with tampered(watched, guests) as (audit, _, old):
        table_id, players = await play.opened(guests, "baccarat")
        await play.rounds(table_id, players, 3)
        await audit.checkpoint()
        answer = await audit.ask("ProveConsistency", pb.ProveConsistencyRequest(old_number=old.number))
        extended(old, answer)
        assert max(len(one.path) for one in answer.proofs) <= 20
        for at, proof in enumerate(answer.proofs):
            if proof.path:
                wrong = pb.ProveConsistencyResponse()
                wrong.CopyFrom(answer)
                wrong.proofs[at].path[0] = "00" * 32
                with pytest.raises(AssertionError, match=f"shard {proof.shard}: "):
                    extended(old, wrong)


def test_a_checkpoint_in_a_file_holds_exports_and_house_to_it(watched: local.LocalHouse, tmp_path: Path) -> None:
    """``pitboss checkpoint`` and ``verify``: an honest export and house hold, a rewritten one is found in both."""
    import asyncio  # noqa: PLC0415 - the commands below run loops of their own

    async def played() -> str:
        async with people.Crowd(reach.of_folder(watched.folder)) as crowd:
            table_id, players = await play.opened(crowd, "texas_holdem")
            await play.rounds(table_id, players)
            return table_id

    def pitboss(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main.app, [*arguments])
        return done.exit_code, done.output

    table_id = asyncio.run(played())
    folder = ("--folder", str(watched.folder))
    kept, export = tmp_path / "kept.json", tmp_path / "rounds.jsonl"
    assert pitboss("checkpoint", table_id, "--out", str(kept), *folder)[0] == 0
    assert pitboss("export", table_id, "--out", str(export), *folder)[0] == 0
    key = keeping.read(kept.read_text()).key_id
    all_of_it = ("verify", str(export), "--checkpoint", str(kept), "--live", "--key", key, *folder)
    code, said = pitboss(*all_of_it)
    assert (code, said.count("HOLDS"), said.count("WRONG")) == (0, 4, 0), said
    code, said = pitboss("verify", "--checkpoint", str(kept), "--key", "00" * 32)
    assert (code, "the house's is 0000" in said) == (1, True)
    with Owner(watched.environment["PITBOSS_DATABASE_URL"], table_id) as owner:
        rewrite(owner, 4)
        other = tmp_path / "other.jsonl"
        assert pitboss("export", table_id, "--out", str(other), *folder)[0] == 0
        code, said = pitboss("verify", str(other), "--checkpoint", str(kept), "--live", *folder)
    assert code == 1, said
    assert "fork: version" in said, said
    assert f"WRONG  table {table_id} version" in said, said
    document = json.loads(kept.read_text())
    document["tables"][0]["head_hash"] = "11" * 32
    kept.write_text(json.dumps(document))
    code, said = pitboss("verify", "--checkpoint", str(kept))
    assert (code, "are not in the checkpoint" in said) == (1, True)


def rewrite(owner: Owner, first: int, change: Any = lambda data: data + " ") -> int:
    """Change an event and compute every hash from there on anew, the stream's head too; gives the last version."""
    previous, last = canonical.FIRST, 0
    for version, type_, stored, metadata, hash_ in owner.rows():
        data = change(stored) if version == first else stored
        previous = canonical.event_hash(previous, owner.table_id, version, type_, data, metadata)
        assert version < first or previous != hash_
        owner.run(CHANGE.format("data = %(b)s, hash = %(c)s"), version, data, previous)
        last = version
    owner.run("UPDATE streams SET head_hash = %(a)s WHERE stream_id = %(table)s", previous)
    return last


def shard(audit: Audit) -> int:
    """Give the shard of a table."""
    return canonical.shard_of(audit.table_id)


def extended(old: pb.Checkpoint, answer: pb.ProveConsistencyResponse) -> None:
    """Check a proof with the older checkpoint as it was kept. Raises AssertionError in words."""
    from services.audit import proving  # noqa: PLC0415 - what an auditor runs at home

    new = answer.new_checkpoint
    assert checkpointing.signed_by(new.text, bytes.fromhex(new.signature), old.key_id)
    proofs = {one.shard: [bytes.fromhex(node) for node in one.path] for one in answer.proofs}
    wrong = list(proving.extends(checkpointing.read(old.text), checkpointing.read(new.text), proofs))
    assert not wrong, wrong
