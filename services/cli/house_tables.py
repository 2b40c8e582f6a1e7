"""The tables at which house players play, as ``pitboss up`` prints them."""

import asyncio
from contextlib import aclosing

from pitboss import client
from rich.console import Console

from services.cli.reach import Reach
from services.runtime.identity import Role

WAIT_SECONDS = 15.0
"""How long the tables are waited for; they open one after another."""
QUIET_SECONDS = 3.0
"""Pause after which no further table is waited for."""


async def show(reach: Reach, console: Console) -> None:
    """Print the tables at which house players sit, once they have sat down."""
    found: dict[str, str] = {}
    async with client.connect(reach.dealers[0], reach.token("operator", Role.OPERATOR)) as house:
        try:
            async with asyncio.timeout(WAIT_SECONDS), aclosing(house.watch_lobby(include_test=True)) as states:
                while True:
                    quiet = asyncio.timeout(QUIET_SECONDS if found else WAIT_SECONDS)
                    async with quiet:
                        lobby = await anext(states)
                    new = [table for table in lobby.tables.values() if table.house_players]
                    found |= {table.table_id: f"{table.table_id}  {table.game:16} {table.title}" for table in new}
        except TimeoutError:
            pass
    if not found:
        console.print("house players have not sat down yet; `pitboss tables --test` lists their tables")
        return
    console.print("house players play at these test tables (how to watch or join one: README):")
    for line in found.values():
        console.print(line, markup=False, highlight=False, soft_wrap=True)
