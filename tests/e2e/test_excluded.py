"""Limits and exclusions at the doors of the dealers."""

from typing import Any

from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb

from tests import people
from tests.people import Crowd, Person, action, refused


async def limit(person: Person, **given: Any) -> pb.Limit:
    """Have a player set a limit of its own."""
    request = pb.SetLimitRequest(request_id=client.request_id(), **given)
    return (await person.house.call(person.house.office.SetLimit, request)).limit


async def folded(players: list[Person], table_id: str) -> None:
    """Fold the running round to its end and wait until it is settled."""
    number = (await players[0].house.table(table_id)).round.round_number
    while (seen := await players[0].house.table(table_id)).round.waiting_for:
        await players[seen.round.waiting_for[0]].house.act(table_id, action("fold"))
    await people.until_settled(players[0].house, table_id, number)


async def test_a_limit_reached_during_play_ends_it_before_the_next_round(crowd: Crowd) -> None:
    """The round goes on; then the seat is paid out, brings nothing more, and the others play without it."""
    table_id, (ann, bob, cid) = await crowd.table("texas_holdem", ("Ann", "Bob", "Cid"))
    await ann.house.start_round(table_id)
    await limit(cid, kind=pb.LIMIT_KIND_LOSS, span=pb.LIMIT_SPAN_DAY, amount=500)
    await folded([ann, bob, cid], table_id)
    await refused("LIMIT_REACHED", cid.house.add_chips(table_id, 1))
    await refused("LIMIT_REACHED", cid.house.start_round(table_id))
    started = await ann.house.start_round(table_id)
    assert started.round_number == 2
    assert [seat.seat for seat in (await ann.house.table(table_id)).round.seats] == [0, 1]
    await folded([ann, bob], table_id)
    await refused("LIMIT_REACHED", cid.house.take_seat(table_id, 1000))
    await refused("LIMIT_REACHED", cid.house.take_any_seat("texas_holdem", 1000))


async def test_who_is_excluded_is_refused_at_every_dealer(crowd: Crowd) -> None:
    """Seats, quick seats, chips and deposits; another player sits down as before."""
    table_id, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += 3600
    await limit(bob, kind=pb.LIMIT_KIND_EXCLUSION, until_time=until)
    for dealer in range(2):
        await refused("EXCLUDED", bob.at(dealer).add_chips(table_id, 10))
        await refused("EXCLUDED", bob.at(dealer).take_any_seat("texas_holdem", 1000))
    await refused("EXCLUDED", crowd.operator.house.deposit(bob.subject, 10))
    await refused("NOT_ENOUGH_SEATS", ann.house.start_round(table_id))
    assert await bob.house.balance() == people.WALLET
    cid = await crowd.player("Cid")
    await cid.house.take_seat(table_id, 1000)
    assert (await ann.house.start_round(table_id)).round_number == 1
