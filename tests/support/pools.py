"""Connections for tests and measurements that need no process around them, each in a role of the house."""

from typing import Any, Final

import psycopg
import psycopg_pool
from psycopg import sql

ROLES: Final = frozenset({"pitboss_dealer", "pitboss_settlement", "pitboss_audit"})


def make_pool(
    url: str, role: str | None, *, least: int = 1, most: int = 8, seconds: float = 5.0
) -> psycopg_pool.AsyncConnectionPool[Any]:
    """Return a pool that is not open yet (``async with`` opens it); use it by ``async with pool.connection()`` only.

    Connections commit every statement by itself; several together take ``conn.transaction()``. ``role`` is one of
    ``ROLES``, or None for the user of the URL; ``seconds`` bounds the wait for a connection.
    """
    assert role is None or role in ROLES, f"role {role!r} is none of {sorted(ROLES)}"

    async def configure(conn: psycopg.AsyncConnection[Any]) -> None:
        # Every statement of the stores looks rows up by index, whatever the values: planning it anew each time, as the
        # server may choose to, costs more than running it.
        await conn.execute("SET plan_cache_mode = force_generic_plan")
        if role is not None:
            await conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))

    return psycopg_pool.AsyncConnectionPool(
        url,
        kwargs={"autocommit": True},
        min_size=least,
        max_size=most,
        timeout=seconds,
        open=False,
        configure=configure,
    )
