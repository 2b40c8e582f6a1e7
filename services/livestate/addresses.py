"""The URL of Redis: one server, or a cluster by some of its nodes.

One server is ``redis://user:password@host:6379/0`` (``rediss`` with TLS, ``unix`` for a socket), as in the client
library. A cluster is ``redis+cluster://user:password@host-1:6379,host-2:6379`` (``rediss+cluster`` with TLS): the named
nodes report all others. User, password and options are the same for every node.
"""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

PORT: Final = 6379
MOST_PORT: Final = 65_535
MOST_NODES: Final = 64

RIGHT: Final = "redis://:password@host:6379/0, or of a cluster redis+cluster://:password@host-1:6379,host-2:6379"

_ONE: Final = frozenset({"redis", "rediss", "unix"})
_CLUSTER: Final = {"redis+cluster": "redis", "rediss+cluster": "rediss"}
_NODE: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>\d{1,5}))?")


class Place(NamedTuple):
    """Where one node of a cluster listens; an IPv6 address has no brackets here."""

    host: str
    port: int


class Cluster(NamedTuple):
    """The nodes that a URL names, and how to connect to every node of their cluster."""

    places: tuple[Place, ...]
    scheme: str
    credentials: str
    query: str

    def url(self, place: Place) -> str:
        """Return the URL of one node, for the client library."""
        host = f"[{place.host}]" if ":" in place.host else place.host
        return f"{self.scheme}://{self.credentials}{host}:{place.port}/0{self.query}"


def parse(url: str) -> str | Cluster:
    """Return the URL of one server unchanged, or the parts of a cluster's URL.

    Raises ValueError; its message never holds the URL, which contains a password.
    """
    scheme, _, _ = url.partition("://")
    if scheme in _ONE:
        _check_one(url, scheme)
        return url
    if scheme not in _CLUSTER:
        raise ValueError(f"it must begin with {', '.join([*sorted(_ONE), *_CLUSTER])}, each with ://, such as {RIGHT}")
    parts = urlsplit(url)
    credentials, at, hosts = parts.netloc.rpartition("@")
    if parts.path not in {"", "/", "/0"}:
        raise ValueError("a cluster has no numbered databases: only /0 may follow the nodes")
    named = hosts.split(",")
    if len(named) > MOST_NODES:
        raise ValueError(f"it names {len(named)} nodes; {MOST_NODES} are enough to find all others")
    places = tuple(_place(node, number) for number, node in enumerate(named, 1))
    return Cluster(places, _CLUSTER[scheme], credentials + at, f"?{parts.query}" if parts.query else "")


def _check_one(url: str, scheme: str) -> None:
    if scheme == "unix":
        return
    parts = urlsplit(url)
    _, _, host = parts.netloc.rpartition("@")
    if "," in host:
        raise ValueError(f"it names several nodes; a cluster's begins with {scheme}+cluster://")
    if host:
        _place(host, 1)
    if not re.fullmatch(r"(/\d*)?", parts.path):
        raise ValueError(f"the database after the port must be a number, such as {RIGHT}")


def _place(text: str, number: int) -> Place:
    found = _NODE.fullmatch(text)
    port = PORT if found is None or found["port"] is None else int(found["port"])
    if found is None or not 0 < port <= MOST_PORT:
        raise ValueError(f"node {number} is not host:port, such as {RIGHT}; in a password write / @ # as %2F %40 %23")
    return Place(found["host"].strip("[]"), port)
