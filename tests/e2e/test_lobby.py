"""The lobby of a whole house: one watch at any dealer shows what happens at all of them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

from pitboss import client
from pitboss.lobby import Lobby
from pitboss.v1 import back_office_pb2, table_pb2

from tests.support.people import Crowd, Person

SECONDS = 30.0


Until = Callable[[Callable[[Lobby], bool]], Awaitable[Lobby]]


@asynccontextmanager
async def lobby(person: Person, dealer: int, **wanted: Any) -> AsyncIterator[Until]:
    """Watch a lobby; gives a function that waits until something holds of it."""
    async with aclosing(person.at(dealer).watch_lobby(**wanted)) as states:

        async def until(holds: Callable[[Lobby], bool]) -> Lobby:
            async with asyncio.timeout(SECONDS):
                async for state in states:
                    if holds(state):
                        return state
            raise AssertionError("the lobby ended")

        yield until


async def test_a_watch_at_one_dealer_shows_tables_of_the_other(crowd: Crowd) -> None:
    """Opened, joined, switched off and closed at one dealer: the other one's lobby follows, and lists agree."""
    ann = await crowd.player("ann")
    async with lobby(ann, 1, game="tongbi_san_gong", stake=10) as until:
        made = await crowd.operator.at(0).create_table("tongbi_san_gong", {"base": 10})
        seen = await until(lambda state: made.table_id in state.tables)
        assert seen.tables[made.table_id].seats_taken == 0
        await ann.at(0).take_seat(made.table_id, 500)
        await until(lambda state: state.tables[made.table_id].seats_taken == 1)
        await switch(crowd, made.table_id, off=True)
        seen = await until(lambda state: state.tables[made.table_id].switched_off)
        [listed] = [one for one in await ann.house.tables(game="tongbi_san_gong") if one.table_id == made.table_id]
        shown = table_pb2.TableSummary()
        shown.CopyFrom(seen.tables[made.table_id])
        shown.version = listed.version
        assert shown == listed
        await switch(crowd, made.table_id, off=False)
        await ann.at(0).leave(made.table_id)
        await crowd.operator.at(0).close_table(made.table_id, "a test")
        await until(lambda state: made.table_id not in state.tables)


async def switch(crowd: Crowd, table_id: str, *, off: bool) -> None:
    """Switch a table off or on."""
    house = crowd.operator.house
    request = back_office_pb2.SetSwitchRequest(
        request_id=client.request_id(),
        scope=back_office_pb2.SWITCH_SCOPE_TABLE,
        subject=table_id,
        off=off,
        reason="a test of the lobby",
    )
    await house.call(house.office.SetSwitch, request)
