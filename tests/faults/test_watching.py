"""Watchers see at one dealer what is played at another, resume without a gap, and outlive a dealer that drains."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable

import grpc
import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2, table_pb2

from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import log_events, waits
from tests.support.people import Crowd, Person

SETTLED = "RoundSettled"


async def _stream(
    person: Person, dealer: int, table_id: str, after: int
) -> AsyncIterator[dealer_pb2.WatchTableResponse]:
    """Watch at one dealer, without taking a broken stream up again. Raises client.Refused."""
    request = dealer_pb2.WatchTableRequest(table_id=table_id, after_version=after)
    try:
        async for message in person.at(dealer).dealer.WatchTable(request, metadata=person.metadata, timeout=60):
            yield message
    except grpc.RpcError as error:
        raise client.refusal(error) from None


async def _until(
    stream: AsyncIterator[dealer_pb2.WatchTableResponse], enough: Callable[[list[table_pb2.TableEvent]], bool]
) -> list[table_pb2.TableEvent]:
    """Collect events until there are enough."""
    found: list[table_pb2.TableEvent] = []
    async with asyncio.timeout(60):
        async for message in stream:
            found += message.events
            assert not found or found[-1].version <= message.view.version
            if enough(found):
                return found
    raise AssertionError("the stream ended early")


def _settled(found: list[table_pb2.TableEvent]) -> bool:
    return bool(found) and found[-1].type == SETTLED


@pytest.mark.parametrize("game", [*floor.CORE, *floor.others(12)])
async def test_a_watcher_sees_at_one_dealer_what_is_played_at_another(house: Broken, crowd: Crowd, game: str) -> None:
    """Every event reaches watchers at the other dealer, once, in order, whether they take a seat or look on."""
    table = await Played.open(crowd, game)
    opened = (await table.view()).version
    stranger = await crowd.player("stranger")
    watching = [
        asyncio.create_task(_until(_stream(person, 1, table.table_id, opened), _settled))
        for person in (stranger, table.players[0])
    ]
    await table.start((0,))
    await table.finish((0,))
    recorded = await house.stored(table.table_id)
    for found in await asyncio.gather(*watching):
        assert [event.version for event in found] == list(range(opened + 1, opened + 1 + len(found)))
        assert found[-1].version <= recorded[-1].version
        kinds = [one.type.partition(".")[0] for one in recorded[opened : opened + len(found)]]
        assert [event.type for event in found] == kinds


async def test_a_watcher_resumes_from_any_version_at_another_dealer(crowd: Crowd) -> None:
    """A stream that was broken off is taken up at another dealer from the last version seen, without a gap."""
    table = await Played.open(crowd, "texas_holdem")
    opened = (await table.view()).version
    await table.start()
    await table.finish()
    settled = (await table.view()).version
    stranger = await crowd.player("stranger")
    whole = await _until(_stream(stranger, 0, table.table_id, opened), _settled)
    for after in range(opened, settled - 1):
        found = await _until(_stream(stranger, after % 2, table.table_id, after), _settled)
        assert found == [event for event in whole if event.version > after]


async def test_a_stream_of_a_draining_dealer_ends_with_the_version_to_resume_from(house: Broken, crowd: Crowd) -> None:
    """SIGTERM ends a stream with UNAVAILABLE and the last version that it sent; the other dealer goes on from there."""
    table = await Played.open(crowd, "texas_holdem")
    opened = (await table.view()).version
    draining, going_on = (await house.up())[:2]
    stranger = await crowd.player("stranger")
    found: list[table_pb2.TableEvent] = []
    told: dict[str, str] = {}

    async def watch() -> None:
        try:
            async for message in _stream(stranger, draining, table.table_id, opened):
                found.extend(message.events)
        except client.Refused as refusal:
            assert refusal.code is grpc.StatusCode.UNAVAILABLE
            assert refusal.reason == "SHUTTING_DOWN"
            told.update(refusal.metadata)

    watching = asyncio.create_task(watch())
    await table.start((going_on,))
    await table.play(2, (going_on,))
    await waits.eventually(lambda: bool(found), "the watcher sees it")
    house.signal(house.dealer(draining), signal.SIGTERM)
    await table.play(1, (going_on,))
    async with asyncio.timeout(60):
        await watching
    version = int(told["version"])
    assert version == found[-1].version
    resuming = asyncio.create_task(_until(_stream(stranger, going_on, table.table_id, version), _settled))
    await table.finish((going_on,))
    found += await resuming
    assert [event.version for event in found] == list(range(opened + 1, opened + 1 + len(found)))
    assert await asyncio.to_thread(house.dealer(draining).wait_ended) == 0, "a drained process ends well"
    house.revive(house.dealer(draining))
    await proofs.hold(house, crowd, table)


@pytest.mark.parametrize("game", floor.CORE)
async def test_a_draining_dealer_answers_what_it_has_taken(house: Broken, crowd: Crowd, game: str) -> None:
    """An action that waits for the log when SIGTERM comes is appended and answered; then the process ends well."""
    table = await Played.open(crowd, game)
    await table.start()
    draining, going_on = (await house.up())[:2]
    chosen = await table.next_action((draining,))
    assert chosen is not None
    seat, request = chosen
    async with await house.connect() as holding:
        await holding.execute("BEGIN")
        await holding.execute("SELECT 1 FROM streams WHERE stream_id = %s FOR UPDATE", (table.table_id,))
        acting = asyncio.create_task(floor.once(table.players[seat], draining, "Act", request))
        await _waiting(house)
        house.signal(house.dealer(draining), signal.SIGTERM)
        await waits.eventually(lambda: '"event": "draining"' in house.dealer(draining).tail(), "the dealer drains")
        assert not acting.done()
        await holding.execute("COMMIT")
    table.note(seat, request, await acting)
    assert await asyncio.to_thread(house.dealer(draining).wait_ended) == 0
    house.revive(house.dealer(draining))
    await table.finish((going_on,))
    await proofs.hold(house, crowd, table)


async def _waiting(house: Broken) -> None:
    """Wait until an append waits for the table's row."""
    async with await house.connect() as conn:
        await log_events.wait_for_waiting(conn)


async def test_a_drain_under_load_loses_nothing(house: Broken, crowd: Crowd) -> None:
    """Dealers drain and come back while tables play: players notice nothing but another dealer's answers."""
    tables = [await Played.open(crowd, game) for game in (*floor.CORE, *floor.others(13, 2))]
    for table in tables:
        await table.start()
    playing = [asyncio.create_task(table.finish()) for table in tables]
    draining, *_ = await house.up()
    house.signal(house.dealer(draining), signal.SIGTERM)
    assert await asyncio.to_thread(house.dealer(draining).wait_ended) == 0
    house.revive(house.dealer(draining))
    await asyncio.gather(*playing)
    await proofs.hold(house, crowd, *tables)
    for table in tables:
        ended = [event for event in await house.events(table.table_id) if isinstance(event, events.RoundSettled)]
        assert len(ended) == 1
