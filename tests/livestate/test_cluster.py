"""The keys of the live tables suit a cluster, which refuses a script or a command whose keys lie in different slots."""

import time
from collections.abc import Iterator

import pytest
import redis
import redis.asyncio

from services.livestate.store import GROUPS, LiveState, Save
from services.runtime import embedded
from tests import servers

TABLES = [f"table-{number}" for number in range(40)]


@pytest.fixture
def cluster() -> Iterator[str]:
    """Give the URL of a server in cluster mode, of one node that holds all slots."""
    with servers.Nest() as nest:
        server = embedded.EmbeddedRedis(nest.folder / "redis", settings={"cluster-enabled": "yes"})
        try:
            url = server.start()
            with redis.Redis.from_url(url) as client:
                client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
                until = time.monotonic() + 20
                while "cluster_state:ok" not in str(client.execute_command("CLUSTER", "INFO")):
                    assert time.monotonic() < until, "the cluster does not come up"
                    time.sleep(0.05)
            yield url
        finally:
            server.stop(immediate=True)


async def test_every_call_keeps_to_one_slot(cluster: str) -> None:
    """Saving, many at once, loading, listing and forgetting deadlines: no call asks for keys of two slots."""
    live = LiveState(cluster, call_seconds=5)
    try:
        saves = [Save(table, 1, b"state", 1000 + at, "poker") for at, table in enumerate(TABLES)]
        assert await live.save_all(saves) == [True] * len(TABLES)
        assert await live.save(TABLES[0], 2, b"newer", 999, "poker")
        assert await live.load(TABLES[0]) == (2, b"newer")
        assert await live.versions(TABLES) == [2] + [1] * (len(TABLES) - 1)
        due = await live.due("poker", 1010, 5)
        assert due == [(TABLES[0], 999), *((table, 1000 + at) for at, table in enumerate(TABLES[:5]) if at)]
        assert await live.forget_deadline(TABLES[1], 1001, "poker")
        assert await live.deadline(TABLES[1], "poker") is None
    finally:
        await live.close()


async def test_tables_are_spread_over_slots(cluster: str) -> None:
    """Forty tables lie in all groups, each group in a slot of its own."""
    live = LiveState(cluster, call_seconds=5)
    await live.save_all([Save(table, 1, b"state", None, "poker") for table in TABLES])
    await live.close()
    async with redis.asyncio.Redis.from_url(cluster) as client:
        keys = await client.keys("pitboss:live:*")
        slots = {await client.cluster("KEYSLOT", key) for key in keys}
    assert len(keys) == len(TABLES)
    assert len(slots) == GROUPS
