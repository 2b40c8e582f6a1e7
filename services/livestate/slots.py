"""Groups of tables: every key of a table carries its group's hash tag, so that a cluster keeps them in one slot."""

import zlib
from collections.abc import Sequence
from typing import Any, Final

from redis.crc import key_slot

from services.livestate.addresses import Place

TAGS: Final = ("131", "50", "130", "51", "133", "52", "132", "53")
"""A group's tag by its number: chosen so that their slots are in the middle of each eighth of all slots. Up to eight
nodes with even shares of the slots then have even shares of the tables too."""

COUNT: Final = len(TAGS)
SLOTS: Final = tuple(key_slot(tag.encode()) for tag in TAGS)


def of_table(table_id: str) -> int:
    """Return the group of a table."""
    return zlib.crc32(table_id.encode()) % COUNT


def state(table_id: str) -> str:
    """Return the key of a table's state."""
    return f"pitboss:live:{{{TAGS[of_table(table_id)]}}}:{table_id}"


def presence(table_id: str) -> str:
    """Return the key of a table's presence."""
    return f"pitboss:presence:{{{TAGS[of_table(table_id)]}}}:{table_id}"


def deadlines(group: int, family: str) -> str:
    """Return the key of the deadlines of one family in a group."""
    return f"pitboss:deadlines:{{{TAGS[group]}}}:{family}"


def homes(shares: Sequence[Any], asked: Place) -> tuple[dict[int, Place], tuple[Place, ...]]:
    """Parse the answer to ``CLUSTER SLOTS``; return the primary of each group, and all nodes, replicas included.

    A node without a host is at the host that was asked; a node whose host is unknown (``?``) is skipped.
    """
    found: dict[int, Place] = {}
    places: dict[Place, None] = {}
    for first, last, *nodes in shares:
        share = [_place(node, asked) for node in nodes]
        places.update((place, None) for place in share if place is not None)
        if share and share[0] is not None:
            found.update((group, share[0]) for group, slot in enumerate(SLOTS) if first <= slot <= last)
    return found, tuple(places)


def _place(node: Sequence[Any], asked: Place) -> Place | None:
    host = node[0].decode() if isinstance(node[0], bytes) else node[0]
    return None if host == "?" else Place(host or asked.host, int(node[1]))
