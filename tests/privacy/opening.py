"""Opens in tests what a house of ``tests.served`` has sealed."""

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from services.fairness.seal import KeyRing
from services.privacy.keys import RING, PlayerKeys
from services.privacy.names import Names
from tests.served import Connection

KEYS = PlayerKeys(KeyRing(RING, {"personal-test": bytes(range(96, 128))}, "personal-test"))


async def shown(conn: Connection, stored: Any, language: str = "") -> Any:
    """Return a stored value with its sealed texts opened, as a process would that has just started."""

    @contextlib.asynccontextmanager
    async def connect() -> AsyncIterator[Connection]:
        yield conn

    return await Names(KEYS, connect).shown(stored, language)
