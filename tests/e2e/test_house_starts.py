"""A house whose tables start by themselves: over gRPC, with two dealers that serve the same tables."""

import asyncio
from typing import Any

from pitboss import client
from pitboss.v1 import table_pb2

from tests.support import people, waits
from tests.support.people import Crowd, Person, refused

SOON: dict[str, Any] = {"start": "auto", "start_countdown_s": 1}
LATER: dict[str, Any] = {"start": "auto", "start_countdown_s": 600}


async def until_round(player: Person, table_id: str, number: int) -> table_pb2.TableView:
    """Watch a table until a round runs."""
    async for message in player.house.watch(table_id):
        if message.view.round.waiting_for and message.view.round.round_number >= number:
            return message.view
    raise AssertionError("the stream of views ended")


async def test_the_house_starts_one_round_after_the_other(crowd: Crowd) -> None:
    """Nobody asks for a start: two dealers start each round once, and the view says when the next one begins."""
    table, players = await crowd.table("tongbi_san_gong", ("ann", "bob"), SOON)
    for number in (1, 2, 3):
        await until_round(players[0], table, number)
        for player in players:
            await player.house.act(table, people.action("bet_multiple", multiple=1))
        for player in players:
            await player.house.act(table, people.action("reveal"))
        view = await people.until_settled(players[0].house, table, number)
        if number == 1:
            assert view.HasField("start_time")
            left_ms = view.start_time.ToMilliseconds() - view.clock.server_time.ToMilliseconds()
            assert left_ms <= 1000
            assert view.clock.time_left_ms == max(0, left_ms)
    for player in players:
        await player.house.leave(table)
    async for message in players[0].house.watch(table):
        if not message.view.seats:
            assert not message.view.HasField("start_time")
            break


async def test_a_player_who_asks_for_a_start_is_told_when_it_comes(crowd: Crowd) -> None:
    """The refusal holds the moment for machines and the seconds for people; staff start at once."""
    table, (ann, _) = await crowd.table("texas_holdem", ("ann", "bob"), LATER)
    view = await ann.house.table(table)
    for dealer in range(2):
        refusal = await refused("HOUSE_STARTS", ann.at(dealer).start_round(table))
        assert int(refusal.metadata["start_ms"]) == view.start_time.ToMilliseconds()
        assert 0 < int(refusal.metadata["left_ms"]) <= 600_000
        assert (refusal.metadata["ready"], refusal.metadata["needed"]) == ("2", "2")
    await crowd.operator.house.start_round(table)
    assert (await ann.house.table(table)).round.round_number == 1


async def test_the_only_ready_player_starts_at_once(crowd: Crowd) -> None:
    """Alone at a table that needs no other, nobody has to wait for the countdown; with a second one both do."""
    table, (ann,) = await crowd.table("blackjack", ("ann",), LATER)
    await ann.house.start_round(table)
    assert (await ann.house.table(table)).round.round_number == 1
    alone, (bob,) = await crowd.table("texas_holdem", ("bob",), LATER)
    await refused("NOT_ENOUGH_SEATS", bob.house.start_round(alone))
    crowded, (cid, _) = await crowd.table("texas_holdem", ("cid", "dan"), LATER | {"least_ready": 3})
    refusal = await refused("HOUSE_STARTS", cid.house.start_round(crowded))
    assert (refusal.metadata["ready"], refusal.metadata["needed"]) == ("2", "3")
    assert "start_ms" not in refusal.metadata


async def join(player: Person, table_id: str) -> int:
    """Take a seat and return 0, or wait for one and return the place in line."""
    try:
        await player.house.take_seat(table_id, 100_000)
    except client.Refused as error:
        assert error.reason == "TABLE_FULL"
        return (await player.house.join_line(table_id)).place
    return 0


async def go(player: Person, table_id: str, place: int) -> None:
    """Leave the line, in which the view shows the place, or the seat."""
    if place:
        assert (await player.house.table(table_id)).waiting_list.HasField("own_place")
        await player.house.leave_line(table_id)
    else:
        await player.house.leave(table_id)


async def test_ten_newcomers_join_a_busy_table(crowd: Crowd) -> None:
    """Ten players come together while rounds follow each other: each is dealt in next or gets its place in line."""
    rules = SOON | {"start_countdown_s": 0, "turn_seconds": 1, "bet_seconds": 1, "max_seats": 8}
    table, players = await crowd.table("texas_holdem", ("ann", "bob"), rules, buy_in=100_000)
    newcomers = [await crowd.player(f"new{number}") for number in range(10)]
    await until_round(players[0], table, 1)

    places = await asyncio.gather(*(join(player, table) for player in newcomers))
    assert sorted(places) == [0] * 6 + [1, 2, 3, 4]
    begun = (await players[0].house.table(table)).round.round_number
    seated = {
        view.own_seat for view in [await player.house.table(table) for player in newcomers] if view.HasField("own_seat")
    }
    playing: set[int] = set()
    async for message in players[0].house.watch(table):
        playing |= {seat.seat for seat in message.view.round.seats}
        if seated <= playing:
            break
        assert message.view.round.round_number <= begun + 1, "each is dealt in with the next round"
    await asyncio.gather(*(go(player, table, place) for player, place in zip(newcomers, places, strict=True)))
    for player in players:
        await player.house.leave(table)
    async for message in players[0].house.watch(table):
        if not message.view.seats:
            break
    total = sum([await player.house.balance() for player in (*players, *newcomers)])
    assert total == people.WALLET * 12


async def test_rounds_that_nobody_watches_keep_no_table_from_closing(crowd: Crowd) -> None:
    """Where no player has a decision, rounds begin one after the other; they count as a use once a player watches."""
    rules = {**SOON, "idle_minutes": 60, "absent_rounds": 0, "absent_minutes": 0}
    table, (ann, *others) = await crowd.table("war", ("ann", "bob", "cid", "dan"), rules)
    before_ms = (await crowd.operator.house.table(table)).idle_close_time.ToMilliseconds()

    async def played(rounds: int) -> bool:
        return (await crowd.operator.house.table(table)).last_result.round_number >= rounds

    await waits.eventually(lambda: played(2), "two rounds that nobody watches")
    assert (await crowd.operator.house.table(table)).idle_close_time.ToMilliseconds() == before_ms
    async for message in ann.house.watch(table):
        if message.view.idle_close_time.ToMilliseconds() > before_ms:
            break
    assert {one.seat for one in message.view.presence if one.watching} == {0}
    for player in (ann, *others):
        await player.house.leave(table)
