"""Streams of play where families have dealers of their own: one stream for each, and one session over them."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest
from pitboss import client

from services.dealer import process
from tests.dealer import play_house
from tests.dealer.play_house import ByHand, bet, betting
from tests.support import people, served
from tests.support.people import Crowd
from tests.support.served import Served

OWN = ("banker", "poker")


@asynccontextmanager
async def serving(settlement: Served, postgres_url: str, redis_url: str, family: str) -> AsyncIterator[Served]:
    """Serve a dealer of one family."""
    given = served.given(postgres_url, redis_url, settlement_address=settlement.address)
    async with served.serve("dealer", given, process.build([family])) as dealer:
        yield dealer


@pytest.fixture
async def dealers(settlement: Served, postgres_url: str, redis_url: str) -> AsyncIterator[dict[str, Served]]:
    """Serve dealers of two families."""
    async with (
        serving(settlement, postgres_url, redis_url, OWN[0]) as one,
        serving(settlement, postgres_url, redis_url, OWN[1]) as other,
    ):
        yield dict(zip(OWN, (one, other), strict=True))


@pytest.fixture
async def crowds(dealers: dict[str, Served], settlement: Served) -> AsyncIterator[dict[str, Crowd]]:
    """Yield people at each of these dealers."""
    async with (
        play_house.crowd_of(dealers["banker"], settlement=settlement) as one,
        play_house.crowd_of(dealers["poker"], settlement=settlement) as other,
    ):
        yield {"banker": one, "poker": other}


async def test_a_table_of_another_family_is_refused_with_its_family(
    dealers: dict[str, Served], crowds: dict[str, Crowd]
) -> None:
    """Acting and following are refused by messages that name the family; the stream serves its own tables on."""
    table_id, [ann] = await betting(crowds["banker"])
    foreign, _ = await crowds["poker"].table("texas_holdem", ("bob", "cid"))
    async with ByHand(dealers["banker"].dealer, ann.token) as stream:
        await stream.follow(foreign)
        await stream.send(lost := bet(foreign), kept := bet(table_id))
        for found in (await stream.refused(lost.request_id), await stream.refused(table_id=foreign)):
            assert (found.reason, found.metadata["family"]) == ("WRONG_FAMILY", "poker")
        await stream.answer(kept)
        assert stream.tables == []


async def test_a_session_plays_at_the_dealers_of_all_families(
    dealers: dict[str, Served], crowds: dict[str, Crowd]
) -> None:
    """The caller needs not know which dealer serves a table: the session learns it, and keeps a stream to each."""
    table_id, [ann] = await betting(crowds["banker"])
    staff = crowds["poker"].operator.house
    other = (await staff.create_table("texas_holdem", people.MANUAL, **people.ANY_BUY_IN)).table_id
    bob = await crowds["poker"].player("bob")
    poker = crowds["poker"].person(ann.subject)
    await poker.house.take_seat(other, 1000, 0)
    await bob.house.take_seat(other, 1000, 1)
    await bob.house.start_round(other)
    addresses = {family: dealer.address for family, dealer in dealers.items()}
    async with client.connect(addresses, ann.token) as house, house.session() as session:
        bet_done = await session.act(table_id, people.action("place_bet", spot="spade", amount=1))
        seat = (await poker.house.table(other)).round.waiting_for[0]
        if seat == 1:
            await bob.house.act(other, people.action("call"))
        turn = await session.act(other, people.action("call" if seat == 0 else "check"))
        for one, version in ((table_id, bet_done.version), (other, turn.version)):
            async with aclosing(session.follow(one)) as messages:
                assert (await anext(messages)).view.version >= version
        assert len(session._lines) == 2
