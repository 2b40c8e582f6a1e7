"""Players' keys in the registry: made once, wrapped, rotated, destroyed by two persons only."""

import asyncio
from dataclasses import dataclass

import psycopg
import pytest

from services.database import retry
from services.fairness import seal
from services.fairness.seal import KeyRing
from services.privacy.keys import RING, PlayerKeys
from services.privacy.texts import PlayerKey
from services.registry import player_keys
from services.registry.player_keys import Tombstone
from tests.privacy.conftest import NEW, OLD
from tests.privacy.destroying import destroy
from tests.support import log_events, served
from tests.support.served import Connection


async def test_a_player_has_one_key_however_often_it_is_asked_for(conn: Connection, keys: PlayerKeys) -> None:
    """The first use makes a player's key, later ones find it; other players have other keys."""
    first, again = [await keys.of_player(conn, "ann") for _ in range(2)]
    assert first.key == again.key
    assert (await keys.of_player(conn, "bob")).key != first.key
    assert (await keys.standing(conn, [first.key_id, "unknown"])).keys() == {first.key_id}


async def test_two_who_make_the_first_key_at_once_get_the_same(
    postgres_url: str, conn: Connection, keys: PlayerKeys
) -> None:
    """The second waits for the first and finds its key, held by hand."""
    async with await served.connect(postgres_url) as other, await served.connect(postgres_url) as watcher:
        async with conn.transaction():
            first = await keys.of_player(conn, "ann")
            second = asyncio.create_task(_alone(other, keys))
            await log_events.wait_for_waiting(watcher)
            assert not second.done()
        assert (await second).key == first.key


async def _alone(conn: Connection, keys: PlayerKeys) -> PlayerKey:
    async with conn.transaction():
        return await keys.of_player(conn, "ann")


async def test_a_wrapped_key_is_bound_to_its_player(conn: Connection, keys: PlayerKeys) -> None:
    """A key that was moved to another player's row, or wrapped by another house, does not unwrap."""
    await keys.of_player(conn, "ann")
    held = await player_keys.of_player(conn, "ann")
    assert held is not None
    with pytest.raises(seal.TamperedError):
        keys.unwrap(player_keys.WrappedKey(held.key_id, "bob", held.wrapped))
    with pytest.raises(seal.TamperedError):
        PlayerKeys(KeyRing(RING, {"old": NEW}, "old")).unwrap(held)


async def test_keys_are_wrapped_anew_when_the_ring_turns(conn: Connection, keys: PlayerKeys) -> None:
    """After a rotation every key is wrapped by the new key, opens the same texts, and needs the old one no more."""
    before = {who: await keys.of_player(conn, who) for who in ("ann", "bob")}
    turned = PlayerKeys(KeyRing(RING, {"old": OLD, "new": NEW}, "new"))
    assert await turned.rewrap(conn) == 2
    assert await turned.rewrap(conn) == 0
    alone = PlayerKeys(KeyRing(RING, {"new": NEW}, "new"))
    assert {who: await alone.of_player(conn, who) for who in before} == before
    with pytest.raises(seal.KeyMissingError):
        await keys.of_player(conn, "ann")


async def test_a_destroyed_key_is_gone_and_leaves_its_tombstone(conn: Connection, keys: PlayerKeys) -> None:
    """After an erasure the row is deleted, both persons are recorded, and the next text gets a new key."""
    held = await keys.of_player(conn, "ann")
    assert await destroy(conn, "ann") == held.key_id
    assert await player_keys.of_player(conn, "ann") is None
    [stone] = await player_keys.tombstones(conn, 0)
    assert (stone.number, stone.key_id, stone.player, stone.asked_by, stone.decided_by) == (
        1,
        held.key_id,
        "ann",
        "alice",
        "bertha",
    )
    assert await destroy(conn, "ann") == ""
    assert (await keys.of_player(conn, "ann")).key_id != held.key_id


async def test_a_restored_key_is_destroyed_again(conn: Connection, keys: PlayerKeys) -> None:
    """After a restore from before an erasure its tombstone destroys the key again, once; a newer key stays."""
    held = await keys.of_player(conn, "ann")
    stone = Tombstone(7, held.key_id, "ann", "alice", "bertha", 0)
    assert await player_keys.reapply(conn, stone)
    assert not await player_keys.reapply(conn, stone)
    [kept] = await player_keys.tombstones(conn, 0)
    assert kept == Tombstone(1, held.key_id, "ann", "alice", "bertha", kept.at_ms)
    newer = await keys.of_player(conn, "ann")
    assert not await player_keys.reapply(conn, stone)
    assert await keys.of_player(conn, "ann") == newer


@dataclass
class Role:
    """A role of a process and what it must not do."""

    name: str
    statement: str


FORBIDDEN = [
    Role("pitboss_settlement", "DELETE FROM player_keys"),
    Role("pitboss_settlement", "UPDATE player_keys SET wrapped = 'x'"),
    Role("pitboss_settlement", "SELECT reapply_erasure('k', 'ann', 'a', 'b')"),
    Role("pitboss_settlement", "INSERT INTO player_erasures VALUES (1, 'k', 'ann', 'a', 'b')"),
    Role("pitboss_dealer", "SELECT destroy_player_key('6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10')"),
    Role(
        "pitboss_dealer",
        "INSERT INTO erasure_requests (number, erasure_id, player, reason, asked_by, request_key,"
        " digest) VALUES (1, '6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10', 'ann', 'x', 'y', 'z', 'd')",
    ),
    Role("pitboss_audit", "INSERT INTO player_keys (key_id, player, wrapped) VALUES ('k', 'ann', 'x')"),
    Role("pitboss_settlement", "SELECT destroy_player_key('6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10')"),
]


@pytest.mark.parametrize("role", FORBIDDEN, ids=lambda role: f"{role.name} {role.statement[:40]}")
async def test_no_process_destroys_a_key_by_itself(conn: Connection, keys: PlayerKeys, role: Role) -> None:
    """A process can destroy only keys whose erasure two persons agreed on; the database refuses all else."""
    await keys.of_player(conn, "ann")
    await conn.execute(f"SET ROLE {role.name}".encode())
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        await conn.execute(role.statement.encode())


@pytest.mark.parametrize("decider", ["alice", "ALICE", "ann", "Ann"])
async def test_the_database_holds_that_another_person_decides(conn: Connection, decider: str) -> None:
    """The database refuses an approval by the requester and by the player."""
    await conn.execute(
        "INSERT INTO erasure_requests (number, erasure_id, player, reason, asked_by, request_key, digest)"
        " VALUES (1, '6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10', 'ann', 'x', 'alice', 'z', 'd')"
    )
    with pytest.raises(psycopg.errors.CheckViolation):
        await conn.execute(
            "INSERT INTO erasure_decisions (erasure_id, approved, reason, decided_by, request_key, digest)"
            " VALUES ('6f1c1a54-3f9a-4c54-8a56-0d8d5b6f1d10', true, 'x', %s, 'z', 'd')",
            (decider,),
        )


async def test_the_isolation_of_repeated_reads_sees_one_key_only(
    postgres_url: str, conn: Connection, keys: PlayerKeys
) -> None:
    """At a level at which the later of two transactions is aborted it is run again, and finds the key of the first."""
    async with await served.connect(postgres_url) as other:
        await other.set_isolation_level(psycopg.IsolationLevel.SERIALIZABLE)
        async with other.transaction():
            await other.execute("SELECT count(*) FROM player_keys")
            held = await keys.of_player(conn, "ann")
            with pytest.raises(psycopg.Error) as caught:
                await keys.of_player(other, "ann")
            assert retry.lost_race(caught.value)
            raise psycopg.Rollback
        async with other.transaction():
            assert (await keys.of_player(other, "ann")).key == held.key
