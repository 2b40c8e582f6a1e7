"""House players rest while nobody is there: no round is played for nobody, and the first watcher wakes them."""

import asyncio

import pytest
from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import table_pb2

from services.players import floor, money, rest
from services.players.crew import Member
from services.players.pace import Pace
from services.players.rest import Rest
from tests.players.conftest import playing
from tests.support import people, waits

NOW_S = 1_000_000
BOT = table_pb2.Seat(seat=0, house_player=True)
SECONDS = 60.0


def at(seconds: float) -> timestamp_pb2.Timestamp:
    """Return a moment so many seconds after now."""
    return timestamp_pb2.Timestamp(seconds=NOW_S + int(seconds))


def view(
    *seats: table_pb2.Seat, presence: tuple[table_pb2.Presence, ...] = (), spectators: int | None = 0
) -> table_pb2.TableView:
    """Return what the house player of seat 0 sees."""
    return table_pb2.TableView(
        seats=[BOT, *seats],
        own_seat=0,
        presence=presence,
        spectators=spectators,
        clock=table_pb2.Clock(server_time=at(0)),
    )


GUEST = table_pb2.Seat(seat=1)
AWAY = table_pb2.Seat(seat=1, sitting_out=True)


@pytest.mark.parametrize(
    ("seen", "company"),
    [
        (view(), False),
        (view(table_pb2.Seat(seat=1, house_player=True)), False),
        (view(spectators=1), True),
        (view(spectators=None), None),
        (view(GUEST), True),
        (view(GUEST, spectators=None), True),
        (view(GUEST, presence=(table_pb2.Presence(seat=1),)), True),
        (view(GUEST, presence=(table_pb2.Presence(seat=1, since_time=at(-10)),)), True),
        (view(GUEST, presence=(table_pb2.Presence(seat=1, since_time=at(-301)),)), False),
        (view(AWAY, presence=(table_pb2.Presence(seat=1, since_time=at(-10)),)), False),
        (view(AWAY, presence=(table_pb2.Presence(seat=1, watching=True, since_time=at(-900)),)), True),
    ],
)
def test_company_is_a_person_who_sits_there_or_looks_on(seen: table_pb2.TableView, company: bool | None) -> None:
    """House players do not count, and neither does a person who sits out and is away, or has long ceased to watch."""
    assert rest.has_company(seen) is company


def test_a_house_player_rests_after_a_while_alone() -> None:
    """It sits out once the time is over, comes back with company, and changes nothing while presence is unknown."""
    now = [0.0]
    rests = Rest(30.0, lambda: now[0])
    resting = view()
    resting.seats[0].sitting_out = True
    unknown = view(spectators=None)
    assert not rests.is_due(view())
    now[0] = 29.0
    assert not rests.is_due(view())
    assert not rests.is_due(unknown)
    now[0] = 30.0
    assert rests.is_due(view())
    assert not rests.is_due(view(spectators=1))
    assert not rests.is_due(view())
    unknown.seats[0].sitting_out = True
    assert rests.is_due(resting)
    assert rests.is_due(unknown)


def test_one_house_player_keeps_an_idle_table_open() -> None:
    """The one in the first seat uses the table five minutes before its close; where nobody rests nobody need do so."""
    seen = view(table_pb2.Seat(seat=1, house_player=True, sitting_out=True))
    seen.idle_close_time.CopyFrom(at(3600))
    assert rest.keep_open_seconds(seen) is None
    seen.seats[0].sitting_out = True
    assert rest.keep_open_seconds(seen) == 3300.0
    seen.idle_close_time.CopyFrom(at(10))
    assert rest.keep_open_seconds(seen) == rest.LEAST_WAIT_SECONDS
    seen.own_seat = 1
    assert rest.keep_open_seconds(seen) is None


def test_tables_with_people_are_tended_first_and_all_in_one_order() -> None:
    """The order does not depend on how a set is laid out, and tables that are not shown are left out."""
    shown = {
        name: table_pb2.TableSummary(table_id=name, seats_taken=taken, house_players=1, waiting=waiting)
        for name, taken, waiting in (("a", 1, 0), ("b", 2, 0), ("c", 1, 1), ("d", 1, 0))
    }
    assert floor.in_order(shown, ("d", "a", "gone", "c", "b")) == ["b", "c", "a", "d"]


async def test_no_round_is_played_for_nobody(crowd: people.Crowd, members: list[Member], pace: Pace) -> None:
    """All sit out; a watcher sees a round begin, and one that sits down too; when they are gone all rest again."""
    operator = crowd.operator.house
    rules = {**floor.TABLE_RULES, "start_countdown_s": 1, "turn_seconds": 600}
    table = (await operator.create_table("tongbi_niu_niu", rules, test=True)).table_id
    bots = members[:3]
    for one in bots:
        await money.sit(one, (await operator.table(table)).table)

    async def resting() -> table_pb2.TableView | None:
        seen = await operator.table(table)
        is_over = seen.table.state == table_pb2.TABLE_STATE_OPEN
        return seen if is_over and all(one.sitting_out for one in seen.seats if one.house_player) else None

    async def woken() -> bool:
        seen = await operator.table(table)
        return not any(one.sitting_out for one in seen.seats)

    async with playing(bots, table, pace, rest_seconds=0.0) as [first, *_]:
        await waits.eventually(resting, "all house players rest", seconds=SECONDS)
        before = await operator.table(table)
        await watch_a_start(operator, table, before.round.round_number + 1)
        seen = await waits.eventually(resting, "all rest again", seconds=SECONDS)
        assert not seen.HasField("start_time")
        await first._keep_open()
        kept = await operator.table(table)
        assert kept.idle_close_time.ToMilliseconds() > seen.idle_close_time.ToMilliseconds()
        await waits.eventually(resting, "the one that kept the table open rests", seconds=SECONDS)
        guest = await crowd.player("guest", test=True)
        await guest.house.take_seat(table, before.table.least_buy_in)
        await waits.eventually(woken, "a guest who sits down wakes all", seconds=SECONDS)
    for house in (*(one.house for one in bots), guest.house):
        await house.leave(table)


async def watch_a_start(house: client.House, table: str, number: int) -> None:
    """Look on until a round begins."""
    async with asyncio.timeout(SECONDS):
        async for message in house.watch(table):
            if message.view.round.round_number >= number:
                assert message.view.spectators == 1
                return
