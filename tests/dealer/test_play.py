"""Streams of play: commands and followed tables of one caller over one call."""

import asyncio
from contextlib import aclosing

import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2 as pb

from services.eventlog import log
from services.runtime import metrics
from tests.dealer import play_house
from tests.dealer.play_house import ByHand, bet, betting
from tests.support import people, waits
from tests.support.people import Crowd
from tests.support.served import Connection, Served


async def acted(conn: Connection, table_id: str) -> list[int]:
    """Return the versions of the players' actions at a table."""
    return [one.version for one in await log.read(conn, table_id) if one.type.startswith("ActionTaken")]


async def test_commands_at_many_tables_are_answered_over_one_stream(crowd: Crowd, dealer: Served) -> None:
    """Each command is answered once, with its id and its table's version, in the order of its table."""
    tables = []
    ann = await crowd.player("ann")
    for _ in range(3):
        made = await crowd.operator.house.create_table(
            "suit_betting", people.MANUAL | play_house.OPEN_WINDOW, **people.ANY_BUY_IN
        )
        await ann.house.take_seat(made.table_id, 1000)
        await ann.house.start_round(made.table_id)
        tables.append(made.table_id)
    sent = [bet(table_id) for _ in range(4) for table_id in tables]
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.send(*sent)
        versions = [(await stream.answer(request)).version for request in sent]
    for place in range(3):
        own = versions[place::3]
        assert own == list(range(own[0], own[0] + 4))
    assert all(len(answers) == 1 for answers in stream.answers.values())


async def test_a_refused_command_is_a_message_and_the_stream_goes_on(
    crowd: Crowd, dealer: Served, conn: Connection
) -> None:
    """A refusal has the details that the status of ``Act`` has; the next command is done."""
    table_id, [ann] = await betting(crowd)
    wrong, right = bet(table_id, amount=10_000_000), bet(table_id)
    async with ByHand(dealer.dealer, ann.token, ("accept-language", "zh-Hant")) as stream:
        await stream.send(wrong)
        refused = await stream.refused(wrong.request_id, table_id)
        language = client.House(dealer.channel, ann.token, language="zh-Hant")
        with pytest.raises(client.Refused) as caught:
            await language.call(language.dealer.Act, wrong)
        act = caught.value
        await stream.send(right)
        await stream.answer(right)
    assert (refused.code, refused.reason, refused.metadata) == (act.code, act.reason, act.metadata)
    assert (refused.message, refused.text, refused.locale) == (act.message, act.text, act.locale)
    assert len(await acted(conn, table_id)) == 1


async def test_a_command_sent_again_has_its_first_answer(crowd: Crowd, dealer: Served, conn: Connection) -> None:
    """The same id has one effect and one answer, on this stream, on another one, and by ``Act``."""
    table_id, [ann] = await betting(crowd)
    request, later = bet(table_id), bet(table_id)
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.send(request, later, request)
        await stream.answer(later)
        while len(stream.answers[request.request_id]) < 2:
            assert await stream.read()
        first, again = stream.answers[request.request_id]
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.send(request)
        elsewhere = await stream.answer(request)
    assert first == again == elsewhere == await ann.house.call(ann.house.dealer.Act, request)
    assert len(await acted(conn, table_id)) == 2
    async with ByHand(dealer.dealer, ann.token) as stream:
        other = bet(table_id, amount=2, request_id=request.request_id)
        await stream.send(other)
        assert (await stream.refused(other.request_id)).reason == "REQUEST_CONFLICT"


async def test_a_followed_table_shows_what_a_watch_shows(crowd: Crowd, dealer: Served) -> None:
    """The caller gets its own view with all events since the last message; after unfollowing it gets none."""
    table_id, [ann, _] = await betting(crowd, "ann", "bob")
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.follow(table_id)
        first = (await stream.shown(1)).view.version
        request = bet(table_id)
        await stream.send(request)
        version = (await stream.answer(request)).version
        shown = await stream.shown(version, table_id)
        assert stream.events() == list(range(first + 1, version + 1))
        assert shown.view.own_seat == 0
        await stream.send(pb.PlayStep(unfollow=table_id), request := bet(table_id))
        await stream.answer(request)
        count = len(stream.tables)  # what was on its way before the step has arrived before the answer
        for _ in range(3):
            await stream.send(request := bet(table_id))
            await stream.answer(request)
        assert len(stream.tables) == count


async def test_the_stream_ends_when_all_is_answered_and_the_caller_sends_no_more(crowd: Crowd, dealer: Served) -> None:
    """What is under way when the caller has sent its last message is answered before the end."""
    table_id, [ann] = await betting(crowd)
    sent = [bet(table_id) for _ in range(20)]
    followed = metrics.PLAY_FOLLOWED._value.get()
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.follow(table_id)
        await stream.send(*sent)
        await stream.finish()
        while await stream.read():
            pass
    assert [len(stream.answers[one.request_id]) for one in sent] == [1] * 20
    assert metrics.PLAY_FOLLOWED._value.get() == followed


async def test_a_session_plays_and_follows(crowd: Crowd, dealer: Served) -> None:
    """The client's session answers commands and yields a followed table's messages without a gap."""
    table_id, [ann] = await betting(crowd)
    async with client.connect(dealer.address, ann.token) as house, house.session() as session:
        seen: list[int] = []
        async with aclosing(session.follow(table_id)) as messages:
            first = (await anext(messages)).view.version
            last = 0
            for _ in range(5):
                last = (await session.act(table_id, people.action("place_bet", spot="spade", amount=1))).version
            async for message in messages:
                seen += [event.version for event in message.events]
                if message.view.version >= last:
                    break
        assert seen == list(range(first + 1, last + 1))
        with pytest.raises(client.Refused) as caught:
            await session.act(table_id, people.action("fold"), command="mine")
        assert (caught.value.reason, caught.value.request_id) == ("ILLEGAL_ACTION", "mine")


async def test_a_session_that_is_closed_leaves_nobody_waiting(
    crowd: Crowd, dealer: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits when the session or its channel is closed ends with CANCELLED, and nothing more can be sent."""
    table_id, [ann] = await betting(crowd)
    bet_once = people.action("place_bet", spot="spade", amount=1)
    started, go = asyncio.Event(), asyncio.Event()

    async def held(*_: object) -> pb.ActResponse:
        started.set()
        await go.wait()
        return pb.ActResponse()

    monkeypatch.setattr("services.dealer.acts.act", held)
    for close_channel in (False, True):
        started.clear()
        async with client.connect(dealer.address, ann.token) as house:
            session = house.session()
            acting = asyncio.create_task(session.act(table_id, bet_once))
            following = asyncio.create_task(anext(session.follow(table_id, 10_000)))
            await started.wait()
            if not close_channel:
                await session.close()
                await people.refused("CANCELLED", session.act(table_id, bet_once))
        await people.refused("CANCELLED", acting)
        await people.refused("CANCELLED", following)
    async with client.connect(dealer.address, ann.token) as house, house.session() as unused:
        pass
    await people.refused("CANCELLED", unused.act(table_id, bet_once))


async def test_the_same_id_is_not_sent_twice_at_once(crowd: Crowd, dealer: Served) -> None:
    """A session says so at once where a command with an id is under way, or a table followed already."""
    table_id, [ann] = await betting(crowd)
    bet_once = people.action("place_bet", spot="spade", amount=1)
    async with client.connect(dealer.address, ann.token) as house, house.session() as session:
        one = asyncio.create_task(session.act(table_id, bet_once, command="mine"))
        await waits.turns()
        with pytest.raises(ValueError, match="mine"):
            await session.act(table_id, bet_once, command="mine")
        first = await one
        assert await session.act(table_id, bet_once, command="mine") == first
        async with aclosing(session.follow(table_id)) as messages:
            await anext(messages)
            with pytest.raises(ValueError, match=table_id):
                await anext(session.follow(table_id))
