"""Changes that a database's owner makes with triggers off, and how the auditor of a running house reports them."""

import asyncio
import json
import os
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import psycopg
import pytest
from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import audit_pb2 as pb
from pitboss.v1 import back_office_pb2, wallet_pb2
from psycopg import sql
from typer.testing import CliRunner

from services.audit import kept_checkpoints, proofs, statements
from services.cli import commands, main, reach
from services.eventlog import canonical
from services.localhouse import local_house
from tests.support import people, play, tampering
from tests.support.servers import TEMPLATE

commands.register(main.app)


@pytest.fixture(scope="module")
def watched(
    tmp_path_factory: pytest.TempPathFactory, _migrated: str, redis_server: str
) -> Iterator[local_house.LocalHouse]:
    """Start a house whose database nobody else uses; a house that the environment names is never tampered with."""
    if os.environ.get("PITBOSS_ATTACK_HOUSE"):
        pytest.skip("tampering destroys records; this attack is made on a house of its own only")
    name = f"tampered_{os.getpid()}"
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
    house = local_house.LocalHouse(
        tmp_path_factory.mktemp("tampered"),
        settings={"PITBOSS_DRAIN_SECONDS": "2"},
        redis_url=f"{redis_server}/40",
        database_url=f"{_migrated.rpartition('/')[0]}/{name}",
    )
    with house:
        house.write_down()
        yield house
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def guests(watched: local_house.LocalHouse) -> AsyncIterator[people.Crowd]:
    """Yield the people of this test at the shared house."""
    async with people.Crowd(reach.of_folder(watched.folder)) as found:
        yield found


EDITS = {
    "data": (tampering.CHANGE.format("data = replace(data, '1', '2')"), {(5, "edit", "data")}),
    "metadata": (tampering.CHANGE.format("""metadata = '{"actor":"other"}'"""), {(5, "edit", "data")}),
    "type": (tampering.CHANGE.format("type = 'SeatLeft.v1'"), {(5, "edit", "data")}),
    "moment": (tampering.CHANGE.format("recorded_at = recorded_at - interval '1 day'"), {(5, "edit", "data")}),
    "hash": (tampering.CHANGE.format("hash = sha256(hash)"), {(5, "edit", "hash")}),
    "drop": ("DELETE FROM events WHERE stream_id = %(table)s AND version = %(a)s", {(5, "gap", "version")}),
}


@pytest.mark.parametrize("how", list(EDITS))
async def test_a_changed_or_dropped_row_is_named(
    how: str, watched: local_house.LocalHouse, guests: people.Crowd, tmp_path: Path
) -> None:
    """A changed or dropped event is reported with stream, version, field and kind; its table is not exported."""
    statement, expected = EDITS[how]
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        owner.run(statement, 5)
        assert audit.named(await audit.chain()) == expected
        assert audit.named(await audit.held(checkpoint)) >= expected
        arguments = ["export", audit.table_id, "--folder", str(watched.folder), "--out", str(tmp_path / "out")]
        done = await asyncio.to_thread(CliRunner().invoke, main.app, arguments)
        assert done.exit_code == 1, done.output
        assert isinstance(done.exception, SystemExit), done.output
        assert "HISTORY_CHANGED: event 5 of this table was changed" in done.output
        assert await asyncio.to_thread(os.listdir, tmp_path) == []


async def test_swapped_rows_are_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """Two events that changed places are both edits."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        owner.run(
            "UPDATE events a SET (type, data, metadata, hash) = (b.type, b.data, b.metadata, b.hash) FROM events b"
            " WHERE a.stream_id = %(table)s AND b.stream_id = a.stream_id AND a.version IN (7, 8)"
            " AND b.version = 15 - a.version"
        )
        both = {(7, "edit", "data"), (8, "edit", "data")}
        assert audit.named(await audit.chain()) >= both
        assert audit.named(await audit.held(checkpoint)) >= both


async def test_a_cut_tail_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """If the end is cut off with the stream's own row, the chain holds, but the checkpoint reports the gap."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        cut = len(owner.rows()) - 2
        owner.run("DELETE FROM events WHERE stream_id = %(table)s AND version > %(a)s", cut)
        assert audit.named(await audit.chain()) == {(cut + 1, "gap", "version")}
        owner.run(
            "UPDATE streams s SET version = e.version, head_hash = e.hash FROM events e"
            " WHERE s.stream_id = %(table)s AND e.stream_id = s.stream_id AND e.version = %(a)s",
            cut,
        )
        assert await audit.chain() == []
        assert (cut + 1, "gap", "version") in audit.named(await audit.held(checkpoint))


async def test_an_appended_row_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """A row that is added after the last one with a valid hash is reported as a fork."""
    async with tampering.exposed(watched, guests) as (audit, owner, _):
        version, type_, data, metadata, moment, last = owner.rows()[-1]
        hash_ = canonical.event_hash(last, audit.table_id, version + 1, type_, data, metadata, moment)
        owner.run(
            "INSERT INTO events SELECT stream_id, version + 1, shard, position + 1000000, type, data, metadata,"
            " recorded_at, %(a)s FROM events WHERE stream_id = %(table)s AND version = %(b)s",
            hash_,
            version,
        )
        assert audit.named(await audit.chain()) == {(version + 1, "fork", "version")}


async def test_a_row_that_stands_twice_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """Without the unique key, a duplicated row and two events of one version are reported as duplicate and fork."""
    async with tampering.exposed(watched, guests) as (audit, owner, _):
        owner.run("ALTER TABLE events DROP CONSTRAINT events_version_once")
        try:
            copy = (
                "INSERT INTO events SELECT stream_id, version, shard, position + 1000000, type, {}, metadata,"
                " recorded_at, hash FROM events WHERE stream_id = %(table)s AND version = %(a)s AND position < 1000000"
            )
            owner.run(copy.format("data"), 3)
            owner.run(copy.format("data || ' '"), 6)
            assert audit.named(await audit.chain()) == {(3, "duplicate", "version"), (6, "fork", "version")}
        finally:
            owner.run("DELETE FROM events WHERE stream_id = %(table)s AND position > 1000000")
            owner.run("ALTER TABLE events ADD CONSTRAINT events_version_once PRIMARY KEY (stream_id, version, shard)")


async def test_a_rewritten_chain_is_named_by_the_checkpoint(
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """A rewritten history with valid hashes and heads is found by a checkpoint that was kept elsewhere."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        last = owner.rewrite(4)
        assert await audit.chain() == []
        found = await audit.held(checkpoint)
        assert audit.named(found) == {(last, "fork", "hash")}
        assert {one.field for one in found if not one.stream_id} == {"root", f"log {audit.shard()}"}
        with pytest.raises(grpc.RpcError) as caught:
            await audit.checkpoint()
        assert client.refusal(caught.value).reason == "HISTORY_CHANGED"
        refused = (await audit.ask("ListCheckpoints", pb.ListCheckpointsRequest(page_size=1))).refused
        assert (last, "fork", "hash") in audit.named(list(refused))
        scraped = await asyncio.to_thread(scrape, watched.members["audit"].metrics_url)
        assert f"pitboss_checkpoint_refused {float(len(refused))}" in scraped
        done = await asyncio.to_thread(CliRunner().invoke, main.app, ["doctor", "--folder", str(watched.folder)])
        assert done.exit_code == 1, done.output
        assert "FAIL  checkpoints: no checkpoint is signed, because recorded data changed: " in done.output
        assert audit.table_id in done.output


async def test_chips_moved_in_an_entry_are_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """If a buy-in's chips went elsewhere, replay reports version and account, and the checkpoint the entry."""
    move = (
        "UPDATE legs SET amount = amount + %(a)s, balance_after = balance_after + %(a)s WHERE (entry_id, line) IN"
        " (SELECT entry_id, 1 FROM entries WHERE \"table\" = %(table)s AND kind = 'buy_in' ORDER BY at LIMIT 1)"
    )
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        owner.run(move, 20)
        try:
            assert {one.kind for one in await audit.replay()} == {"ledger", "forged"}
            found = {(one.kind, one.record) for one in await audit.held(checkpoint)}
            assert found >= {("edit", "entries"), ("ledger", "accounts")}
        finally:
            owner.run(move, -20)


async def test_a_forged_deposit_of_this_moment_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """After a consistent deposit past settlement nothing is signed, and every tool reports the entry."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        mallory, staff = await guests.player("mallory", 0), guests.operator.house
        forged = owner.post(mallory.subject, 1_000_000)
        posted = [forged]
        try:
            request = wallet_pb2.WithdrawRequest(
                request_id=client.request_id(), player=mallory.subject, amount=900_000, reason="cashed out"
            )
            posted.append((await staff.call(staff.wallets.Withdraw, request)).entry_id)
            assert await mallory.house.balance() == 100_000
            with pytest.raises(grpc.RpcError) as caught:
                await audit.checkpoint()
            assert client.refusal(caught.value).reason == "HISTORY_CHANGED"
            refused = (await audit.ask("ListCheckpoints", pb.ListCheckpointsRequest(page_size=1))).refused
            named = [("forged", "entries", forged)]
            assert [(one.kind, one.record, one.key) for one in refused] == named
            assert [(one.kind, one.record, one.key) for one in await audit.held(checkpoint)] == named
            scraped = await asyncio.to_thread(scrape, watched.members["audit"].metrics_url)
            assert "pitboss_checkpoint_refused 1.0" in scraped
            done = await asyncio.to_thread(CliRunner().invoke, main.app, ["doctor", "--folder", str(watched.folder)])
            assert (done.exit_code, f"entries {forged}  forged of signature" in done.output) == (1, True), done.output
        finally:
            owner.unpost(*posted)
        await audit.signed()


async def test_a_tables_entry_without_signature_is_named_by_replay(
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """An entry that fits its event but is not signed by settlement is reported by replay."""
    where = 'WHERE entry_id = (SELECT entry_id FROM entries WHERE "table" = %(table)s ORDER BY at, entry_id LIMIT 1)'
    async with tampering.exposed(watched, guests) as (audit, owner, _):
        owner.run(f"CREATE TEMP TABLE kept_entry AS SELECT entry_id, signature FROM entries {where}")
        owner.run(f"UPDATE entries SET signature = NULL {where}")
        try:
            [found] = await audit.replay()
            assert (found.kind, found.record, found.field) == ("forged", "entries", "signature")
        finally:
            owner.run("UPDATE entries e SET signature = k.signature FROM kept_entry k WHERE e.entry_id = k.entry_id")


def test_an_exported_ledger_is_checked_with_settlements_public_key(
    watched: local_house.LocalHouse, tmp_path: Path
) -> None:
    """``pitboss verify --ledger`` checks every entry of the house against the key, and reports the changed one."""

    async def funded() -> None:
        async with people.Crowd(reach.of_folder(watched.folder)) as crowd:
            await crowd.player("ann")

    def pitboss(*arguments: str) -> tuple[int, str]:
        done = CliRunner().invoke(main.app, [*arguments])
        return done.exit_code, done.output

    asyncio.run(funded())
    ledger = tmp_path / "ledger.jsonl"
    assert pitboss("export-ledger", "--out", str(ledger), "--folder", str(watched.folder))[0] == 0
    [key] = json.loads(watched.environment["PITBOSS_LEDGER_PUBLIC_KEYS"])
    code, said = pitboss("verify", "--ledger", str(ledger), "--entry-key", key)
    assert (code, " 0 not signed by settlement" in said) == (0, True), said
    lines = ledger.read_text().splitlines()
    entry = json.loads(lines[-1])
    entry["legs"][0]["amount"] *= 2
    ledger.write_text("\n".join([*lines[:-1], json.dumps(entry)]))
    code, said = pitboss("verify", "--ledger", str(ledger), "--entry-key", key)
    assert (code, f"FAIL  entry {entry['entry_id']}  forged" in said) == (1, True), said


async def test_an_exclusion_taken_out_with_its_significant_event_is_named(
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """The limit's row and its significant event are both reported as gaps, each with its number."""
    async with tampering.exposed(watched, guests) as (audit, owner, _):
        player = await guests.player("excluded", 0)
        until = timestamp_pb2.Timestamp()
        until.GetCurrentTime()
        until.seconds += 3600
        request = back_office_pb2.SetLimitRequest(
            request_id=client.request_id(), kind=back_office_pb2.LIMIT_KIND_EXCLUSION, until_time=until
        )
        await player.house.call(player.house.office.SetLimit, request)
        checkpoint = await audit.checkpoint()
        where = {"limits": "player = %(a)s", "significant_events": "actor = %(a)s"}
        for table, own in where.items():
            owner.run(f"CREATE TEMP TABLE taken_{table} AS SELECT * FROM {table} WHERE {own}", player.subject)
            owner.run(f"DELETE FROM {table} WHERE {own}", player.subject)
        try:
            found = [(one.kind, one.record) for one in await audit.held(checkpoint)]
            assert found == [("gap", "limits"), ("gap", "significant_events")]
        finally:
            for table in where:
                owner.run(f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM taken_{table}")


async def test_a_deleted_record_of_the_registry_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """A removed significant event is reported as a gap of its kind."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        owner.run("CREATE TEMP TABLE kept_significant AS SELECT * FROM significant_events ORDER BY number LIMIT 1")
        owner.run("DELETE FROM significant_events WHERE number = (SELECT number FROM kept_significant)")
        try:
            [found] = await audit.held(checkpoint)
            assert (found.kind, found.record) == ("gap", "significant_events")
        finally:
            owner.run("INSERT INTO significant_events OVERRIDING SYSTEM VALUE SELECT * FROM kept_significant")


async def test_a_dropped_stream_is_named(watched: local_house.LocalHouse, guests: people.Crowd) -> None:
    """A table taken out whole, events and head, is a gap from its first version on."""
    async with tampering.exposed(watched, guests) as (audit, owner, checkpoint):
        owner.run("DELETE FROM events WHERE stream_id = %(table)s")
        owner.run("DELETE FROM streams WHERE stream_id = %(table)s")
        assert audit.named(await audit.held(checkpoint)) == {(1, "gap", "version")}


async def test_decisions_changed_under_good_hashes_are_named(
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """Data that was changed with all hashes is reported by replay with version and field."""
    async with tampering.exposed(watched, guests) as (audit, owner, _):
        version = next(row[0] for row in owner.rows() if row[1].startswith("RoundSettled"))
        owner.rewrite(version, lambda data: data.replace('"at_ms":1', '"at_ms":1', 1).replace('":', '": ', 1))
        assert await audit.chain() == []
        assert version in {one.version for one in await audit.replay()}


async def test_a_checkpoint_of_the_house_is_no_proof_of_itself(
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """A changed text or signature of a checkpoint is reported, also in the house's own copy."""
    async with tampering.exposed(watched, guests) as (audit, owner, kept):
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
    watched: local_house.LocalHouse, guests: people.Crowd
) -> None:
    """Two texts and a few hashes prove that a checkpoint extends an older one."""
    async with tampering.exposed(watched, guests) as (audit, _, old):
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


def scrape(url: str) -> str:
    """Return the metrics of a process."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        found: bytes = answer.read()
    return found.decode()


def test_a_checkpoint_in_a_file_holds_exports_and_house_to_it(watched: local_house.LocalHouse, tmp_path: Path) -> None:
    """``pitboss checkpoint`` and ``verify`` accept an honest export and house, and report a rewritten one."""

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
    key = kept_checkpoints.read(kept.read_text()).key_id
    all_of_it = ("verify", str(export), "--checkpoint", str(kept), "--live", "--key", key, *folder)
    code, said = pitboss(*all_of_it)
    assert (code, said.count("ok    "), said.count("FAIL")) == (0, 4, 0), said
    code, said = pitboss("verify", "--checkpoint", str(kept), "--key", "00" * 32)
    assert (code, "the house's is 0000" in said) == (1, True)
    with tampering.Owner(watched.environment["PITBOSS_DATABASE_URL"], table_id) as owner:
        owner.rewrite(4)
        other = tmp_path / "other.jsonl"
        assert pitboss("export", table_id, "--out", str(other), *folder)[0] == 0
        code, said = pitboss("verify", str(other), "--checkpoint", str(kept), "--live", *folder)
    assert code == 1, said
    assert "fork: version" in said, said
    assert f"FAIL  table {table_id} version" in said, said
    document = json.loads(kept.read_text())
    document["tables"][0]["head_hash"] = "11" * 32
    kept.write_text(json.dumps(document))
    code, said = pitboss("verify", "--checkpoint", str(kept))
    assert (code, "are not in the checkpoint" in said) == (1, True)


def extended(old: pb.Checkpoint, answer: pb.ProveConsistencyResponse) -> None:
    """Check a proof against the older checkpoint. Raises AssertionError in words."""
    new = answer.new_checkpoint
    assert statements.signed_by(new.text, bytes.fromhex(new.signature), old.key_id)
    paths = {one.shard: [bytes.fromhex(node) for node in one.path] for one in answer.proofs}
    trees = {one.tree: [bytes.fromhex(node) for node in one.path] for one in answer.tree_proofs}
    wrong = list(proofs.extends(statements.read(old.text), statements.read(new.text), paths, trees))
    assert not wrong, wrong
