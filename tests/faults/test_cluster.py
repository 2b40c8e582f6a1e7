"""A whole house on a Redis cluster, by its URL alone: rounds, flushes, deadlines, and a node that is away."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator

import psycopg
import pytest
from psycopg import sql

from services.localhouse import local_house
from services.rules import catalogue
from tests.faults import breaking, floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.faults.test_deadlines import LATE_MS, lags_of, start, until_settled
from tests.support import clusters, people, waits
from tests.support.people import Crowd
from tests.support.servers import TEMPLATE

FAMILIES = {catalogue.game(game).family: game for game in catalogue.FILES}
"""A game of each family."""


@pytest.fixture(scope="module")
def _clustered(
    tmp_path_factory: pytest.TempPathFactory, _migrated: str, restless_cluster: clusters.Cluster
) -> Iterator[Broken]:
    """Yield a house of two dealers on the cluster and on a database of its own."""
    folder = tmp_path_factory.mktemp("clustered")
    name = f"clustered_{os.getpid()}"
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
    url = f"{_migrated.rpartition('/')[0]}/{name}"
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if name.startswith("PITBOSS_")]:
            environment.delenv(name)
        with local_house.LocalHouse(
            folder, dealers=2, settings=breaking.SETTINGS, database_url=url, redis_url=restless_cluster.url
        ) as running:
            running.write_down()
            yield Broken(running, folder)
    with psycopg.connect(_migrated, autocommit=True) as conn:
        conn.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def house(_clustered: Broken) -> AsyncIterator[Broken]:
    """Yield the house; afterwards none of its processes has logged a program error."""
    yield _clustered
    assert _clustered.errors() == [], "a call failed for a reason that the house does not know"


@pytest.fixture
async def crowd(house: Broken) -> AsyncIterator[Crowd]:
    """Yield the people of this test."""
    async with people.Crowd(await house.arrange()) as guests:
        yield guests


async def test_every_family_plays_on_a_cluster_that_is_flushed(
    house: Broken, crowd: Crowd, own_cluster: clusters.Cluster
) -> None:
    """A round of a game of each family, the cluster flushed in mid-round, ends and is settled as the log says."""
    tables = [await Played.open(crowd, game) for game in FAMILIES.values()]
    for table in tables:
        await table.start()
        await table.play(1)
    waits.eventually_blocking(lambda: _keys(own_cluster) > len(tables), "the cluster holds tables and deadlines")
    for node in own_cluster.nodes:
        clusters.ask(node, "FLUSHALL")
    await asyncio.gather(*(table.finish() for table in tables))
    for table in tables:
        await proofs.settled_in_time(house, table)
    await proofs.hold(house, crowd, *tables)


def _keys(cluster: clusters.Cluster) -> int:
    return sum(clusters.ask(node, "DBSIZE") for node in cluster.nodes)


async def test_deadlines_pass_and_rounds_go_on_while_a_node_is_away(
    house: Broken, crowd: Crowd, own_cluster: clusters.Cluster
) -> None:
    """Rounds that nobody plays, begun before or after a node died, end in time; rounds that are played go on."""
    before = [await start(crowd, game) for game in floor.CORE]
    playing = [await Played.open(crowd, game) for game in floor.CORE * 2]
    for table in playing:
        await table.start()
        await table.play(1)
    dead = own_cluster.nodes[0]
    await asyncio.to_thread(dead.stop, immediate=True)
    after = [await start(crowd, game) for game in (*floor.CORE, *floor.others(2, 4))]
    await asyncio.gather(*(table.finish() for table in playing))
    for table in [*before, *after]:
        assert max(lags_of(await until_settled(house, table))) <= LATE_MS
    await asyncio.to_thread(own_cluster.start)
    for table in [*before, *playing, *after]:
        await proofs.settled_in_time(house, table)
    await proofs.hold(house, crowd, *before, *playing, *after)
