"""Sitting out and back over gRPC, and what becomes of a seat that stays away."""

from pitboss import client
from pitboss.v1 import dealer_pb2, table_pb2

from tests.support import people, waits
from tests.support.people import Crowd, Person

GAME = "tongbi_san_gong"


async def played(players: list[Person], table: str, number: int) -> table_pb2.TableView:
    """Play the running round to its settlement."""
    for player in players:
        await player.house.act(table, people.action("bet_multiple", multiple=1))
    for player in players:
        await player.house.act(table, people.action("reveal"))
    return await people.until_settled(players[0].house, table, number)


async def test_a_seat_sits_out_and_comes_back(crowd: Crowd) -> None:
    """It plays its round to the end, is passed over in the next one, and is dealt in again once it says so."""
    table, players = await crowd.table(GAME, ("ann", "bob", "cid"), {"absent_rounds": 10, "absent_minutes": 15})
    await players[0].house.start_round(table)
    answer = await players[2].house.sit_out(table)
    assert answer.after_round
    assert (await players[2].at(1).sit_out(table)).version == answer.version
    view = await played(players, table, 1)
    assert [(seat.state, seat.sitting_out) for seat in view.seats] == [
        (table_pb2.SEAT_STATE_READY, False),
        (table_pb2.SEAT_STATE_READY, False),
        (table_pb2.SEAT_STATE_SITTING_OUT, True),
    ]
    assert view.seats[2].removal_rounds == 10
    assert view.seats[2].HasField("removal_time")
    await players[0].house.start_round(table)
    assert [seat.seat for seat in (await players[0].house.table(table)).round.seats] == [0, 1]
    await players[2].at(1).sit_in(table)
    await played(players[:2], table, 2)
    await players[0].house.start_round(table)
    view = await players[0].house.table(table)
    assert [seat.seat for seat in view.round.seats] == [0, 1, 2]
    assert {seat.state for seat in view.seats} == {table_pb2.SEAT_STATE_PLAYING}
    stranger = await crowd.player("dan")
    for call in (stranger.house.sit_out(table), stranger.house.sit_in(table)):
        await people.refused("NOT_SEATED", call)


async def test_a_seat_that_the_clock_plays_for_is_cashed_out(crowd: Crowd) -> None:
    """Two decisions lapse: the seat sits out, and after a round without it the house pays its chips out."""
    table, players = await crowd.table(GAME, ("ann", "bob", "cid"), {"absent_rounds": 1}, test=True)
    staff, away = crowd.operator.house, players[2]
    await players[0].house.start_round(table)
    for act in (people.action("bet_multiple", multiple=1), people.action("reveal")):
        for player in players[:2]:
            await player.house.act(table, act)
        request = dealer_pb2.PassDeadlineRequest(request_id=client.request_id(), table_id=table, times=1)
        await staff.call(staff.dealer.PassDeadline, request)
    view = await people.until_settled(players[0].house, table, 1)
    assert (view.seats[2].sitting_out, view.seats[2].removal_rounds) == (True, 1)
    held = view.seats[2].chips
    before = await away.house.balance("XTS")
    await players[0].house.start_round(table)
    await played(players[:2], table, 2)

    async def removed() -> bool:
        return len((await players[0].house.table(table)).seats) == 2

    await waits.eventually(removed, "the removal of the absent seat")
    assert await away.house.balance("XTS") == before + held
    await people.refused("NOT_SEATED", away.house.sit_in(table))
