"""Nobody acts as staff where it plays: whoever holds a seat moves nothing of that table with another token."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2 as office_pb
from pitboss.v1 import dealer_pb2 as pb

from services.runtime.identity import Role
from tests.people import Crowd, Person, refused

SPELLINGS: list[Callable[[str], str]] = [str, str.upper, str.title]
ROLES = (Role.OPERATOR, Role.SERVICE)


async def seated(crowd: Crowd, *, test: bool = False) -> tuple[str, list[Person]]:
    """Open a table at which two people play."""
    return await crowd.table("texas_holdem", ("cheat", "victim"), test=test)


def staff(crowd: Crowd, player: Person, spelling: Callable[[str], str], role: Role) -> client.House:
    """Return the same person with a token of staff."""
    return crowd.person(spelling(player.subject), role).house


def rid() -> str:
    """Make up a request's id."""
    return client.request_id()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_who_holds_cards_neither_voids_nor_closes(
    crowd: Crowd, spelling: Callable[[str], str], role: Role
) -> None:
    """In the round and between rounds, under any spelling of the name; another person does both."""
    table_id, [cheat, victim] = await seated(crowd)
    house = staff(crowd, cheat, spelling, role)
    void = pb.VoidRoundRequest(request_id=rid(), table_id=table_id, reason="a losing hand")
    close = pb.CloseTableRequest(request_id=rid(), table_id=table_id, reason="a losing hand")
    await victim.house.start_round(table_id)
    version = (await victim.house.table(table_id)).version
    await refused("SECOND_PERSON_NEEDED", house.call(house.dealer.VoidRound, void))
    assert (await victim.house.table(table_id)).version == version
    other = crowd.operator.house
    await other.call(other.dealer.VoidRound, pb.VoidRoundRequest(request_id=rid(), table_id=table_id, reason="torn"))
    await refused("SECOND_PERSON_NEEDED", house.call(house.dealer.CloseTable, close))
    close.request_id = rid()
    await other.call(other.dealer.CloseTable, close)


@pytest.mark.parametrize("role", ROLES)
async def test_who_plays_at_a_test_table_neither_scripts_it_nor_passes_its_deadlines(crowd: Crowd, role: Role) -> None:
    """The cards, the pool and the clock of a table are not those of whoever sits there."""
    table_id, [cheat, _] = await seated(crowd, test=True)
    house = staff(crowd, cheat, str.upper, role)
    version = (await cheat.house.table(table_id)).version
    for request in (
        pb.ScriptRoundRequest(request_id=rid(), table_id=table_id),
        pb.ScriptRoundRequest(request_id=rid(), table_id=table_id, pot=100),
    ):
        await refused("SECOND_PERSON_NEEDED", house.call(house.dealer.ScriptRound, request))
    await cheat.house.start_round(table_id)
    passed = pb.PassDeadlineRequest(request_id=rid(), table_id=table_id)
    await refused("SECOND_PERSON_NEEDED", house.call(house.dealer.PassDeadline, passed))
    assert (await cheat.house.table(table_id)).version == version + 1


def switch(scope: Any, subject: str) -> office_pb.SetSwitchRequest:
    """Switch something off."""
    return office_pb.SetSwitchRequest(request_id=rid(), scope=scope, subject=subject, off=True, reason="no more hands")


async def test_who_plays_switches_nothing_off_that_its_table_hangs_on(crowd: Crowd) -> None:
    """Not the house, the game, the table, a seat-mate, nor itself; other games and strangers are its work as before."""
    table_id, [cheat, victim] = await seated(crowd)
    house = staff(crowd, cheat, str.upper, Role.OPERATOR)
    stranger = await crowd.player("stranger")
    barred = (
        switch(office_pb.SWITCH_SCOPE_HOUSE, ""),
        switch(office_pb.SWITCH_SCOPE_GAME, "texas_holdem"),
        switch(office_pb.SWITCH_SCOPE_TABLE, table_id),
        switch(office_pb.SWITCH_SCOPE_PLAYER, victim.subject),
        switch(office_pb.SWITCH_SCOPE_PLAYER, cheat.subject),
    )
    for request in barred:
        await refused("SECOND_PERSON_NEEDED", house.call(house.office.SetSwitch, request))
    await house.call(house.office.SetSwitch, switch(office_pb.SWITCH_SCOPE_PLAYER, stranger.subject))
    await cheat.house.leave(table_id)
    await house.call(house.office.SetSwitch, switch(office_pb.SWITCH_SCOPE_TABLE, table_id))


async def test_who_plays_touches_neither_money_nor_limits_of_its_seat_mates(crowd: Crowd) -> None:
    """An exclusion would stop a seat-mate in mid-round, an adjustment would pay it: another person does both."""
    _, [cheat, victim] = await seated(crowd)
    house = staff(crowd, cheat, str.upper, Role.OPERATOR)

    def calls(request: Any, method: Any) -> Awaitable[Any]:
        return house.call(method, request)

    def exclusion(player: str) -> office_pb.SetLimitRequest:
        made = office_pb.SetLimitRequest(
            request_id=rid(), player=player, kind=office_pb.LIMIT_KIND_EXCLUSION, reason="to stop it"
        )
        made.until_time.FromJsonString("2100-01-01T00:00:00Z")
        return made

    def adjustment(player: str) -> office_pb.RequestAdjustmentRequest:
        return office_pb.RequestAdjustmentRequest(request_id=rid(), player=player, amount=5, reason="a gift")

    for player in (victim.subject, cheat.subject):
        await refused("SECOND_PERSON_NEEDED", calls(exclusion(player), house.office.SetLimit))
        await refused("SECOND_PERSON_NEEDED", calls(adjustment(player), house.office.RequestAdjustment))
    other = crowd.operator.house
    asked = (await other.call(other.office.RequestAdjustment, adjustment(victim.subject))).adjustment
    decision = office_pb.DecideAdjustmentRequest(
        request_id=rid(), adjustment_id=asked.adjustment_id, approve=True, reason="why not"
    )
    await refused("SECOND_PERSON_NEEDED", calls(decision, house.office.DecideAdjustment))
    stranger = await crowd.player("stranger")
    await house.call(house.office.SetLimit, exclusion(stranger.subject))
