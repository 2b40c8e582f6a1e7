"""The bound on a player's open tables, and players who may open none."""

import asyncio

from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2

from tests.support.people import Crowd, Person, refused

GAME = "texas_holdem"
MOST = 20
"""The setting's own value."""


async def test_a_player_has_a_bounded_number_of_tables_open(crowd: Crowd) -> None:
    """The bound holds for concurrent requests at two dealers, and a closed table makes room; others are unaffected."""
    ann, bob = await crowd.player("Ann"), await crowd.player("Bob")
    requests = [dealer_pb2.CreateTableRequest(request_id=client.request_id(), game=GAME) for _ in range(MOST + 6)]
    answers = await asyncio.gather(
        *(ann.at(place).call(ann.at(place).dealer.CreateTable, request) for place, request in enumerate(requests)),
        return_exceptions=True,
    )
    refusals = [answer for answer in answers if isinstance(answer, client.Refused)]
    opened = [
        (request, answer)
        for request, answer in zip(requests, answers, strict=True)
        if isinstance(answer, dealer_pb2.CreateTableResponse)
    ]
    assert (len(opened), len(refusals)) == (MOST, 6)
    assert {(one.reason, one.metadata["limit"], one.metadata["most"]) for one in refusals} == {
        ("LIMIT_REACHED", "tables", str(MOST))
    }
    request, first = opened[0]
    assert await ann.at(1).call(ann.at(1).dealer.CreateTable, request) == first
    await bob.house.create_table(GAME)
    closing = dealer_pb2.CloseTableRequest(
        request_id=client.request_id(), table_id=first.table_id, reason="nobody plays"
    )
    await crowd.operator.house.call(crowd.operator.house.dealer.CloseTable, closing)
    await ann.at(1).create_table(GAME)
    await refused("LIMIT_REACHED", ann.at(0).create_table(GAME))


async def test_a_player_closes_its_own_table_that_nobody_uses(crowd: Crowd) -> None:
    """A player can close neither another's table nor one with a seated player."""
    ann, bob = await crowd.player("Ann"), await crowd.player("Bob")
    table_id = (await ann.house.create_table(GAME)).table_id

    async def close(who: Person) -> None:
        request = dealer_pb2.CloseTableRequest(request_id=client.request_id(), table_id=table_id, reason="nobody plays")
        await who.house.call(who.house.dealer.CloseTable, request)

    await refused("PERMISSION_DENIED", close(bob))
    await bob.house.take_seat(table_id, buy_in=1000)
    await refused("PERMISSION_DENIED", close(ann))
    await bob.house.leave(table_id)
    await close(ann)
    await refused("TABLE_CLOSED", bob.at(1).take_seat(table_id, buy_in=1000))


async def test_staff_open_as_many_tables_as_they_like(crowd: Crowd) -> None:
    """The bound does not apply to staff."""
    made = [await crowd.operator.at(place).create_table(GAME) for place in range(MOST + 2)]
    assert len({one.table_id for one in made}) == MOST + 2


async def test_who_is_excluded_opens_no_table(crowd: Crowd) -> None:
    """An excluded player can open no table at any dealer; a repeated request returns its earlier table."""
    ann = await crowd.player("Ann")
    request = dealer_pb2.CreateTableRequest(request_id=client.request_id(), game=GAME)
    first = await ann.house.call(ann.house.dealer.CreateTable, request)
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += 3600
    exclusion = back_office_pb2.SetLimitRequest(
        request_id=client.request_id(), kind=back_office_pb2.LIMIT_KIND_EXCLUSION, until_time=until
    )
    await ann.house.call(ann.house.office.SetLimit, exclusion)
    for dealer in range(2):
        await refused("EXCLUDED", ann.at(dealer).create_table(GAME))
        assert await ann.at(dealer).call(ann.at(dealer).dealer.CreateTable, request) == first
