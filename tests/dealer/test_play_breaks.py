"""Breaks of a stream of play with commands under way: each has one effect and one answer, and no event is missed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress

import pytest
from pitboss import client
from pitboss.session import Session
from pitboss.v1 import dealer_pb2 as pb

from services.eventlog import log
from services.runtime.identity import Caller, Identity, Role
from tests.dealer import play_house
from tests.dealer.play_house import ByHand, bet, betting
from tests.support import lines, people, served, waits
from tests.support.lines import Line
from tests.support.people import Crowd
from tests.support.served import Connection, Served

TABLES, EACH = 3, 5
"""Tables that are played at once, and commands at each of them in each part of a test."""
SHORT_SECONDS = 4
"""Life of a token that ends during a test; longer than a call takes on a machine that others use too."""
BET = people.action("place_bet", spot="spade", amount=1)


class Follower:
    """The versions of all events and views that a session's reader received from one table."""

    def __init__(self) -> None:
        self.events: list[int] = []
        self.views: list[int] = []

    async def read(self, session: Session, table_id: str) -> None:
        """Read until the task is cancelled."""
        async with aclosing(session.follow(table_id)) as messages:
            async for message in messages:
                self.events += [event.version for event in message.events]
                self.views.append(message.view.version)

    def require_whole(self, last: int) -> None:
        """Check that every event after the first view came once, in order, and that no view was older than the last."""
        assert self.events == list(range(self.views[0] + 1, last + 1))
        assert self.views == sorted(self.views)


@asynccontextmanager
async def following(session: Session, table_ids: list[str]) -> AsyncIterator[list[Follower]]:
    """Follow tables until the block ends; each has been shown once when it begins."""
    followers = [Follower() for _ in table_ids]
    tasks = [
        asyncio.create_task(one.read(session, table_id)) for one, table_id in zip(followers, table_ids, strict=True)
    ]
    try:
        await waits.eventually(lambda: all(one.views for one in followers), "the first views")
        yield followers
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def tables_of(crowd: Crowd) -> tuple[list[str], people.Person]:
    """Return tables with open betting windows, at all of which one player sits."""
    found = []
    ann = await crowd.player("ann")
    for _ in range(TABLES):
        rules = people.MANUAL | play_house.OPEN_WINDOW
        made = await crowd.operator.house.create_table("suit_betting", rules, **people.ANY_BUY_IN)
        await ann.house.take_seat(made.table_id, 10_000)
        await ann.house.start_round(made.table_id)
        found.append(made.table_id)
    return found, ann


async def actions(conn: Connection, table_id: str) -> list[int]:
    """Return the versions of the players' actions at a table."""
    return [one.version for one in await log.read(conn, table_id) if one.type.startswith("ActionTaken")]


def bets(session: Session, table_ids: list[str]) -> list[asyncio.Task[pb.ActResponse]]:
    """Bet several times at each table, all under way at once."""
    return [asyncio.create_task(session.act(table_id, BET)) for _ in range(EACH) for table_id in table_ids]


async def all_done(conn: Connection, table_ids: list[str], count: int) -> bool:
    """Return whether the log holds so many actions at each table."""
    return [len(await actions(conn, table_id)) for table_id in table_ids] == [count] * len(table_ids)


async def require_once(
    conn: Connection, table_ids: list[str], answers: list[pb.ActResponse], followers: list[Follower]
) -> None:
    """Check that each command is one action of the log, answered with its version, and that followers saw all."""
    for place, (table_id, follower) in enumerate(zip(table_ids, followers, strict=True)):
        recorded = await actions(conn, table_id)
        assert [answer.version for answer in answers[place :: len(table_ids)]] == recorded
        await waits.eventually(
            lambda follower=follower, last=recorded[-1]: follower.views[-1] >= last,  # type: ignore[misc]  # bound now
            "the last view",
        )
        follower.require_whole(recorded[-1])


@asynccontextmanager
async def over_a_line(dealer: Served, token: str) -> AsyncIterator[tuple[Line, Session]]:
    """Yield a line to the dealer, and a session over it."""
    async with (
        lines.line_to(dealer.running.port) as (line, address),
        client.connect(address, token) as house,
        house.session() as session,
    ):
        yield line, session


@pytest.mark.parametrize("lost", ["requests", "answers"])
async def test_a_cut_line_loses_and_doubles_nothing(crowd: Crowd, dealer: Served, conn: Connection, lost: str) -> None:
    """Commands that never arrived, or whose answers were lost on the line, have one effect and one answer."""
    table_ids, ann = await tables_of(crowd)
    async with over_a_line(dealer, ann.token) as (line, session), following(session, table_ids) as followers:
        before = [await waiting for waiting in bets(session, table_ids)]
        gate = line.there if lost == "requests" else line.back
        gate.clear()
        under_way = bets(session, table_ids)
        if lost == "answers":
            await waits.eventually(lambda: all_done(conn, table_ids, 2 * EACH), "all is done")
        else:
            await waits.turns(20)
            assert await all_done(conn, table_ids, EACH)
        assert not any(one.done() for one in under_way)
        line.cut()
        line.restore()
        after = [await one for one in under_way]
        await require_once(conn, table_ids, before + after, followers)
        assert line.carried >= 2


async def test_a_line_that_is_cut_again_and_again_loses_and_doubles_nothing(
    crowd: Crowd, dealer: Served, conn: Connection
) -> None:
    """Cuts at moments that nobody chose: the commands of each part are sent again until they are answered."""
    table_ids, ann = await tables_of(crowd)
    async with over_a_line(dealer, ann.token) as (line, session), following(session, table_ids) as followers:
        answers = []
        for part in range(4):
            under_way = bets(session, table_ids)
            await waits.turns(5 * part)
            line.cut()
            answers += [await one for one in under_way]
        await require_once(conn, table_ids, answers, followers)


async def test_a_dealer_that_stops_is_resumed_at_the_next_one(
    settlement: Served, postgres_url: str, redis_url: str, conn: Connection
) -> None:
    """A draining dealer ends the stream with SHUTTING_DOWN; the session goes on when one is there again."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address, drain_seconds=1.0)
    async with served.serve("dealer", given) as first, play_house.crowd_of(first, settlement=settlement) as crowd:
        table_ids, ann = await tables_of(crowd)
        async with over_a_line(first, ann.token) as (line, session), following(session, table_ids) as followers:
            answers = [await waiting for waiting in bets(session, table_ids)]
            async with ByHand(first.dealer, ann.token) as stream:
                await stream.follow(table_ids[0])
                await stream.shown(1)
                drained = asyncio.create_task(first.running.drain())
                assert (await stream.end()).reason == "SHUTTING_DOWN"
            under_way = bets(session, table_ids)
            await drained
            async with served.serve("dealer", given) as second:
                line.lead_to(second.running.port)
                answers += [await one for one in under_way]
                await require_once(conn, table_ids, answers, followers)
                await session.close()


def short_token(crowd: Crowd, person: people.Person, seconds: float) -> str:
    """Return a token of a person that expires soon."""
    return crowd.reach.identity.mint(Caller(person.subject, Role.PLAYER), seconds)


async def test_a_stream_ends_with_its_token_and_a_session_goes_on_with_the_next(
    crowd: Crowd, dealer: Served, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand the stream ends with UNAUTHENTICATED; a session signs in again, and nothing is lost or doubled."""
    monkeypatch.setattr("services.runtime.identity.LEEWAY_SECONDS", 0)
    table_ids, ann = await tables_of(crowd)
    async with ByHand(dealer.dealer, short_token(crowd, ann, SHORT_SECONDS)) as stream:
        await stream.send(request := bet(table_ids[0]))
        await stream.answer(request)
        assert (await stream.end()).reason == "UNAUTHENTICATED"
    signed_in = 0

    def sign_in() -> str:
        nonlocal signed_in
        signed_in += 1
        return short_token(crowd, ann, SHORT_SECONDS)

    async with (
        client.connect(dealer.address, sign_in) as house,
        house.session() as session,
        following(session, table_ids[1:]) as followers,
    ):
        answers: list[pb.ActResponse] = []
        while signed_in < 2:
            answers += [await session.act(table_id, BET) for table_id in table_ids[1:]]
            if len(answers) > 100:  # a seat has a bounded number of actions in a round
                await waits.eventually(lambda: signed_in >= 2, "the next token")
        await require_once(conn, table_ids[1:], answers, followers)


async def test_a_refused_token_ends_all_waits(crowd: Crowd, dealer: Served) -> None:
    """A session whose token the house refuses, and that has no other, raises it for commands and followed tables."""
    table_id, [ann] = await betting(crowd)
    bad = Identity(served.given("", "", jwt_secret="another secret, long enough for HS256")).mint(
        Caller(ann.subject, Role.PLAYER), 60
    )
    async with client.connect(dealer.address, bad) as house, house.session() as session:
        with pytest.raises(client.Refused) as caught:
            await session.act(table_id, BET)
        assert caught.value.reason == "UNAUTHENTICATED"
        with pytest.raises(client.Refused) as caught:
            await anext(session.follow(table_id))
        assert caught.value.reason == "UNAUTHENTICATED"


async def test_a_command_that_its_caller_gives_up_is_not_sent_again(
    crowd: Crowd, dealer: Served, conn: Connection
) -> None:
    """A cancelled command that never arrived is not done after the break; the others are."""
    table_ids, ann = await tables_of(crowd)
    async with over_a_line(dealer, ann.token) as (line, session):
        await session.act(table_ids[0], BET)
        line.there.clear()
        given_up, kept = (asyncio.create_task(session.act(table_ids[0], BET)) for _ in range(2))
        await waits.turns(10)
        given_up.cancel()
        with suppress(asyncio.CancelledError):
            await given_up
        line.cut()
        line.restore()
        answer = await kept
        assert await actions(conn, table_ids[0]) == [answer.version - 1, answer.version]
