"""What a player lists: its own tables, rounds and money, and which games are switched off."""

from datetime import timedelta
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2, dealer_pb2

from tests.support import people, waits
from tests.support.people import Crowd, Person, refused

GAME, OTHER = "tongbi_san_gong", "war"


async def played(crowd: Crowd, ann: Person, bob: Person, game_rules: dict[str, Any]) -> str:
    """Let two players play a round of San Gong; return the table."""
    made = await crowd.operator.house.create_table(GAME, {"start": "manual", **game_rules})
    for person in (ann, bob):
        await person.house.take_seat(made.table_id, 500)
    await ann.house.start_round(made.table_id)
    for person in (ann, bob):
        await person.house.act(made.table_id, people.action("bet_multiple", multiple=2))
    for person in (ann, bob):
        await person.house.act(made.table_id, people.action("reveal"))
    await people.until_settled(ann.house, made.table_id, 1)
    return made.table_id


async def test_my_rounds_are_those_of_all_tables_newest_first(crowd: Crowd) -> None:
    """Filtered by game, table and time; page by page; nothing of others."""
    ann, bob = await crowd.player("ann"), await crowd.player("bob")
    tables = [await played(crowd, ann, bob, {"base": base}) for base in (10, 20, 10)]
    rounds = await ann.house.my_rounds()
    assert [one.table_id for one in rounds] == tables[::-1]
    assert {one.player for one in rounds} == {ann.subject}
    assert [one.table_id for one in await ann.house.my_rounds(order_by="end_time")] == tables
    assert [one.table_id for one in await ann.house.my_rounds(table_id=tables[1])] == [tables[1]]
    assert len(await ann.house.my_rounds(game=GAME)) == 3
    assert await ann.house.my_rounds(game="war") == []
    assert [one.table_id for one in await ann.house.my_rounds(2)] == tables[:0:-1]
    last = rounds[0].end_time.ToDatetime()
    assert [one.table_id for one in await ann.house.my_rounds(until=last)] == tables[1::-1]
    assert [one.table_id for one in await ann.house.my_rounds(since=last)] == [tables[2]]
    assert await ann.house.my_rounds(since=last + timedelta(days=1)) == []
    found, request = [], back_office_pb2.ListPlayedRoundsRequest(page_size=1)
    while True:
        page = await ann.house.call(ann.house.office.ListPlayedRounds, request)
        found += [one.table_id for one in page.rounds]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert found == tables[::-1]
    request.order_by = "end_time"
    await refused("INVALID_ARGUMENT", ann.house.call(ann.house.office.ListPlayedRounds, request))
    await refused("UNKNOWN_GAME", ann.house.my_rounds(game="old_maid"))
    await refused("TABLE_NOT_FOUND", ann.house.my_rounds(table_id="x"))
    await refused("INVALID_ARGUMENT", ann.house.my_rounds(order_by="chips"))
    await refused("PERMISSION_DENIED", ann.house.my_rounds(player=bob.subject))


async def test_my_statement_is_filtered_by_kind_and_table(crowd: Crowd) -> None:
    """The buy-ins of one table are found among all lines."""
    ann, bob = await crowd.player("ann"), await crowd.player("bob")
    first, second = [await played(crowd, ann, bob, {}) for _ in range(2)]
    everything = await ann.house.my_statement()
    assert {one.table_id for one in everything} == {"", first, second}
    assert [one.kind for one in await ann.house.my_statement(kind="deposit")] == ["deposit"]
    at_first = await ann.house.my_statement(table_id=first)
    assert [(one.kind, one.table_id) for one in at_first] == [("buy_in", first)]
    assert await ann.house.my_statement(kind="deposit", table_id=first) == []
    await refused("TABLE_NOT_FOUND", ann.house.my_statement(table_id="x"))
    await refused("INVALID_ARGUMENT", ann.house.my_statement(kind="x" * 33))


async def test_my_tables_are_those_where_i_sit(crowd: Crowd) -> None:
    """A player's list holds the tables of its seats at every dealer, opened by anyone, and no table that it left."""
    ann, bob = await crowd.player("ann"), await crowd.player("bob")
    table, _ = await crowd.table(GAME, ())
    left, _ = await crowd.table(GAME, ())
    other, _ = await crowd.table(GAME, ())
    for person, where in ((ann, table), (ann, left), (bob, other)):
        await person.house.take_seat(where, 500)
    await ann.house.leave(left)
    for dealer in (0, 1):
        assert [one.table_id for one in await ann.at(dealer).my_tables()] == [table]
    assert await ann.house.tables(mine=True, game="war") == []


async def test_tables_are_listed_in_the_order_that_is_asked_for(crowd: Crowd) -> None:
    """By age, stake or seats, from either end, the same in pages of every size."""
    ann = await crowd.player("ann")
    name = await crowd.template(GAME, {"base": 10}, varies=[2], least_stake=1, greatest_stake=100)
    stakes = (30, 10, 30, 20)
    made = [
        (await crowd.operator.house.create_table(template_id=name, house_rules={"base": stake})).table_id
        for stake in stakes
    ]
    await ann.house.take_seat(made[3], 3000)
    expected = {
        "": made,
        "create_time": made,
        "create_time desc": made[::-1],
        "stake": [made[1], made[3], made[0], made[2]],
        " stake   desc ": [made[0], made[2], made[3], made[1]],
        "seats_taken": [made[0], made[1], made[2], made[3]],
        "seats_taken desc": [made[3], made[0], made[1], made[2]],
    }
    for order, tables in expected.items():
        for size in (1, 3, 100):
            request, found = dealer_pb2.ListTablesRequest(page_size=size, order_by=order, template_id=name), []
            while True:
                page = await ann.house.call(ann.house.dealer.ListTables, request)
                found += [one.table_id for one in page.tables]
                if not page.next_page_token:
                    break
                request.page_token = page.next_page_token
            assert found == tables, (order, size)
    await refused("INVALID_ARGUMENT", ann.house.tables(order_by="title"))


@pytest.mark.parametrize("scope", [back_office_pb2.SWITCH_SCOPE_GAME, back_office_pb2.SWITCH_SCOPE_HOUSE])
async def test_games_that_are_switched_off_are_marked(crowd: Crowd, scope: int) -> None:
    """In the list and in the description; with the house all of them are."""
    ann = await crowd.player("ann")
    subject = OTHER if scope == back_office_pb2.SWITCH_SCOPE_GAME else ""
    try:
        await _switch(crowd, scope, subject, off=True)
        off = await waits.eventually(lambda: _off(ann), "a game that is switched off")
        assert (off == {OTHER}) if subject else (len(off) > 30)
        assert (await ann.house.game(OTHER)).game.switched_off
    finally:
        await _switch(crowd, scope, subject, off=False)
    await waits.eventually(lambda: _all_on(ann), "all games are on again")
    assert not (await ann.house.game(OTHER)).game.switched_off


async def _off(person: Person) -> set[str]:
    """Return the games that are listed as switched off."""
    return {one.game for one in await person.house.games() if one.switched_off}


async def _all_on(person: Person) -> bool:
    return not await _off(person)


async def _switch(crowd: Crowd, scope: Any, subject: str, *, off: bool) -> None:
    house = crowd.operator.house
    request = back_office_pb2.SetSwitchRequest(
        request_id=client.request_id(), scope=scope, subject=subject, off=off, reason="a test of lists"
    )
    await house.call(house.office.SetSwitch, request)
