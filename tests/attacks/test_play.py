"""Attacks over streams of play: other people's seats and tables, ended rights, other people's request ids."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2_grpc

from tests.dealer.play_house import ByHand, bet, betting
from tests.support.people import Crowd, Person


@asynccontextmanager
async def by_hand(crowd: Crowd, person: Person) -> AsyncIterator[ByHand]:
    """Open a stream at the first dealer."""
    async with (
        client.open_channel(crowd.reach.dealers[0]) as channel,
        ByHand(dealer_pb2_grpc.DealerServiceStub(channel), person.token) as stream,
    ):
        yield stream


async def switch(crowd: Crowd, player: Person, *, off: bool) -> None:
    """Switch a player off, or on again."""
    house = crowd.operator.house
    request = back_office_pb2.SetSwitchRequest(
        request_id=client.request_id(),
        scope=back_office_pb2.SWITCH_SCOPE_PLAYER,
        subject=player.subject,
        off=off,
        reason="a test of streams of play",
    )
    await house.call(house.office.SetSwitch, request)


async def test_a_stranger_acts_for_nobody(crowd: Crowd) -> None:
    """Without a seat a command is refused, also with the request id of a player's own command."""
    table_id, [ann] = await betting(crowd)
    eve = await crowd.player("eve")
    request = bet(table_id)
    async with by_hand(crowd, ann) as own, by_hand(crowd, eve) as stream:
        await own.send(request)
        version = (await own.answer(request)).version
        await stream.send(request)
        assert (await stream.refused(request.request_id)).reason == "NOT_SEATED"
        assert request.request_id not in stream.answers
        await own.send(later := bet(table_id))
        assert (await own.answer(later)).version == version + 1


async def test_a_private_table_is_followed_by_nobody_else(crowd: Crowd) -> None:
    """A player without an invitation is refused by a message, and sees nothing of the table."""
    ann, eve = await crowd.player("ann"), await crowd.player("eve")
    table_id = (await ann.house.create_table("suit_betting", private=True)).table_id
    async with by_hand(crowd, eve) as stream:
        await stream.follow(table_id)
        assert (await stream.refused(table_id=table_id)).reason == "INVITATION_NEEDED"
        assert stream.tables == []


async def test_a_spectator_who_is_switched_off_follows_nothing_more(crowd: Crowd) -> None:
    """What it follows ends by a message within seconds, the stream goes on, and following again is refused."""
    table_id, [ann] = await betting(crowd)
    eve = await crowd.player("eve")
    async with asyncio.timeout(60), by_hand(crowd, eve) as stream:
        await stream.follow(table_id)
        await stream.shown(1)
        await switch(crowd, eve, off=True)
        assert (await stream.refused(table_id=table_id)).reason == "SWITCHED_OFF"
        stream.refusals.clear()
        shown = len(stream.tables)
        await stream.follow(table_id)
        assert (await stream.refused(table_id=table_id)).reason == "SWITCHED_OFF"
        await ann.house.act(table_id, bet(table_id).action)
        await stream.send(request := bet(table_id))
        await stream.refused(request.request_id)
        assert len(stream.tables) == shown


async def test_a_player_who_is_excluded_is_refused_as_by_calls(crowd: Crowd) -> None:
    """In a running round a player who has excluded itself stakes no more, over a stream that was open before."""
    table_id, [ann] = await betting(crowd)
    async with by_hand(crowd, ann) as stream:
        await stream.send(request := bet(table_id))
        first = await stream.answer(request)
        until = timestamp_pb2.Timestamp()
        until.GetCurrentTime()
        until.seconds += 3600
        limit = back_office_pb2.SetLimitRequest(
            request_id=client.request_id(), kind=back_office_pb2.LIMIT_KIND_EXCLUSION, until_time=until
        )
        await ann.house.call(ann.house.office.SetLimit, limit)
        await stream.send(later := bet(table_id))
        refused = await stream.refused(later.request_id)
        assert (refused.reason, refused.metadata["set_by"]) == ("EXCLUDED", "player")
        await stream.send(request)
        while len(stream.answers[request.request_id]) < 2:
            assert await stream.read()
        assert stream.answers[request.request_id][1] == first, "a repetition has its first answer all the same"
