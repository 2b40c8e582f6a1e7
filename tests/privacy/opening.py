"""Opens in tests what a house of ``tests.support.served`` has sealed."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from services.fairness.seal import KeyRing
from services.privacy.keys import RING, PlayerKeys
from services.privacy.names import Connect, Names
from tests.support.served import Connection

KEYS = PlayerKeys(KeyRing(RING, {"personal-test": bytes(range(96, 128))}, "personal-test"))


def turned() -> PlayerKeys:
    """Return the keys under a ring that has turned: the old key opens, a new one wraps."""
    ring = {"personal-test": bytes(range(96, 128)), "personal-new": bytes(range(32))}
    return PlayerKeys(KeyRing(RING, ring, "personal-new"))


def connect_of(conn: Connection) -> Connect:
    """Return what hands out this connection."""

    @contextlib.asynccontextmanager
    async def connect() -> AsyncIterator[Connection]:
        yield conn

    return connect


async def shown(conn: Connection, stored: Any, language: str = "") -> Any:
    """Return a stored value with its sealed texts opened, as a process would that has just started."""
    return await Names(KEYS, connect_of(conn)).shown(stored, language)
