"""Floods of open streams delay no table, are bounded for each caller, and end with the right to watch."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import grpc
import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2, dealer_pb2_grpc

from services.localhouse import local_house
from services.runtime import identity, settings
from services.runtime.identity import Role
from tests.support import people
from tests.support.people import Crowd, Person

OWN: Final = settings.Settings.model_fields
PER_CALLER: Final[int] = OWN["streams_per_caller"].default
CONNECTIONS: Final = 4
LEVEL_FACTOR: Final = 3.0
"""Factor by which a read at a flooded table may take longer; generous, because tests share the machine. ``make bench``
measures the real one."""


class Flood:
    """Streams that were opened as fast as possible, and their results."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()
        self._taken = asyncio.Semaphore(0)

    async def open(self, stub: Any, table_id: str, token: str) -> None:
        """Open a stream and read it without end; count whether it was accepted, or the reason why not."""
        request = dealer_pb2.WatchTableRequest(table_id=table_id)
        stream = stub.WatchTable(request, metadata=(("authorization", f"Bearer {token}"),))
        told = False
        try:
            async for _ in stream:
                if not told:
                    told = True
                    self.answers["OK"] += 1
                    self._taken.release()
        except grpc.aio.AioRpcError as error:
            if not told:
                self.answers[client.refusal(error).reason] += 1
                self._taken.release()
        finally:
            stream.cancel()

    async def settled(self, count: int) -> None:
        """Wait until ``count`` streams were accepted or refused."""
        for _ in range(count):
            await self._taken.acquire()


@asynccontextmanager
async def flooded(crowd: Crowd, table_id: str, tokens: list[str]) -> AsyncIterator[Flood]:
    """Open a stream with each token at the first dealer; all are answered when the block begins."""
    flood = Flood()
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(
                grpc.aio.insecure_channel(crowd.reach.dealers[0], options=[("test.number", number)])
            )
            for number in range(CONNECTIONS)
        ]
        stubs = [dealer_pb2_grpc.DealerServiceStub(channel) for channel in channels]
        for number, token in enumerate(tokens):
            opening = flood.open(stubs[number % CONNECTIONS], table_id, token)
            flood.tasks.add(asyncio.create_task(opening))
        try:
            async with asyncio.timeout(60):
                await flood.settled(len(tokens))
            yield flood
        finally:
            for task in flood.tasks:
                task.cancel()
            await asyncio.gather(*flood.tasks, return_exceptions=True)


async def watched(house: client.House, table_id: str, seen: list[int]) -> None:
    """Watch a table until the house ends it; note the version of every view."""
    async for message in house.watch(table_id):
        seen.append(message.view.version)  # noqa: PERF401 - the stream ends with an error


async def asked(person: Person, table_id: str, times: int = 30) -> float:
    """Return the median seconds of a read of a table at the first dealer."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        await person.house.table(table_id)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


async def test_one_players_flood_of_streams_freezes_no_table(crowd: Crowd, size: int) -> None:
    """Of a stranger's thousand watches a few are accepted, and the players are not delayed."""
    table_id, [ann, bob] = await crowd.table("suit_betting", ("ann", "bob"), {"bet_seconds": 3600})
    eve = await crowd.player("eve")
    await ann.house.start_round(table_id)
    before = await asked(bob, table_id)
    async with flooded(crowd, table_id, [eve.token] * 1000 * size) as flood:
        assert flood.answers == {"OK": PER_CALLER, "TOO_MANY_REQUESTS": 1000 * size - PER_CALLER}
        version = (await ann.house.act(table_id, people.action("place_bet", spot="spade", amount=1))).version
        during = await asked(bob, table_id)
        assert during < LEVEL_FACTOR * before + 0.05, f"{before:.4f} s before, {during:.4f} s during the flood"
        assert (await bob.house.table(table_id)).version >= version


async def test_a_crowd_of_watchers_freezes_no_table(crowd: Crowd, size: int) -> None:
    """While many people watch a table, bets are accepted, and every watcher is shown the last one."""
    table_id, [ann, bob] = await crowd.table("suit_betting", ("ann", "bob"), {"bet_seconds": 3600})
    await ann.house.start_round(table_id)
    before = await asked(bob, table_id)
    tokens = [crowd.reach.token(f"watcher-{at}", Role.PLAYER) for at in range(300 * size)]
    async with flooded(crowd, table_id, tokens) as flood:
        assert flood.answers["OK"] == min(300 * size, OWN["watchers_per_table"].default)
        for _ in range(20):
            await ann.house.act(table_id, people.action("place_bet", spot="spade", amount=1))
        during = await asked(bob, table_id)
        assert during < LEVEL_FACTOR * before + 0.05, f"{before:.4f} s before, {during:.4f} s during the flood"


async def test_a_stream_shows_nothing_after_its_tokens_end(crowd: Crowd, house: local_house.LocalHouse) -> None:
    """Cards that are dealt after the token has ended do not reach the stream; it ends with UNAUTHENTICATED."""
    del house
    table_id, [ann, _] = await crowd.table("texas_holdem", ("ann", "bob"))
    token = crowd.reach.identity.mint(identity.Caller(ann.subject, Role.PLAYER), 1)
    seen: list[int] = []
    began = time.monotonic()
    async with asyncio.timeout(60), client.connect(crowd.reach.dealers[0], token) as short:
        with pytest.raises(client.Refused) as caught:
            await watched(short, table_id, seen)
    assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
    assert caught.value.metadata["version"] == str(seen[-1])
    assert time.monotonic() - began < 1 + identity.LEEWAY_SECONDS + 5


async def test_a_watch_goes_on_when_its_caller_signs_in_again(crowd: Crowd, house: local_house.LocalHouse) -> None:
    """With a function in place of a token a watch continues after the first token's end."""
    del house
    table_id, [ann, bob] = await crowd.table("texas_holdem", ("ann", "bob"))
    asked_for: list[float] = []
    started = False

    def sign_in() -> str:
        asked_for.append(time.monotonic())
        return crowd.reach.identity.mint(identity.Caller(ann.subject, Role.PLAYER), 1)

    async with asyncio.timeout(60), client.connect(crowd.reach.dealers[0], sign_in) as renewed:
        async for message in renewed.watch(table_id):
            if message.view.HasField("round"):
                break
            if len(asked_for) == 2 and not started:
                started = True  # presence alone makes messages too
                await bob.house.start_round(table_id)
    assert len(asked_for) >= 2


async def test_a_player_who_is_switched_off_is_shown_nothing_more(crowd: Crowd) -> None:
    """When staff switch a spectator off, its stream ends within seconds and new ones are refused; others watch on."""
    table_id, [ann, _] = await crowd.table("texas_holdem", ("ann", "bob"))
    eve = await crowd.player("eve")

    async def switch(*, off: bool) -> None:
        house = crowd.operator.house
        await house.call(
            house.office.SetSwitch,
            back_office_pb2.SetSwitchRequest(
                request_id=client.request_id(),
                scope=back_office_pb2.SWITCH_SCOPE_PLAYER,
                subject=eve.subject,
                off=off,
                reason="a test of streams",
            ),
        )

    async with asyncio.timeout(30):
        watching, seen = asyncio.create_task(watched(eve.house, table_id, [])), list[int]()
        await switch(off=True)
        await people.refused("SWITCHED_OFF", watching)
        await people.refused("SWITCHED_OFF", watched(eve.house, table_id, seen))
        assert not seen
        async for message in ann.house.watch(table_id):
            assert message.view.version
            break
        await switch(off=False)
