"""The bounds of a stream of play: commands under way, followed tables, sizes, rates, time, and slow readers."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from pitboss import client
from pitboss.calls import refusal_in
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import acts, play_outbox, play_stream
from services.dealer.play_stream import PlayStream
from services.rules.refusals import Reason, Refused
from services.runtime import context
from services.runtime.identity import Caller
from services.runtime.quotas import Kind
from tests.dealer import play_house
from tests.dealer.conftest import Dealer, Open
from tests.dealer.play_house import ByHand, bet, betting
from tests.dealer.test_commands import multiple, run
from tests.dealer.test_tables import running
from tests.dealer.watchers import enter, player
from tests.support import people, served, waits
from tests.support.people import Crowd
from tests.support.served import Connection, Served


@pytest.fixture
async def dealer(settlement: Served, postgres_url: str, redis_url: str) -> AsyncIterator[Served]:
    """Serve a dealer with small quotas of acts."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address, quota_acts="0.001/8")
    async with served.serve("dealer", given) as process:
        yield process


class Sent:
    """The messages that a caller sends, one by one as the stream reads them."""

    def __init__(self, *messages: pb.PlayRequest) -> None:
        self._messages = list(messages)
        self.read = 0

    async def __aiter__(self) -> AsyncIterator[pb.PlayRequest]:
        for message in self._messages:
            self.read += 1
            yield message
        await asyncio.Event().wait()


class Played:
    """What was decided in place of the house, which a test lets go on by ``go``."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.begun: list[str] = []
        self.at_once: set[str] = set()
        """Ids of commands that do not wait."""

    async def act(self, _house: object, request: pb.ActRequest, _caller: object) -> pb.ActResponse:
        """Stand in for ``acts.act``."""
        self.begun.append(request.request_id)
        if request.request_id not in self.at_once:
            await self.go.wait()
        return pb.ActResponse(version=len(self.begun))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    """Decide commands by hand."""
    found = Played()
    monkeypatch.setattr(acts, "act", found.act)
    return found


@asynccontextmanager
async def streaming(
    sent: Sent, feeds: object = None, seconds: float = 60.0, gate: Any = None
) -> AsyncIterator[AsyncGenerator[bytes]]:
    """Open a stream on what a caller sends; it is read only as far as a test reads it."""
    house: Any = SimpleNamespace(settings=SimpleNamespace(call_seconds=seconds), feeds=feeds)
    call = enter(player("p0"))
    call.gate = gate
    async with aclosing(PlayStream(house, call).messages(sent.__aiter__())) as messages:
        yield messages


async def part(messages: AsyncGenerator[bytes]) -> pb.PlayResponse:
    """Return the next message."""
    async with asyncio.timeout(play_house.WAIT_SECONDS):
        return pb.PlayResponse.FromString(await anext(messages))


def acting(*requests: pb.ActRequest) -> pb.PlayRequest:
    """Return a message of commands."""
    return pb.PlayRequest(steps=[pb.PlayStep(act=request) for request in requests])


async def test_no_more_is_read_while_many_commands_are_under_way(played: Played) -> None:
    """Beyond the bound the stream reads on only when answers were taken; then every command is answered once."""
    table_ids = [served.table_id() for _ in range(8)]
    requests = [bet(table_id) for _ in range(20) for table_id in table_ids]
    sent = Sent(*(acting(request) for request in requests))
    async with streaming(sent) as messages:
        first = asyncio.create_task(part(messages))
        await waits.eventually(lambda: sent.read > play_stream.MOST_UNDER_WAY, "as much as may be under way is read")
        await waits.turns(20)
        assert sent.read == play_stream.MOST_UNDER_WAY + 1
        assert len(played.begun) == 8, "one command at each table is decided at a time"
        played.go.set()
        answered = [one.request_id for one in (await first).answers]
        await waits.turns(50)
        assert sent.read <= len(answered) + play_stream.MOST_UNDER_WAY + 1, (
            "answers that nobody takes hold the stream up"
        )
        while len(answered) < len(requests):
            answered += [one.request_id for one in (await part(messages)).answers]
    assert sorted(answered) == sorted(request.request_id for request in requests)
    for place in range(8):
        own = [request.request_id for request in requests[place::8]]
        assert [one for one in answered if one in own] == own, "commands at one table keep their order"


async def test_a_command_that_takes_too_long_is_refused_and_the_next_is_done(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the time of a call the command is DEADLINE_EXCEEDED; it is a message, and its table's next one begins."""
    monkeypatch.setattr(play_stream, "LOOK_SECONDS", 0.01)
    slow = bet(served.table_id())
    later = bet(slow.table_id)
    played.at_once.add(later.request_id)
    async with streaming(Sent(acting(slow, later)), seconds=0.05) as messages:
        refusals: list[pb.PlayRefusal] = []
        answers: list[pb.ActResponse] = []
        while not answers:
            message = await part(messages)
            refusals += message.refusals
            answers += message.answers
    assert [one.request_id for one in refusals] == [slow.request_id]
    assert refusal_in(refusals[0].status).reason == "DEADLINE_EXCEEDED"
    assert [one.request_id for one in answers] == [later.request_id]


@pytest.mark.parametrize("steps", [0, play_stream.MOST_STEPS + 1])
async def test_a_message_with_too_many_steps_or_none_ends_the_stream(played: Played, steps: int) -> None:
    """The stream ends with INVALID_ARGUMENT and the bounds."""
    played.go.set()
    table_id = served.table_id()
    async with streaming(Sent(acting(*(bet(table_id) for _ in range(steps))))) as messages:
        with pytest.raises(Refused) as caught:
            await part(messages)
    assert caught.value.reason is Reason.INVALID_ARGUMENT
    assert played.begun == []


async def test_a_step_of_no_kind_and_a_text_with_nul_are_refused_by_messages(played: Played) -> None:
    """What is wrong with one step says so, and the others of its message are done."""
    played.go.set()
    wrong, right = bet(served.table_id(), spot="spa\0de"), bet(served.table_id())
    lost = pb.PlayStep(act=bet("no table"))
    request = pb.PlayRequest(steps=[pb.PlayStep(), pb.PlayStep(act=wrong), lost, pb.PlayStep(act=right)])
    async with streaming(Sent(request)) as messages:
        refusals: list[pb.PlayRefusal] = []
        answers: list[pb.ActResponse] = []
        while len(refusals) + len(answers) < 4:
            message = await part(messages)
            refusals += message.refusals
            answers += message.answers
    assert [one.request_id for one in answers] == [right.request_id]
    assert [(one.request_id, refusal_in(one.status).reason) for one in refusals] == [
        ("", "INVALID_ARGUMENT"),
        (wrong.request_id, "INVALID_ARGUMENT"),
        (lost.act.request_id, "TABLE_NOT_FOUND"),
    ]


def following(*table_ids: str) -> pb.PlayRequest:
    """Return a message that follows tables."""
    return pb.PlayRequest(steps=[pb.PlayStep(follow=pb.WatchTableRequest(table_id=one)) for one in table_ids])


async def test_a_slow_reader_gets_the_newest_view_with_all_events(open_dealer: Open, conn: Connection) -> None:
    """While a message waits to be taken no other one of its table is made; the next one has all events since."""
    sitting = await running(conn)
    house: Dealer = open_dealer()
    async with streaming(Sent(following(sitting.table_id)), feeds=house.feeds) as messages:
        seen = [(await part(messages)).tables[0]]
        for seat in range(3):
            await run(house, multiple(sitting), seat)
            await waits.turns(20)
        last = seen[0].view.version + 3
        while seen[-1].view.version < last:
            seen += (await part(messages)).tables
        assert len(seen) <= 3, "a message for every version was kept"
        events = [event.version for one in seen for event in one.events]
        assert events == list(range(seen[0].view.version + 1, last + 1))


async def test_a_stream_follows_a_bounded_number_of_tables(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table more is TOO_MANY_REQUESTS until another one is followed no longer; the same one may be begun anew."""
    monkeypatch.setattr(play_stream, "MOST_FOLLOWED", 2)
    ids = [(await running(conn)).table_id for _ in range(3)]
    again = pb.PlayRequest(
        steps=[
            pb.PlayStep(follow=pb.WatchTableRequest(table_id=ids[1], after_version=1)),
            pb.PlayStep(unfollow=ids[0]),
            pb.PlayStep(follow=pb.WatchTableRequest(table_id=ids[2])),
        ]
    )
    house = open_dealer()
    first, second = Sent(following(*ids)), Sent(following(ids[0], ids[1]), again)
    async with streaming(first, feeds=house.feeds) as messages:
        refusals: list[pb.PlayRefusal] = []
        shown: set[str] = set()
        while len(shown) < 2 or not refusals:
            message = await part(messages)
            refusals += message.refusals
            shown |= {one.view.table.table_id for one in message.tables}
        [refusal] = refusals
        refused = refusal_in(refusal.status)
        assert (refusal.table_id, refused.reason, refused.metadata["most"]) == (ids[2], "TOO_MANY_REQUESTS", "2")
        assert refused.retry_after_seconds
        assert shown == set(ids[:2])
    async with streaming(second, feeds=house.feeds) as messages:
        shown = set()
        while ids[2] not in shown:
            message = await part(messages)
            assert not message.refusals
            shown |= {one.view.table.table_id for one in message.tables}


class Strict:
    """Admits so many steps, and refuses every other one."""

    def __init__(self, most: int) -> None:
        self._left = most

    async def admit(self, kind: Kind, _caller: Caller) -> None:
        """Admit a step, or refuse it."""
        self._left -= 1
        if self._left < 0:
            raise Refused(Reason.TOO_MANY_REQUESTS, f"too many {kind}", retry_seconds=1.0)

    def refusal(self, error: Exception, _call: context.Call) -> Refused:
        """Return the refusal that was raised."""
        assert isinstance(error, Refused)
        return error


async def test_every_kind_of_step_counts_for_its_callers_rate(
    open_dealer: Open, conn: Connection, played: Played
) -> None:
    """Steps beyond the rate are refused by messages; a table is followed no longer all the same."""
    sitting = await running(conn)
    table_id, house = sitting.table_id, open_dealer()
    played.go.set()
    steps = [
        pb.PlayStep(unfollow=table_id),
        pb.PlayStep(act=bet(table_id, request_id="mine")),
        pb.PlayStep(follow=pb.WatchTableRequest(table_id=table_id)),
        pb.PlayStep(),
    ]
    async with streaming(
        Sent(following(table_id), pb.PlayRequest(steps=steps)), house.feeds, gate=Strict(1)
    ) as messages:
        refusals: list[pb.PlayRefusal] = []
        while len(refusals) < len(steps):
            refusals += (await part(messages)).refusals
        await waits.eventually(lambda: not list(house.feeds.audience.watchers()), "the table is followed no longer")
    assert [(one.request_id, one.table_id) for one in refusals] == [
        ("", table_id),
        ("mine", table_id),
        ("", table_id),
        ("", ""),
    ]
    assert {refusal_in(one.status).reason for one in refusals} == {"TOO_MANY_REQUESTS"}
    assert played.begun == []


async def test_a_message_is_bounded_in_its_size() -> None:
    """Replies and tables that do not fit into one message go into the next; none is lost."""
    outbox = play_outbox.Outbox()
    large = b"x" * (play_outbox.MOST_BYTES // 3)
    showing = [asyncio.create_task(outbox.show(f"t{number}", large)) for number in range(5)]
    await waits.turns()
    outbox.answer(pb.ActResponse(version=1))
    sizes = []
    while not outbox.is_empty:
        message, _ = outbox.take()
        sizes.append(len(message))
    await asyncio.gather(*showing)
    assert max(sizes) <= play_outbox.MOST_BYTES
    assert sum(sizes) > 5 * len(large)
    huge = asyncio.create_task(outbox.show("t", b"x" * (2 * play_outbox.MOST_BYTES)))
    await waits.turns()
    assert len(outbox.take()[0]) > play_outbox.MOST_BYTES, "a table that is larger goes alone"
    await huge


async def test_a_caller_has_a_bounded_number_of_streams(crowd: Crowd, dealer: Served) -> None:
    """One stream more is TOO_MANY_REQUESTS; when one ends there is room again."""
    table_id, [ann] = await betting(crowd)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(ByHand(dealer.dealer, ann.token)) for _ in range(play_stream.MOST_STREAMS)
        ]
        for one in streams:
            await one.follow(table_id)
            await one.shown(1)
        async with ByHand(dealer.dealer, ann.token) as more:
            await more.follow(table_id)
            refused = await more.end()
        assert (refused.reason, refused.metadata["most"]) == ("TOO_MANY_REQUESTS", str(play_stream.MOST_STREAMS))
        await streams[0].finish()
        while await streams[0].read():
            pass
        async with ByHand(dealer.dealer, ann.token) as more:
            await more.follow(table_id)
            await more.shown(1)


async def test_each_command_counts_for_its_callers_rate(crowd: Crowd, dealer: Served) -> None:
    """Beyond the quota of acts a command is refused by a message with the pause; calls share the quota."""
    table_id, [ann] = await betting(crowd)  # the start of the round was the first of eight acts
    sent = [bet(table_id) for _ in range(9)]
    async with ByHand(dealer.dealer, ann.token) as stream:
        await stream.send(*sent)
        for request in sent[7:]:
            refused = await stream.refused(request.request_id)
            assert (refused.reason, refused.metadata["kind"]) == ("TOO_MANY_REQUESTS", "acts")
            assert refused.retry_after_seconds
        for request in sent[:7]:
            await stream.answer(request)
    await people.refused("TOO_MANY_REQUESTS", ann.house.act(table_id, bet(table_id).action))
    async with client.connect(dealer.address, ann.token) as house, house.session() as session:
        await people.refused("TOO_MANY_REQUESTS", session.act(table_id, bet(table_id).action))
