"""A dealer is killed with commands of a stream of play under way; the session goes on at the next dealer."""

import asyncio
from contextlib import AsyncExitStack, aclosing

import pytest
from pitboss import client
from pitboss.session import Session

from services.table import events
from tests.faults.breaking import Broken
from tests.support import lines, people, waits
from tests.support.people import Crowd, Person

TABLES, EACH = 3, 4
BET = people.action("place_bet", spot="spade", amount=1)
PATIENCE_SECONDS = 180.0
"""Longer than a dealer takes to start on a machine that others use too."""


async def opened(crowd: Crowd, player: Person, dealer: int) -> list[str]:
    """Return tables with betting windows that stay open, at all of which one player sits."""
    found = []
    for _ in range(TABLES):
        rules = people.MANUAL | {"bet_seconds": 3600}
        made = await crowd.operator.at(dealer).create_table("suit_betting", rules, **people.ANY_BUY_IN)
        await player.at(dealer).take_seat(made.table_id, 10_000)
        await player.at(dealer).start_round(made.table_id)
        found.append(made.table_id)
    return found


async def read(session: Session, table_id: str, seen: list[int]) -> None:
    """Note the versions of a followed table's events, the first view's version before them."""
    async with aclosing(session.follow(table_id)) as messages:
        async for message in messages:
            seen += [event.version for event in message.events] if seen else [message.view.version]


@pytest.mark.parametrize("step", ["dealer.received", "dealer.decided", "dealer.appended", "dealer.saving"])
async def test_a_session_outlives_the_dealer(house: Broken, crowd: Crowd, step: str) -> None:
    """Each command that was under way is one action of the log and has its answer; followers miss no event."""
    doomed, other = (await house.up())[:2]
    player = await crowd.player("ann")
    table_ids = await opened(crowd, player, other)
    ports = [int(crowd.reach.dealers[number].rpartition(":")[2]) for number in (doomed, other)]
    async with AsyncExitStack() as stack:
        line, address = await stack.enter_async_context(lines.line_to(ports[0]))
        front = await stack.enter_async_context(client.connect(address, player.token))
        session = await stack.enter_async_context(front.session(PATIENCE_SECONDS))
        seen: list[list[int]] = [[] for _ in table_ids]
        reading = [
            asyncio.create_task(read(session, table_id, into)) for table_id, into in zip(table_ids, seen, strict=True)
        ]
        await waits.eventually(lambda: all(seen), "the first views")
        house.doom(house.dealer(doomed), step)
        sent = [asyncio.create_task(session.act(table_id, BET)) for _ in range(EACH) for table_id in table_ids]
        await house.died(house.dealer(doomed))
        line.lead_to(ports[1])
        house.revive(house.dealer(doomed))
        answers = [await one for one in sent]
        answers += [await session.act(table_id, BET) for table_id in table_ids]
        for place, (table_id, versions) in enumerate(zip(table_ids, seen, strict=True)):
            recorded = await house.events(table_id)
            acted = [at for at, event in enumerate(recorded, 1) if isinstance(event, events.ActionTaken)]
            assert [answer.version for answer in answers[place::TABLES]] == acted
            await waits.eventually(lambda got=versions, last=acted[-1]: got[-1] >= last, "the last event")  # type: ignore[misc]  # bound now
            assert versions == list(range(versions[0], acted[-1] + 1))
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)
