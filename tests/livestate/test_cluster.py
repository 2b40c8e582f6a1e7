"""A cluster of several nodes: the effects of a node that dies, freezes, is replaced or hands over slots."""

import asyncio
import contextlib
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from services.livestate import connectivity, notifications, slots
from services.livestate.schedule import Wanted
from services.livestate.store import LiveState, LiveStateAway, Save
from services.livestate.sweep_turns import Turn
from services.localhouse import embedded
from tests.livestate.test_watch import reaches
from tests.support import clusters, servers, waits

PATIENCE = 20.0
PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
MANY = [f"table-{number}" for number in range(200)]
TABLES = [next(table for table in MANY if slots.of_table(table) == group) for group in range(slots.COUNT)]
"""A table of each group."""


@pytest.fixture
async def live(cluster: clusters.Cluster) -> AsyncIterator[LiveState]:
    """Yield a store on the cluster that tests share, empty afterwards."""
    store = LiveState(cluster.url, call_seconds=5)
    yield store
    await store.close()
    for node in cluster.nodes:
        clusters.ask(node, "FLUSHALL")


def saves(version: int) -> list[Save]:
    """Return a save of a table of each group, due at the time of its version."""
    return [Save(table, version, b"%d" % version, version, "poker") for table in TABLES]


def wanted(version: int) -> list[Wanted]:
    """Return the same tables as the log has them at a version."""
    return [Wanted(table, version, "poker") for table in TABLES]


def served_by(cluster: clusters.Cluster, node: int) -> list[str]:
    """Return the tables whose group's slot was assigned to a primary."""
    count = len(cluster.primaries)
    return [table for table in TABLES if slots.SLOTS[slots.of_table(table)] * count // clusters.SLOTS == node]


async def again(call: Any, *arguments: Any) -> Any:
    """Repeat a call until Redis is not away, for a bounded time."""
    return await waits.answered(lambda: call(*arguments), LiveStateAway, seconds=PATIENCE)


async def test_calls_reach_all_nodes(cluster: clusters.Cluster, live: LiveState) -> None:
    """Tables that are saved at once are on all nodes, and their versions and deadlines are read together."""
    assert await live.save_all(saves(1)) == [True] * len(TABLES)
    assert [clusters.ask(node, "DBSIZE") for node in cluster.nodes] == [6, 4, 6]
    assert await live.versions([*TABLES, "nowhere"]) == [1] * len(TABLES) + [None]
    assert await live.due("poker", 1, 5) == sorted((table, 1) for table in TABLES)[:5]
    assert await live.unscheduled(wanted(1)) == {}
    assert await live.unscheduled(wanted(2)) == dict.fromkeys(TABLES, True)
    await live.ping()


@pytest.mark.parametrize("named", [0, 1, 2])
async def test_one_node_is_enough_to_find_the_others(cluster: clusters.Cluster, named: int) -> None:
    """A URL with a single node, by another name and beside a missing one, serves all tables."""
    url = cluster.url_of(cluster.nodes[named]).replace("@127.0.0.1", "@127.0.0.1:9,localhost")
    store = LiveState(url, call_seconds=5)
    try:
        assert await store.save_all(saves(named + 1)) == [True] * len(TABLES)
        assert await store.load(TABLES[0]) == (named + 1, b"%d" % (named + 1))
        asked = clusters.ask(cluster.nodes[named], "CLIENT LIST")
        assert "cluster|slots" not in [one["cmd"] for one in asked], "a second way to the same node is closed"
    finally:
        await store.close()
        for node in cluster.nodes:
            clusters.ask(node, "FLUSHALL")


async def test_a_version_saved_through_any_node_is_heard_at_every_node(cluster: clusters.Cluster) -> None:
    """A subscriber at one node is notified of tables on all nodes, and of versions published without a save."""
    async with contextlib.AsyncExitStack() as stack:
        stores = [LiveState(cluster.url_of(node), call_seconds=5) for node in cluster.nodes]
        for store in stores:
            stack.push_async_callback(store.close)
        watches = [store.watch(table) for store in stores for table in TABLES]
        await _listening(cluster, [1 + len(TABLES)] * len(stores))
        await stores[0].save_all(saves(7))
        for watch in watches:
            assert await reaches(watch, 7) == [7]
        for table in TABLES:
            await stores[1].publish(table, 8)
        for watch in watches:
            assert await reaches(watch, 8) == [8]
    for node in cluster.nodes:
        clusters.ask(node, "FLUSHALL")


@pytest.mark.parametrize("how", ["killed", "frozen"])
async def test_a_node_that_is_away_costs_the_others_nothing(
    own_cluster: clusters.Cluster, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Tables of other nodes are not affected; those of the node fail fast and recover."""
    monkeypatch.setattr(notifications, "BEAT_SECONDS", 0.3)
    store = LiveState(own_cluster.url, call_seconds=0.5)
    lost, node = served_by(own_cluster, 1), own_cluster.nodes[1]
    well = [table for table in TABLES if table not in lost]
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        watches = {table: store.watch(table) for table in TABLES}
        await again(store.save_all, saves(1))
        for watch in watches.values():
            assert await reaches(watch, 1) == [1]
        stack.callback(_mend, node, how)
        _strike(node, how)
        started = time.monotonic()
        for version in range(2, 12):
            with pytest.raises(LiveStateAway):
                await store.save_all(saves(version))
            for table in well:
                assert await store.load(table) == (version, b"%d" % version)
            for table in lost:
                with pytest.raises(LiveStateAway):
                    await store.load(table)
        assert time.monotonic() - started < 8, "the node was asked in vain again and again"
        assert store.away
        assert await store.due("poker", 100, 100) == sorted((table, 11) for table in well)
        assert await store.unscheduled(wanted(11)) == dict.fromkeys(lost, False)
        for table in well:
            assert (await reaches(watches[table], 11))[-1] == 11
        _mend(node, how)
        await again(store.save_all, saves(12))
        assert await store.versions(TABLES) == [12] * len(TABLES)
        for watch in watches.values():
            assert (await reaches(watch, 12))[-1] == 12
        await again(store.ping)
        assert not store.away


async def test_a_replica_takes_over_and_gives_back() -> None:
    """When a primary dies its replica serves the saved tables; a planned failover is followed."""
    with clusters.running(replicas=1, timeout_ms=1_000) as cluster:
        store = LiveState(cluster.url_of(*cluster.primaries), call_seconds=2)
        async with contextlib.AsyncExitStack() as stack:
            stack.push_async_callback(store.close)
            watches = [store.watch(table) for table in TABLES]
            await store.save_all(saves(1))
            await asyncio.to_thread(cluster.replicated)
            cluster.primaries[0].stop(immediate=True)
            assert await again(store.load, served_by(cluster, 0)[0]) == (1, b"1"), "the replica has what was saved"
            await again(store.save_all, saves(2))
            for watch in watches:
                assert (await reaches(watch, 2))[-1] == 2
            await asyncio.to_thread(cluster.start)
            assert not store.away
            await _given_back(cluster, store)
            assert await store.versions(TABLES) == [1000] * len(TABLES)


async def _given_back(cluster: clusters.Cluster, store: LiveState) -> None:
    """Move the slots back to the old primary while tables are saved continuously."""
    old = cluster.primaries[0]
    waits.eventually_blocking(lambda: "master_link_status:up" in clusters.info(old), "the old primary follows")
    until, version = time.monotonic() + 2 * PATIENCE, 100
    asked = float("-inf")
    while "role:master" not in clusters.info(old):
        assert time.monotonic() < until, "the old primary does not take over"
        if time.monotonic() - asked > 12:  # a handover that a slow machine has let expire begins anew
            asked = time.monotonic()
            await asyncio.to_thread(clusters.ask, old, "CLUSTER", "FAILOVER")
        version += 1
        with contextlib.suppress(LiveStateAway):  # the node that hands over lets its clients wait
            await store.save_all(saves(version))
    assert all(await again(store.save_all, saves(1000)))


async def test_saves_follow_a_slot_on_its_way(own_cluster: clusters.Cluster) -> None:
    """Step by step: moved keys are read at their new node, and a save with separated keys waits for both."""
    table, slot = TABLES[0], slots.SLOTS[0]
    source, _, target = own_cluster.primaries
    store, hasty = LiveState(own_cluster.url, call_seconds=2), LiveState(own_cluster.url, call_seconds=0.3)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        stack.push_async_callback(hasty.close)
        await again(store.save_all, saves(1))
        await asyncio.to_thread(own_cluster.open_way, slot, source, target)
        assert await store.save(table, 2, b"2", 2, "poker"), "both keys are still here"
        await asyncio.to_thread(own_cluster.move, source, target, slots.state(table))
        assert await store.load(table) == (2, b"2"), "the state has gone"
        assert await store.deadline(table, "poker") == 2, "the deadline has not"
        for version in range(3, 6):
            with pytest.raises(LiveStateAway):
                await hasty.save(table, version, b"apart", version, "poker")
        assert not hasty.away, "the nodes are well"
        assert await store.save_all(saves(5)[1:]) == [True] * (len(TABLES) - 1)
        waiting = asyncio.create_task(store.save(table, 6, b"6", 6, "poker"))
        await waits.turns(5)
        await asyncio.to_thread(own_cluster.move, source, target, slots.deadlines(0, "poker"))
        assert await waiting, "both keys are there"
        clusters.ask(source, "SCRIPT", "FLUSH")
        clusters.ask(target, "SCRIPT", "FLUSH")
        assert await store.save_all(saves(7)) == [True] * len(TABLES), "followed, and taught again, in one call"
        await asyncio.to_thread(own_cluster.hand_over, slot, source, target)
        assert await store.save_all(saves(8)) == [True] * len(TABLES)
        assert await store.due("poker", 8, 100) == sorted((table, 8) for table in TABLES)
    assert clusters.ask(target, "CLUSTER", "COUNTKEYSINSLOT", slot) == 2
    await asyncio.to_thread(_moved, own_cluster, target, source)


async def test_slots_that_move_while_tables_are_saved(own_cluster: clusters.Cluster) -> None:
    """While a slot moves key by key, saves follow or report a failure, and none is lost or undone."""
    tables = [table for table in MANY if slots.of_table(table) == 0]
    elsewhere = [table for table in TABLES if slots.of_table(table) != 0]
    source, _, target = own_cluster.primaries
    store = LiveState(own_cluster.url, call_seconds=1)
    stored = dict.fromkeys(tables, 0)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        watch = store.watch(tables[0])
        await again(store.save_all, [Save(table, 0, b"0", 0, "poker") for table in tables])
        moving = asyncio.create_task(asyncio.to_thread(_moved, own_cluster, source, target, 0.01))
        version = 0
        while not moving.done():
            version += 1
            for table in (*tables, *elsewhere):
                try:
                    assert await store.save(table, version, b"%d" % version, version, "poker")
                    stored[table] = version
                except LiveStateAway:
                    assert table in tables, "other slots do not move"
        await moving
        for table, at_least in stored.items():
            found = await again(store.load, table)
            assert found is not None
            assert at_least <= found[0] <= version
        last = [Save(table, version + 1, b"end", version + 1, "poker") for table in tables]
        assert await again(store.save_all, last) == [True] * len(tables)
        assert (await reaches(watch, version + 1))[-1] == version + 1
    keys = clusters.ask(target, "CLUSTER", "COUNTKEYSINSLOT", slots.SLOTS[0])
    assert keys == len(tables) + 1, "all keys of the slot lie on its new node"
    await asyncio.to_thread(_moved, own_cluster, target, source)


def _moved(
    cluster: clusters.Cluster, source: embedded.EmbeddedRedis, target: embedded.EmbeddedRedis, pause: float = 0.0
) -> None:
    """Hand the slot of the first group over."""
    cluster.open_way(slots.SLOTS[0], source, target)
    cluster.move_all(slots.SLOTS[0], source, target, pause)
    cluster.hand_over(slots.SLOTS[0], source, target)


async def test_closing_leaves_neither_connection_nor_task(cluster: clusters.Cluster) -> None:
    """A store that is closed at any moment leaves no task and no connection."""
    before = asyncio.all_tasks()
    for turn in range(20):
        store = LiveState(cluster.url, call_seconds=5)
        store.watch(TABLES[0])
        calls = [asyncio.create_task(store.save_all(saves(turn))) for _ in range(4)]
        await waits.turns(3 * turn)
        for call in calls[: turn % 5]:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.wait_for(store.close(), PATIENCE)
        assert asyncio.all_tasks() == before
    for node in cluster.nodes:
        await waits.eventually(partial(_is_left, node), "no connection is left")
        clusters.ask(node, "FLUSHALL")


def _is_left(node: embedded.EmbeddedRedis) -> bool:
    return len(clusters.ask(node, "CLIENT LIST")) == 1


async def test_a_user_of_the_documented_rights_can_do_all(cluster: clusters.Cluster) -> None:
    """The rights on the operations page are sufficient for every call, watch and check; no other key is used."""
    rights = re.search(r"needs `(\+[^`]+)`", " ".join(PAGE.read_text(encoding="utf-8").split()))
    assert rights is not None
    for node in cluster.nodes:
        clusters.ask(node, "ACL", "SETUSER", "house", "on", ">secret", *rights[1].split())
        for words in (("GET", "other"), ("FLUSHALL",), ("CONFIG", "GET", "*"), ("CLUSTER", "RESET")):
            assert "no permissions" in str(clusters.ask(node, "ACL", "DRYRUN", "house", *words))
    hosts = cluster.url.rpartition("@")[2]
    url = f"redis+cluster://house:secret@{hosts}"
    assert "3 of them primaries" in connectivity.describe(url)
    store = LiveState(url, call_seconds=5)
    try:
        watch = store.watch(TABLES[0])
        await store.save_all(saves(1))
        assert await reaches(watch, 1) == [1]
        await store.publish(TABLES[0], 2)
        assert await reaches(watch, 2) == [2]
        assert await store.load(TABLES[0]) == (1, b"1")
        assert len(await store.due("poker", 1, 100)) == len(TABLES)
        assert await store.unscheduled(wanted(1)) == {}
        sweep = store.sweep_turns("rounds:poker", 2_000, 500)
        assert await sweep.take(1) == 0, "it is new, and begins"
        turn = await sweep.take(1)
        assert isinstance(turn, Turn)
        assert await sweep.end(turn, "", 1)
        assert await store.forget_deadline(TABLES[0], 1, "poker")
        await store.ping()
    finally:
        await store.close()
        for node in cluster.nodes:
            clusters.ask(node, "ACL", "DELUSER", "house")
            clusters.ask(node, "FLUSHALL")


async def test_what_is_no_cluster_is_away_and_nothing_worse() -> None:
    """Missing nodes, a wrong password, a server without a cluster and a node without slots all count as away."""
    with servers.Nest() as nest:
        bare = embedded.EmbeddedRedis(nest.folder / "redis")
        alone = embedded.EmbeddedRedis(
            nest.folder / "alone", settings={"cluster-enabled": "yes", "cluster-port": str(embedded.free_port())}
        )
        try:
            urls = [bare.start(), alone.start(), bare.url.replace("@", "x@"), "redis://127.0.0.1:9/0"]
            for url in urls:
                store = LiveState(url.replace("redis://", "redis+cluster://"), call_seconds=1)
                for _ in range(10):
                    with pytest.raises(LiveStateAway):
                        await store.save_all(saves(1))
                assert await store.unscheduled(wanted(1)) == dict.fromkeys(TABLES, False)
                with pytest.raises(LiveStateAway):
                    await store.ping()
                assert store.away
                await store.close()
        finally:
            bare.stop(immediate=True)
            alone.stop(immediate=True)


def _strike(node: embedded.EmbeddedRedis, how: str) -> None:
    if how == "killed":
        node.stop(immediate=True)
    else:
        os.kill(node.pid, signal.SIGSTOP)


def _mend(node: embedded.EmbeddedRedis, how: str) -> None:
    """Start or wake a node; one that runs is left as it is."""
    if how == "killed":
        node.start()
    else:
        os.kill(node.pid, signal.SIGCONT)


async def _listening(cluster: clusters.Cluster, channels: list[int]) -> None:
    await waits.eventually(
        lambda: [len(clusters.ask(node, "PUBSUB", "CHANNELS")) for node in cluster.nodes] == channels,
        f"{channels} channels at the nodes",
    )
