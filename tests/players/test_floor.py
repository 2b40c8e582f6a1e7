"""The process of the house players: keeps tables alive, gives company, frees seats, and goes on after a kill."""

from collections.abc import Iterator
from random import Random

import pytest
from pitboss.v1 import table_pb2

from services.cli import demo
from services.localhouse.local_house import LocalHouse
from services.players import tables
from tests.players.conftest import GAMES
from tests.support import people, waits

SECONDS = 90.0


@pytest.fixture
def playing(house: LocalHouse) -> Iterator[LocalHouse]:
    """Yield the house with its players at work; they stop after the test."""
    house.start_players()
    try:
        yield house
    finally:
        house.members.pop("players").stop()


async def kept(crowd: people.Crowd) -> dict[str, table_pb2.TableSummary]:
    """Return the tables that are kept alive, by game."""
    found = await crowd.operator.house.tables(include_test=True)
    return {game: table for game in GAMES for table in found if tables.is_kept(table, game)}


async def later(crowd: people.Crowd, rounds: dict[str, int]) -> dict[str, int] | None:
    """Return the round numbers of the kept tables once each is beyond the given one."""
    now = {game: table.round_number for game, table in (await kept(crowd)).items()}
    return now if len(now) == len(GAMES) and all(now[game] > rounds.get(game, 0) for game in now) else None


async def test_a_killed_process_goes_on(playing: LocalHouse, crowd: people.Crowd) -> None:
    """After kill -9 the next process plays on at the same tables and opens no others; a seat stays free."""
    before = await waits.eventually(lambda: later(crowd, {}), "rounds are played", seconds=SECONDS)
    found = await kept(crowd)
    playing.members["players"].kill()
    playing.members["players"].start()
    await waits.eventually(lambda: later(crowd, before), "rounds are played again", seconds=SECONDS)
    assert {one.table_id for one in (await kept(crowd)).values()} == {one.table_id for one in found.values()}
    listed = await crowd.operator.house.tables(include_test=True)
    assert sum(tables.is_kept(one, game) for one in listed for game in GAMES) == len(GAMES)
    for table in (await kept(crowd)).values():
        assert 0 < table.house_players == table.seats_taken < table.max_seats


async def test_somebody_who_waits_alone_gets_company(playing: LocalHouse, crowd: people.Crowd) -> None:
    """House players join a lonely test player, finish a round with it, and are seen as what they are."""
    del playing
    ann = await crowd.player("ann", test=True)
    table = (await ann.house.create_table("san_gong", {"start_countdown_s": 0})).table_id
    await ann.house.take_seat(table, 1000)
    rng = Random(5)
    async for seen in ann.house.watch(table):
        if seen.view.last_result.round_number:
            break
        if seen.view.round.options and seen.view.round.state == table_pb2.ROUND_STATE_RUNNING:
            await ann.house.act(table, demo.choose(seen.view.round.options, rng))
    assert {seat.name: seat.house_player for seat in seen.view.seats if not seat.house_player} == {"ann": False}
    assert seen.view.table.house_players == tables.needed("san_gong") - 1
    assert sum(seat.house_player for seat in seen.view.last_result.seats) == seen.view.table.house_players


async def test_house_players_leave_a_table_that_people_fill(playing: LocalHouse, crowd: people.Crowd) -> None:
    """When enough people sit at a table that house players joined, or none, they leave it."""
    del playing
    ann, bob = await crowd.player("ann", test=True), await crowd.player("bob", test=True)
    table = (await ann.house.create_table("san_gong", {"start_countdown_s": 60})).table_id
    await ann.house.take_seat(table, 1000)

    async def house_players() -> int:
        return int((await ann.house.table(table)).table.house_players)

    async def joined() -> bool:
        return await house_players() > 0

    async def alone() -> bool:
        return await house_players() == 0

    await waits.eventually(joined, "a house player joins", seconds=SECONDS)
    await bob.house.take_seat(table, 1000)
    await waits.eventually(alone, "the house player leaves", seconds=SECONDS)
