"""The connectivity check of ``pitboss doctor``: which Redis answers, and whether it is what the URL says."""

from typing import Any, Final

import redis

from services.livestate import addresses, slots
from services.livestate.addresses import Place

SECONDS: Final = 3.0


def describe(url: str) -> str:
    """Describe what a URL leads to: server and version, or a cluster's nodes, each of which must answer.

    Raises ValueError (what is wrong and what would be right) and redis.RedisError (no answer).
    """
    named = addresses.parse(url)
    return _one(named) if isinstance(named, str) else _cluster(named)


def _one(url: str) -> str:
    with _client(url) as server:
        info: Any = server.info("everything")
        if info.get("cluster_enabled"):
            found: Any = server.execute_command("CLUSTER INFO")
            if int(found["cluster_known_nodes"]) > 1:
                raise ValueError(
                    "this server is a node of a cluster; name it as redis+cluster://…, or most tables are away"
                )
    return _version(info)


def _cluster(named: addresses.Cluster) -> str:
    shares, asked, known = _shares(named)
    served = sum(last - first + 1 for first, last, *_ in shares)
    homes, places = slots.homes(shares, asked)
    if len(homes) < slots.COUNT:
        raise ValueError(f"the cluster serves {served} of 16384 slots; assign the others to nodes")
    versions = {_node(named, place) for place in places}
    primaries = len({share[2][2] for share in shares})
    return (
        f"{', '.join(sorted(versions))}: a cluster of {known} nodes, {primaries} of them primaries; those with data "
        f"answer; tables are on {len(set(homes.values()))}"
    )


def _shares(named: addresses.Cluster) -> tuple[list[Any], Place, int]:
    """Ask the named nodes in turn for all slot ranges; return them, the node that answered and its count of nodes."""
    lost: Exception | None = None
    for place in named.places:
        try:
            with _client(named.url(place)) as node:
                if not node.info("cluster").get("cluster_enabled"):
                    scheme = named.scheme
                    raise ValueError(f"{place.host}:{place.port} is not a node of a cluster; name it as {scheme}://…")
                found: Any = node.execute_command("CLUSTER SLOTS")
                told: Any = node.execute_command("CLUSTER INFO")
                return found, place, int(told["cluster_known_nodes"])
        except redis.RedisError as error:
            lost = error
    raise lost or redis.ConnectionError("no node is named")


def _node(named: addresses.Cluster, place: Place) -> str:
    """Connect to a node at the address that other nodes announce; return its version."""
    try:
        with _client(named.url(place)) as node:
            return _version(node.info("server"))
    except redis.RedisError as error:
        raise ValueError(
            f"the cluster says that a node is at {place.host}:{place.port}, which does not answer from here "
            f"({type(error).__name__}); is it running, is what it announces (cluster-announce-ip) reachable?"
        ) from error


def _version(info: Any) -> str:
    return f"{info.get('server_name', 'redis')} {info.get('valkey_version', info['redis_version'])}"


def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)
