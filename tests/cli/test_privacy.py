"""``pitboss privacy``: tombstones are applied again to a restored database; a bad file is reported in words."""

import asyncio
import json
from pathlib import Path

from services.registry import player_keys
from tests.cli.conftest import Call
from tests.privacy import destroying, opening
from tests.support import served


def test_a_restored_key_is_destroyed_again(pitboss: Call, tmp_path: Path, postgres_url: str) -> None:
    """Of two keys that a backup brought back the one with a tombstone goes, once; the other stays."""

    async def keys() -> list[str]:
        async with await served.connect(postgres_url) as conn:
            return [(await opening.KEYS.of_player(conn, who)).key_id for who in ("ann", "bob")]

    ann, bob = asyncio.run(keys())
    file = tmp_path / "tombstones.jsonl"
    file.write_text(json.dumps({"key_id": ann, "player": "ann", "requested_by": "alice", "decided_by": "bert"}) + "\n")
    for again in (1, 0):
        done = pitboss("privacy", "reapply", file, PITBOSS_DATABASE_URL=postgres_url)
        assert (done.exit_code, done.stdout) == (0, f"1 tombstones; {again} restored keys were destroyed again\n")

    async def left() -> list[str]:
        async with await served.connect(postgres_url) as conn:
            assert [stone.player for stone in await player_keys.tombstones(conn, 0)] == ["ann"]
            return [one.key_id for one in await player_keys.by_id(conn, [ann, bob])]

    assert asyncio.run(left()) == [bob]


def test_a_file_of_something_else_is_refused(pitboss: Call, tmp_path: Path, postgres_url: str) -> None:
    """A line that is not a tombstone is reported, and nothing is destroyed."""
    file = tmp_path / "tombstones.jsonl"
    for text, says in (("not json\n", "line 1 is not a tombstone"), ("{}\n", "line 1 names no key")):
        file.write_text(text)
        done = pitboss("privacy", "reapply", file, PITBOSS_DATABASE_URL=postgres_url)
        assert done.exit_code == 2
        assert says in done.output


def test_tombstones_of_a_database_are_what_reapply_reads(pitboss: Call, tmp_path: Path, postgres_url: str) -> None:
    """Applied to the database that they come from, tombstones change nothing."""

    async def erased() -> player_keys.Tombstone:
        async with await served.connect(postgres_url) as conn:
            await opening.KEYS.of_player(conn, "ann")
            await destroying.destroy(conn, "ann")
            return (await player_keys.tombstones(conn, 0))[0]

    stone = asyncio.run(erased())
    file = tmp_path / "tombstones.jsonl"
    file.write_text(
        json.dumps(
            {
                "key_id": stone.key_id,
                "player": stone.player,
                "requested_by": stone.asked_by,
                "decided_by": stone.decided_by,
                "erase_time": "2026-11-30T12:00:00Z",
            }
        )
    )
    assert pitboss("privacy", "reapply", file, PITBOSS_DATABASE_URL=postgres_url).exit_code == 0

    async def count() -> int:
        async with await served.connect(postgres_url) as conn:
            return len(await player_keys.tombstones(conn, 0))

    assert asyncio.run(count()) == 1
