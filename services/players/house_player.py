"""One house player at one table: it watches the table, thinks, acts, rests, and tops up its chips between rounds."""

import asyncio
import random
from contextlib import aclosing

from pitboss import client
from pitboss.v1 import table_pb2

from services.players import choice, money, rest
from services.players.crew import Member
from services.players.pace import Pace
from services.players.rest import Rest
from services.runtime import logs, metrics

log = logs.get("house players")


class Sitting:
    """A taken seat. ``play`` ends when the seat is left or the table is closed."""

    def __init__(self, member: Member, table_id: str, pace: Pace, rng: random.Random, rests: Rest) -> None:
        self.member, self.table_id = member, table_id
        self._pace, self._rng, self._rests = pace, rng, rests
        self._view: table_pb2.TableView | None = None
        self._changed = asyncio.Event()
        self._known = 0
        """The version after the own last action: older views show options that are gone."""

    async def play(self) -> None:
        """Play until the seat is gone. Raises Refused where the house no longer shows the table."""
        acting = asyncio.create_task(self._act())
        try:
            async with aclosing(self.member.house.watch(self.table_id, patience=None)) as messages:
                async for message in messages:
                    if not message.view.HasField("own_seat"):
                        return
                    self._view = message.view
                    self._changed.set()
        finally:
            acting.cancel()
            await asyncio.gather(acting, return_exceptions=True)

    async def leave(self) -> None:
        """Leave the seat, or leave it when the round is settled."""
        await self._pace.slot()
        await self.member.house.leave(self.table_id)

    async def _act(self) -> None:
        while True:
            keeps = await self._wait()
            try:
                await (self._keep_open() if keeps else self._step())
            except client.Refused as refusal:
                # The next view shows why; where none comes the clock of the table decides.
                metrics.HOUSE_PLAYER_REFUSALS.labels(refusal.reason).inc()
                log.debug("a house player was refused", reason=refusal.reason)

    async def _wait(self) -> bool:
        """Wait for the next view; return whether the idle table is to be used once before one has come."""
        try:
            async with asyncio.timeout(None if self._view is None else rest.keep_open_seconds(self._view)):
                await self._changed.wait()
        except TimeoutError:
            return True
        self._changed.clear()
        return False

    async def _keep_open(self) -> None:
        """Use a table where all rest, so that the house does not close it, and rest again."""
        await self._pace.slot()
        await self.member.house.sit_in(self.table_id)
        await self.member.house.sit_out(self.table_id)

    async def _step(self) -> None:
        view = self._current()
        if view is None:
            return
        if view.table.state == table_pb2.TABLE_STATE_OPEN:
            await self._between(view)
            return
        if not view.round.options:
            return
        await self._pace.think(view)
        await self._pace.slot()
        # Chosen when the call may be sent: while it waited for its slot, the table may have moved on.
        view = self._current()
        action = choice.chosen(view, self._rng) if view is not None else None
        if view is None or action is None:
            return
        done = await self.member.house.act(self.table_id, action)
        self._known = done.version
        metrics.HOUSE_PLAYER_ACTIONS.labels(view.table.family).inc()

    def _current(self) -> table_pb2.TableView | None:
        return self._view if self._view is not None and self._view.version >= self._known else None

    async def _between(self, view: table_pb2.TableView) -> None:
        own = rest.own_seat(view)
        if own.leaving:
            return
        rests = self._rests.is_due(view)
        if rests != own.sitting_out:
            await self._pace.slot()
            house = self.member.house
            done = await (house.sit_out(self.table_id) if rests else house.sit_in(self.table_id))
            self._known = done.version
            return
        wanted = money.buy_in(view.table)
        if rests or own.chips + own.added >= wanted // money.TOP_UP_BELOW:
            return
        await self._pace.slot()
        added = await money.with_funds(
            self.member, lambda: self.member.house.add_chips(self.table_id, wanted - own.chips - own.added)
        )
        self._known = added.version
