"""The composition root of the house players: addresses and tokens, but no database, no key and no state."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from services.players import crew
from services.players.floor import Floor
from services.rules import catalogue
from services.runtime.server import Process, Service
from services.runtime.settings import SettingsRefused


@asynccontextmanager
async def build(process: Process) -> AsyncIterator[Sequence[Service]]:
    """Build the process. Raises SettingsRefused."""
    unknown = [game for game in process.settings.players_games if game not in catalogue.FILES]
    if unknown:
        raise SettingsRefused(f"PITBOSS_PLAYERS_GAMES: there is no game {unknown[0]!r}")
    async with crew.opened(process.settings) as members:
        floor = Floor(members, process.settings, random.SystemRandom())
        process.probe("house", floor.probe)
        process.background("lobby", floor.watch)
        process.background("floor", floor.serve)
        yield []
