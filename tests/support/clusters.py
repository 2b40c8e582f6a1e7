"""A real Redis cluster on 127.0.0.1 for tests: several embedded nodes that know each other, ended with the test."""

import contextlib
import functools
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import redis

from services.localhouse import embedded
from tests.support import servers, waits

SLOTS: Final = 16_384
TIMEOUT_MS: Final = 10_000
"""A node that is silent for so long is given up by the others; far more than a crowded machine costs."""
PATIENCE: Final = 30.0
"""Seconds in which a cluster comes to agree, on a crowded machine too."""


class Cluster:
    """Primaries that share all slots evenly, the first slots first, each with so many replicas.

    Nodes may be stopped, killed and started again; each keeps its ports, and its place in the cluster, by its folder.
    A group of slots whose node is away does not stop the others (``cluster-require-full-coverage no``).
    """

    def __init__(self, folder: Path, *, primaries: int = 3, replicas: int = 0, timeout_ms: int = TIMEOUT_MS) -> None:
        self._timeout_ms = timeout_ms
        self._password = secrets.token_hex(16)
        self.nodes = [self._node(folder / f"node-{number}") for number in range(primaries * (1 + replicas))]
        self.primaries, self.replicas = self.nodes[:primaries], self.nodes[primaries:]

    @property
    def url(self) -> str:
        """The URL that names every node."""
        return self.url_of(*self.nodes)

    def url_of(self, *nodes: embedded.EmbeddedRedis) -> str:
        """Return the URL of the cluster by these nodes only."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in nodes)
        return f"redis+cluster://:{self._password}@{hosts}"

    def form(self) -> None:
        """Start the nodes and make them one cluster."""
        for node in self.nodes:
            node.start()
        for at, node in enumerate(self.primaries):
            first, last = at * SLOTS // len(self.primaries), (at + 1) * SLOTS // len(self.primaries) - 1
            ask(node, "CLUSTER", "ADDSLOTSRANGE", first, last)
            ask(node, "CLUSTER", "SET-CONFIG-EPOCH", at + 1)
        for node in self.nodes[1:]:
            ask(node, "CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].settings["cluster-port"])
        waits.eventually_blocking(lambda: all(self.agrees(node) for node in self.nodes), "the nodes know each other")
        for at, node in enumerate(self.replicas):
            ask(node, "CLUSTER", "REPLICATE", name_of(self.primaries[at % len(self.primaries)]))
        waits.eventually_blocking(
            lambda: all("master_link_status:up" in info(node) for node in self.replicas), "the replicas follow"
        )
        self._hear_each_other()

    def _hear_each_other(self) -> None:
        """Wait until what one node publishes arrives at every other.

        A link is shown as connected before the node at its far end knows from whom it is, and what is published in
        between is lost.
        """
        with contextlib.ExitStack() as stack:
            heard = [stack.enter_context(redis.Redis.from_url(node.url, socket_timeout=10)) for node in self.nodes]
            subscribers = [stack.enter_context(client.pubsub(ignore_subscribe_messages=True)) for client in heard]
            for subscriber in subscribers:
                subscriber.subscribe("probe")
            silent = {(at, by) for at in range(len(self.nodes)) for by in range(len(self.nodes))}

            def all_heard() -> bool:
                for by in {by for _, by in silent}:
                    ask(self.nodes[by], "PUBLISH", "probe", by)
                for at, subscriber in enumerate(subscribers):
                    while (message := subscriber.get_message(timeout=0.01)) is not None:
                        silent.discard((at, int(message["data"])))
                return not silent

            waits.eventually_blocking(all_heard, "the nodes hear each other")

    def start(self) -> None:
        """Start those nodes again that were stopped, and wait until all know each other."""
        for node in self.nodes:
            node.start()
        waits.eventually_blocking(
            lambda: all(self.agrees(node) for node in self.nodes), "the nodes find each other again"
        )
        self._hear_each_other()

    def replicated(self) -> None:
        """Wait until each replica has all that its primary has written by now.

        WAIT would not do: it answers for what its own connection has written.
        """
        for at, node in enumerate(self.replicas):
            written = _offset(self.primaries[at % len(self.primaries)], "master_repl_offset")
            waits.eventually_blocking(functools.partial(_has, node, written), "the replica has what was written")

    def stop(self, *, immediate: bool = True) -> None:
        """End every node."""
        for node in self.nodes:
            node.stop(immediate=immediate)

    def agrees(self, node: embedded.EmbeddedRedis) -> bool:
        """Whether a node knows all others and holds the cluster to be whole."""
        found = ask(node, "CLUSTER INFO")
        if found["cluster_state"] != "ok" or int(found["cluster_known_nodes"]) != len(self.nodes):
            return False
        known = ask(node, "CLUSTER", "NODES")
        text = known.decode() if isinstance(known, bytes) else str(known)
        return all(line.split()[7] == "connected" for line in text.splitlines())

    def open_way(self, slot: int, source: embedded.EmbeddedRedis, target: embedded.EmbeddedRedis) -> None:
        """Begin to hand a slot over, as an operator's tool does it: from now on the source sends on what it has not."""
        ask(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", name_of(source))
        ask(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", name_of(target))

    def move(self, source: embedded.EmbeddedRedis, target: embedded.EmbeddedRedis, *keys: str) -> None:
        """Move keys from node to node."""
        words = ("127.0.0.1", target.port, "", 0, 5_000, "AUTH", self._password, "KEYS", *keys)
        ask(source, "MIGRATE", *words)

    def move_all(
        self, slot: int, source: embedded.EmbeddedRedis, target: embedded.EmbeddedRedis, pause: float = 0.0
    ) -> None:
        """Move all keys of a slot one by one, with a pause after each."""
        while names := ask(source, "CLUSTER", "GETKEYSINSLOT", slot, 1):
            self.move(source, target, *names)
            time.sleep(pause)

    def hand_over(self, slot: int, source: embedded.EmbeddedRedis, target: embedded.EmbeddedRedis) -> None:
        """Announce the slot's new owner to all nodes."""
        for node in (target, source, *self.primaries):
            ask(node, "CLUSTER", "SETSLOT", slot, "NODE", name_of(target))

    def _node(self, folder: Path) -> embedded.EmbeddedRedis:
        folder.mkdir(mode=0o711)
        password = folder / "password"
        password.touch(mode=0o600)
        password.write_text(self._password)
        settings = {
            "cluster-enabled": "yes",
            "cluster-port": str(embedded.free_port()),
            "cluster-node-timeout": str(self._timeout_ms),
            "cluster-require-full-coverage": "no",
            "cluster-replica-validity-factor": "0",
            "repl-diskless-sync-delay": "0",
            "masterauth": self._password,
        }
        return embedded.EmbeddedRedis(folder, settings=settings)


@contextlib.contextmanager
def running(*, primaries: int = 3, replicas: int = 0, timeout_ms: int = TIMEOUT_MS) -> Iterator[Cluster]:
    """Run a cluster; nothing of it is left."""
    with servers.Nest() as nest:
        cluster = Cluster(nest.folder, primaries=primaries, replicas=replicas, timeout_ms=timeout_ms)
        try:
            cluster.form()
            yield cluster
        finally:
            cluster.stop()


def ask(node: embedded.EmbeddedRedis, *words: object) -> Any:
    """Send one command to one node."""
    with redis.Redis.from_url(node.url, socket_timeout=10) as client:
        return client.execute_command(*words)


def info(node: embedded.EmbeddedRedis) -> str:
    """Return a node's replication status."""
    with redis.Redis.from_url(node.url, socket_timeout=10) as client:
        return "\n".join(f"{name}:{value}" for name, value in client.info("replication").items())


def _has(replica: embedded.EmbeddedRedis, written: int) -> bool:
    return _offset(replica, "slave_repl_offset") >= written


def _offset(node: embedded.EmbeddedRedis, name: str) -> int:
    [line] = [line for line in info(node).splitlines() if line.startswith(f"{name}:")]
    return int(line.partition(":")[2])


def name_of(node: embedded.EmbeddedRedis) -> str:
    """Return the id of a node in the cluster."""
    found = ask(node, "CLUSTER", "MYID")
    return found.decode() if isinstance(found, bytes) else str(found)
