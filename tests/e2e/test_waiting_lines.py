"""Waiting for a seat of a full table, over gRPC, with two dealers that serve the same tables."""

import asyncio
from typing import Any

from pitboss.v1 import table_pb2

from tests.support.people import Crowd, Person, refused

FULL: dict[str, Any] = {"max_seats": 2}


async def until(player: Person, table_id: str, held: int = 1) -> table_pb2.TableView:
    """Watch a table until a seat is held for its watcher."""
    async for message in player.house.watch(table_id):
        if message.view.waiting_list.HasField("own_hold_end_time"):
            assert message.view.waiting_list.seats_held >= held
            return message.view
    raise AssertionError("the stream of views ended")


async def test_a_seat_that_comes_up_goes_to_the_first_in_line(crowd: Crowd) -> None:
    """The watcher sees its place, then the hold; a stranger is refused with its end, and the hold is used."""
    table, (ann, _) = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL | {"seat_hold_s": 120})
    cid, dan, eve = [await crowd.player(name) for name in ("cid", "dan", "eve")]
    await refused("TABLE_FULL", cid.house.take_seat(table, 1000))
    joined = await cid.house.join_line(table)
    assert (joined.place, joined.waiting, joined.HasField("hold_end_time")) == (1, 1, False)
    assert (await dan.at(1).join_line(table)).place == 2
    assert (await dan.house.table(table)).waiting_list.own_place == 2
    assert (await eve.house.table(table)).table.waiting == 2
    watching = asyncio.create_task(until(cid, table))
    await ann.house.leave(table)
    view = await watching
    end_ms = view.waiting_list.own_hold_end_time.ToMilliseconds()
    assert 0 < end_ms - view.clock.server_time.ToMilliseconds() <= 120_000
    refusal = await refused("SEAT_HELD", eve.at(1).take_seat(table, 1000))
    assert (refusal.metadata["until_ms"], refusal.metadata["place"]) == (str(end_ms), "0")
    await refused("SEAT_HELD", dan.house.take_seat(table, 1000))
    assert (await cid.house.take_seat(table, 1000)).seat == 0
    shown = (await dan.house.table(table)).waiting_list
    assert (shown.own_place, shown.seats_held) == (1, 0)


async def test_a_hold_that_nobody_uses_passes_on_by_itself(crowd: Crowd) -> None:
    """Nobody calls anything: the first waits no longer, and the second sees that the seat is held for it."""
    table, (ann, _) = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL | {"seat_hold_s": 1})
    cid, dan = [await crowd.player(name) for name in ("cid", "dan")]
    for player in (cid, dan):
        await player.house.join_line(table)
    await ann.house.leave(table)
    view = await until(dan, table)
    assert view.waiting_list.own_place == 1
    assert not (await cid.house.table(table)).waiting_list.HasField("own_place")
    async for message in dan.house.watch(table):
        if not message.view.table.waiting:
            break
    await ann.house.take_seat(table, 1000)


async def test_a_repeated_wish_to_wait_gets_its_first_answer(crowd: Crowd) -> None:
    """The same request id answers the same place, also after the line has moved on; another content is refused."""
    table, _ = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL)
    other, _ = await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL)
    cid = await crowd.player("cid")
    first = await cid.house.join_line(table, command="wait-for-it")
    await cid.house.leave_line(table)
    assert await cid.at(1).join_line(table, command="wait-for-it") == first
    assert not (await cid.house.table(table)).waiting_list.HasField("own_place")
    await refused("REQUEST_CONFLICT", cid.house.join_line(other, command="wait-for-it"))


async def test_a_player_waits_in_a_bounded_number_of_lines(crowd: Crowd) -> None:
    """The sixth line is refused; leaving one of the others makes room, and a seat taken does too."""
    tables = [(await crowd.table("tongbi_san_gong", ("ann", "bob"), FULL))[0] for _ in range(6)]
    cid = await crowd.player("cid")
    for table in tables[:5]:
        await cid.house.join_line(table)
    refusal = await refused("LIMIT_REACHED", cid.house.join_line(tables[5]))
    assert (refusal.metadata["limit"], refusal.metadata["most"]) == ("lines", "5")
    await cid.house.join_line(tables[0])
    await cid.house.leave_line(tables[0])
    await cid.house.join_line(tables[5])
