"""Publishes the state of the database's archive as metrics."""

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
    """Check every 30 seconds, until cancelled; publish nothing where archiving is off or its state is not readable."""
    while True:
        async with pool.connection() as conn:
            await look(conn)
        await asyncio.sleep(LOOK_SECONDS)


async def look(conn: Connection) -> None:
    """Check the archive once."""
    try:
        [row] = await rows(conn, archive.QUERY)
    except (psycopg.ProgrammingError, psycopg.NotSupportedError) as error:
        trace.debug("this database does not report the state of its archive", cause=type(error).__name__)
        return
    found = archive.Archiving(*row)
    if found.on:
        metrics.ARCHIVE_FAILING.set(found.failing)
    if found.failing:
        trace.warning("the archive does not accept the database's changes", file=found.failed_file)
