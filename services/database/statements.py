"""How statements are sent: prepared, in binary, and again where one that stands alone lost against others."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.database import retry
from services.database.retry import Connection

Parameters = Sequence[object] | Mapping[str, object]


async def rows(conn: Connection, query: str, parameters: Parameters = ()) -> list[Any]:
    """Give all rows of a statement."""

    async def once() -> list[Any]:
        async with conn.cursor(binary=True) as cursor:
            await cursor.execute(query, parameters, prepare=True)
            return await cursor.fetchall()

    return await retry.again(once) if retry.stands_alone(conn) else await once()


async def tell(conn: Connection, query: str, parameters: Parameters = ()) -> int:
    """Send a statement that gives no rows; gives how many rows it wrote."""

    async def once() -> int:
        async with conn.cursor(binary=True) as cursor:
            await cursor.execute(query, parameters, prepare=True)
            return cursor.rowcount

    return await retry.again(once) if retry.stands_alone(conn) else await once()
