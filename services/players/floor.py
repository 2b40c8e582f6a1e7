"""The floor: opens the tables that are kept alive, seats house players where they are needed, and takes them away.

It keeps nothing: which house player sits where is read from the house, so that a process may be killed at any time and
the next one goes on.
"""

import asyncio
import random
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from contextlib import aclosing, suppress
from typing import Final

from pitboss import client
from pitboss.lobby import Lobby
from pitboss.v1 import table_pb2

from services.players import money, tables
from services.players.crew import Member
from services.players.house_player import Sitting
from services.players.pace import Pace
from services.players.rest import Rest
from services.runtime import logs, metrics
from services.runtime.settings import Settings

LOOK_SECONDS: Final = 0.5
"""Longest pause between two looks at the lobby; a change that its stream brings ends the pause."""
LEAST_PAUSE_SECONDS: Final = 0.05
"""Shortest pause between two looks, however often the lobby changes."""
AGAIN_SECONDS: Final = 5.0
"""Pause after a refusal before the same table or game is tried again."""
TABLE_RULES: Final = {"start_countdown_s": 3, "ready_countdown_s": 1, "absent_minutes": 0}
"""House players may rest at such a table for any time; people who are away are cashed out by rounds."""

log = logs.get("house players")


def in_order(found: Mapping[str, table_pb2.TableSummary], wanted: Iterable[str]) -> list[str]:
    """Return the tables that are shown, in the order in which they are tended: those with people, then by their ids."""
    return sorted(
        (table_id for table_id in set(wanted) if table_id in found),
        key=lambda table_id: (not tables.people(found[table_id]) + found[table_id].waiting, table_id),
    )


class NoLobby(Exception):
    """The house has not shown its tables yet."""


class Floor:
    """All house players of a process at all their tables."""

    def __init__(self, crew: Sequence[Member], settings: Settings, rng: random.Random) -> None:
        self._crew = crew
        self._settings = settings
        self._rng = rng
        self._pace = Pace(settings, rng)
        self._lobby: Lobby | None = None
        self._changed = asyncio.Event()
        self._sittings: dict[tuple[str, str], tuple[Sitting, asyncio.Task[None]]] = {}
        self._later: dict[str, float] = {}
        self._asked: dict[str, None] = {}
        """Tables of people that need house players, in the order in which they came to need them."""

    async def probe(self) -> None:
        """Raise NoLobby while the house has not shown its tables."""
        if self._lobby is None:
            raise NoLobby

    async def watch(self) -> None:
        """Keep the lobby up to date."""
        async with aclosing(self._crew[0].house.watch_lobby(patience=None, include_test=True)) as states:
            async for lobby in states:
                self._lobby = lobby
                self._changed.set()

    async def serve(self) -> None:
        """Tend to the tables until cancelled."""
        try:
            await self._adopt()
            while True:
                self._changed.clear()
                if self._lobby is not None:
                    await self._tend(dict(self._lobby.tables))
                await asyncio.sleep(LEAST_PAUSE_SECONDS)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS - LEAST_PAUSE_SECONDS)
        finally:
            tasks = [task for _, task in self._sittings.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _adopt(self) -> None:
        """Play on in the seats that house players hold already."""
        for member in self._crew:
            await self._pace.slot()
            for table in await member.house.my_tables():
                self._play(member, table.table_id)

    async def _tend(self, found: dict[str, table_pb2.TableSummary]) -> None:
        kept = {game: self._kept(found, game) for game in self._settings.players_games}
        for game, table in kept.items():
            if table is None and self._may(game):
                await self._guarded(game, self._open(game))
        wanted = {
            table.table_id: tables.wanted_at_kept(table, self._settings.players_per_table)
            for table in kept.values()
            if table is not None
        }
        wanted |= self._helped(found, wanted)
        for table_id in in_order(found, [*wanted, *(table_id for table_id, _ in self._sittings)]):
            if self._may(table_id):
                await self._guarded(table_id, self._fit(found[table_id], wanted.get(table_id, 0)))
        metrics.HOUSE_PLAYERS_SEATED.set(len(self._sittings))
        metrics.HOUSE_PLAYER_TABLES.set(len({table_id for table_id, _ in self._sittings}))

    def _kept(self, found: dict[str, table_pb2.TableSummary], game: str) -> table_pb2.TableSummary | None:
        return next((table for _, table in sorted(found.items()) if tables.is_kept(table, game)), None)

    def _helped(self, found: dict[str, table_pb2.TableSummary], kept: dict[str, int]) -> dict[str, int]:
        """Return the house players that tables of people need: those joined before first, then who has asked first."""
        joined = {table_id for table_id, _ in self._sittings}
        needs = {
            table_id: count
            for table_id, table in sorted(found.items())
            if table_id not in kept and tables.is_open(table) and (count := tables.wanted_at_helped(table))
        }
        self._asked = {table_id: None for table_id in (*self._asked, *needs) if table_id in needs}
        order = sorted(self._asked, key=lambda table_id: table_id not in joined)
        return {table_id: needs[table_id] for table_id in order[: self._settings.players_helped_tables]}

    async def _open(self, game: str) -> None:
        member = self._crew[self._rng.randrange(len(self._crew))]
        await self._pace.slot()
        made = await member.house.create_table(game, TABLE_RULES, title=tables.title(game), test=True)
        self._later[game] = asyncio.get_running_loop().time() + AGAIN_SECONDS  # until the lobby shows it
        log.info("a table is kept alive", game=game, table=made.table_id)

    async def _fit(self, table: table_pb2.TableSummary, wanted: int) -> None:
        """Seat the house players that a table lacks, or take one away, towards the number that is wanted."""
        here = [subject for table_id, subject in self._sittings if table_id == table.table_id]
        if len(here) < wanted and table.house_players <= len(here):
            able = [member for member in self._crew if member.subject not in here]
            for member in self._rng.sample(able, min(wanted - len(here), len(able))):
                await self._pace.slot()
                await money.sit(member, table)
                self._play(member, table.table_id)
        elif len(here) > wanted:
            self._later[table.table_id] = asyncio.get_running_loop().time() + AGAIN_SECONDS
            await self._sittings[table.table_id, here[-1]][0].leave()

    def _play(self, member: Member, table_id: str) -> None:
        key = table_id, member.subject
        rests = Rest(self._settings.players_rest_seconds)
        sitting = Sitting(member, table_id, self._pace, self._rng, rests)
        task = asyncio.create_task(sitting.play())
        self._sittings[key] = sitting, task
        task.add_done_callback(lambda ended: self._over(key, ended))

    def _over(self, key: tuple[str, str], ended: asyncio.Task[None]) -> None:
        self._sittings.pop(key, None)
        if not ended.cancelled() and (error := ended.exception()) is not None:
            log.warning("a house player stopped playing", cause=type(error).__name__, exc_info=error)
            self._later[key[0]] = asyncio.get_running_loop().time() + AGAIN_SECONDS

    def _may(self, key: str) -> bool:
        return asyncio.get_running_loop().time() >= self._later.get(key, 0.0)

    async def _guarded(self, key: str, work: Awaitable[None]) -> None:
        """Await work that the house may refuse; the same is tried again later."""
        try:
            await work
        except client.Refused as refusal:
            metrics.HOUSE_PLAYER_REFUSALS.labels(refusal.reason).inc()
            log.info("house players were refused", reason=refusal.reason, message=refusal.message)
            self._later[key] = asyncio.get_running_loop().time() + AGAIN_SECONDS
