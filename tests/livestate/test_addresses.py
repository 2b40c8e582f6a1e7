"""The URL of Redis: one server or a cluster, and refusals that never hold a password."""

import re

import pytest

from services.livestate import addresses
from services.livestate.addresses import Place


@pytest.mark.parametrize(
    "url",
    [
        "redis://h",
        "redis://:p%40w@h:6379/0",
        "rediss://u:p@h:1/63",
        "redis://[::1]:6379",
        "unix:///run/redis.sock?db=1",
        "rediss://h:6380?ssl_cert_reqs=none",
        "redis:///0",
    ],
)
def test_one_server_is_named_as_the_client_library_has_it(url: str) -> None:
    """A URL of one server is passed on as it is."""
    assert addresses.parse(url) == url


@pytest.mark.parametrize(
    ("url", "places", "first"),
    [
        ("redis+cluster://a:7000,b:7001", (Place("a", 7000), Place("b", 7001)), "redis://a:7000/0"),
        ("redis+cluster://a", (Place("a", 6379),), "redis://a:6379/0"),
        ("redis+cluster://:p%40w@a,b/0", (Place("a", 6379), Place("b", 6379)), "redis://:p%40w@a:6379/0"),
        ("rediss+cluster://u:p@a:1/?ssl_ca_certs=/ca.pem", (Place("a", 1),), "rediss://u:p@a:1/0?ssl_ca_certs=/ca.pem"),
        ("redis+cluster://[::1]:7000,10.0.0.1", (Place("::1", 7000), Place("10.0.0.1", 6379)), "redis://[::1]:7000/0"),
    ],
)
def test_a_cluster_is_named_by_some_of_its_nodes(url: str, places: tuple[Place, ...], first: str) -> None:
    """Nodes are split, and each has the common user, password and options."""
    named = addresses.parse(url)
    assert isinstance(named, addresses.Cluster)
    assert named.places == places
    assert named.url(places[0]) == first


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("", "it must begin with redis, rediss, unix, redis+cluster, rediss+cluster"),
        ("localhost:6379", "it must begin with"),
        ("http://hush@h", "it must begin with"),
        ("redis://:hush@a:1,b:2", "it names several nodes; a cluster's begins with redis+cluster://"),
        ("redis://:hush@h:6379/zero", "the database after the port must be a number"),
        ("redis://:hush@h:65536", "node 1 is not host:port"),
        ("redis+cluster://:hush@a:1,,b:2", "node 2 is not host:port"),
        ("redis+cluster://:hush@a:1,b:0", "node 2 is not host:port"),
        ("redis+cluster://:hush@a:port", "node 1 is not host:port"),
        ("redis+cluster://:hush@", "node 1 is not host:port"),
        ("redis+cluster://:hu/sh@a:1", "only /0 may follow the nodes"),
        ("redis+cluster://a:1/3", "a cluster has no numbered databases"),
        ("redis+cluster://" + ",".join(f"h{number}" for number in range(65)), "it names 65 nodes"),
    ],
)
def test_what_names_no_redis_is_refused_in_words(url: str, words: str) -> None:
    """Each refusal names the right form, and holds nothing of the URL."""
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        addresses.parse(url)
    assert "hu" not in str(caught.value).replace("such", "")
