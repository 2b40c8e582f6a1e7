"""The check that a process can serve on the schema of its database."""

import asyncio

from services.eventlog import revision
from services.eventlog.revision import State
from services.runtime import logs, pools
from services.runtime.pools import Pool
from services.runtime.settings import SettingsRefused

LOOK_SECONDS = 0.5
"""Pause between two checks of a database that is still being migrated."""

log = logs.get("schema")


async def check(pool: Pool) -> None:
    """Wait for the newest schema as for the database itself. Raises SettingsRefused where it does not come.

    A schema of a later release is served with a warning: while a release is rolled out, the database is migrated first.
    """
    until = asyncio.get_running_loop().time() + pools.START_SECONDS
    while True:
        async with pool.connection(timeout=pools.START_SECONDS) as conn:
            found = await revision.read(conn)
        state = revision.compare(found)
        if state is not State.OLDER:
            break
        if asyncio.get_running_loop().time() >= until:
            raise SettingsRefused(
                f"PITBOSS_DATABASE_URL: the database's schema is older than {revision.NEWEST}; run `pitboss migrate`"
            )
        await asyncio.sleep(LOOK_SECONDS)
    if state is State.NEWER:
        log.warning("the database is of a later release; update this process", found=found, known=revision.NEWEST)
