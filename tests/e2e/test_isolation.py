"""A whole house on a database that aborts transactions instead of waiting works without failed calls."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pitboss.v1 import audit_pb2 as pb

from services.cli import reach
from services.localhouse import local_house
from tests.database.conftest import at_level
from tests.support import people, play

ROLLED_BACK = "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()"


UNSETTLED = "SELECT count(*) FROM streams WHERE mark IN ('in_round', 'unsettled')"


@pytest.fixture
def strict(tmp_path: Path, fast_postgres_url: str, redis_url: str) -> Iterator[local_house.LocalHouse]:
    """Yield a house of its own with two dealers, all of whose transactions are at repeatable read."""
    at_level(fast_postgres_url, "repeatable read")
    running = local_house.LocalHouse(
        tmp_path,
        dealers=2,
        database_url=fast_postgres_url,
        redis_url=redis_url,
        settings={"PITBOSS_DRAIN_SECONDS": "2"},
    )
    with running:
        running.write_down()
        yield running


async def test_whole_rounds_where_transactions_are_aborted(
    strict: local_house.LocalHouse, fast_postgres_url: str
) -> None:
    """Rounds at several tables of several families over two dealers are played, settled and replayed; no call fails."""
    reached = reach.of_folder(strict.folder)
    async with people.Crowd(reached) as crowd:

        async def night(game: str, place: int) -> str:
            table_id, players = await play.opened(crowd, game)
            for player in players:
                player.houses.insert(0, player.houses.pop(place % 2))
            await play.rounds(table_id, players, 3)
            return table_id

        games = ("texas_holdem", "war", "baccarat", "texas_holdem", "tongbi_san_gong", "baccarat")
        tables = await asyncio.wait_for(asyncio.gather(*(night(game, at) for at, game in enumerate(games))), 150)
        auditor, metadata = crowd.auditor()
        made = await asyncio.gather(
            *(auditor.CreateCheckpoint(pb.CreateCheckpointRequest(), metadata=metadata, timeout=20) for _ in range(3))
        )
        assert len({each.checkpoint.text for each in made}) == len(made)
        for table_id in tables:
            report = await auditor.ReplayTable(pb.ReplayTableRequest(table_id=table_id), metadata=metadata, timeout=30)
            assert (report.rounds_replayed, list(report.mismatches)) == (3, [])
    with psycopg.connect(fast_postgres_url, autocommit=True) as conn:
        row = conn.execute(ROLLED_BACK).fetchone()
        unsettled = conn.execute(UNSETTLED).fetchone()
    assert row is not None
    assert row[0] > 0
    assert unsettled == (0,)
