"""Watches the database's archive for whoever looks at the metrics."""

import asyncio
from typing import Final

import psycopg

from services.database import archive
from services.database.statements import rows
from services.runtime import logs, metrics
from services.runtime.pools import Connection, Pool

LOOK_SECONDS: Final = 30.0

trace = logs.get("archiving")


async def watch(pool: Pool) -> None:
    """Look again and again, until cancelled; nothing is shown where archiving is off or the database does not say."""
    while True:
        async with pool.connection() as conn:
            await look(conn)
        await asyncio.sleep(LOOK_SECONDS)


async def look(conn: Connection) -> None:
    """Look once."""
    try:
        [row] = await rows(conn, archive.QUERY)
    except (psycopg.ProgrammingError, psycopg.NotSupportedError) as error:
        trace.debug("this database does not tell of its archive", cause=type(error).__name__)
        return
    found = archive.Archiving(*row)
    if found.on:
        metrics.ARCHIVE_FAILING.set(found.failing)
    if found.failing:
        trace.warning("the archive does not take the database's changes", file=found.failed_file)
