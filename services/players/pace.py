"""How fast house players are: a human time to think, and a bound on all calls of the process."""

import asyncio
import random

from pitboss.v1 import table_pb2

from services.runtime.settings import Settings


class Pace:
    """The time to think, and the slots in which calls are sent."""

    def __init__(self, settings: Settings, rng: random.Random) -> None:
        least = settings.players_least_think_seconds
        self._range = least, max(least, settings.players_most_think_seconds)
        self._interval = 1 / settings.players_calls_per_second
        self._rng = rng
        self._next = 0.0

    async def think(self, view: table_pb2.TableView) -> None:
        """Wait as a person thinks, at most half of the time that is left to decide."""
        seconds = self._rng.uniform(*self._range)
        if view.clock.HasField("time_left_ms"):
            seconds = min(seconds, view.clock.time_left_ms / 2000)
        await asyncio.sleep(seconds)

    async def slot(self) -> None:
        """Wait for the moment at which the next call may be sent."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._next)
        self._next = at + self._interval
        if at > now:
            await asyncio.sleep(at - now)
