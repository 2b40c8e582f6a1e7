"""Groups of tables: the keys of a table are in one slot, and groups are evenly spread over all slots."""

from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS
from redis.crc import key_slot

from services.livestate import slots
from services.livestate.addresses import Place

TABLES = [f"table-{number}" for number in range(400)]
HERE = Place("asked", 7)


def test_the_keys_of_a_table_lie_in_the_slot_of_its_group() -> None:
    """State and deadlines of every table carry the tag of the table's group."""
    for table in TABLES:
        group = slots.of_table(table)
        for key in (slots.state(table), slots.deadlines(group, "poker")):
            assert key_slot(key.encode()) == slots.SLOTS[group]


def test_groups_lie_evenly_among_the_slots() -> None:
    """If up to eight nodes share the slots evenly, none has more than one group above its share."""
    for nodes in range(1, slots.COUNT + 1):
        held = [slot * nodes // SLOTS for slot in slots.SLOTS]
        counts = [held.count(node) for node in range(nodes)]
        assert min(counts) >= 1
        assert max(counts) <= -(-slots.COUNT // nodes) + (nodes == 5)
    assert {slots.of_table(table) for table in TABLES} == set(range(slots.COUNT))


def test_shares_are_read_as_nodes_tell_them() -> None:
    """Primaries and replicas are parsed; a node without a host is at the asked host, an unknown one is skipped."""
    shares = [
        [0, 8191, [b"10.0.0.1", 6379, b"id", {}], [b"10.0.0.2", 6379, b"id", {}]],
        [8192, 12287, [None, 6380, b"id", []]],
        [12288, 14335, ["", 6381, b"id"]],
        [14336, 16383, [b"?", 6382, b"id"]],
    ]
    homes, places = slots.homes(shares, HERE)
    first = Place("10.0.0.1", 6379)
    asked = [Place("asked", 6380), Place("asked", 6381)]
    assert homes == {0: first, 1: first, 2: first, 3: first, 4: asked[0], 5: asked[0], 6: asked[1]}
    assert places == (first, Place("10.0.0.2", 6379), *asked)
    assert slots.homes([], HERE) == ({}, ())
