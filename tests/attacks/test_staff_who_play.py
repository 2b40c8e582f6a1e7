"""Nobody acts as staff at a table where they play: the holder of a seat cannot use a staff token there."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2 as office_pb
from pitboss.v1 import dealer_pb2 as pb

from services.runtime.identity import Role
from tests.support.people import Crowd, Person, action, refused, until_settled

SPELLINGS: list[Callable[[str], str]] = [str, str.upper, str.title]
ROLES = (Role.OPERATOR, Role.SERVICE)


async def seated(crowd: Crowd, *, test: bool = False) -> tuple[str, list[Person]]:
    """Open a table at which two people play."""
    return await crowd.table("texas_holdem", ("cheat", "victim"), test=test)


def staff(crowd: Crowd, player: Person, spelling: Callable[[str], str], role: Role) -> client.House:
    """Return the same person with a staff token."""
    return crowd.person(spelling(player.subject), role).house


def rid() -> str:
    """Make up a request's id."""
    return client.request_id()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_who_holds_cards_neither_voids_nor_closes(
    crowd: Crowd, spelling: Callable[[str], str], role: Role
) -> None:
    """A seated person can neither void nor close, in any spelling of the name; another person can."""
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
    """A player at a table controls neither its cards nor its pool nor its clock."""
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
    """A seated person cannot switch house, game, table, seat-mates or itself; other games and strangers it can."""
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
    """A seated person can neither exclude nor adjust a seat-mate; another person can."""
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


BOUND = 100_000
"""Chips at risk up to which one person voids (the default of the house)."""


async def risky(crowd: Crowd) -> tuple[str, list[Person]]:
    """Start a round with more chips at risk than one person may void."""
    table_id, players = await crowd.table("texas_holdem", ("ann", "bob"), buy_in=2 * BOUND)
    await players[0].house.start_round(table_id)
    [acting] = (await players[0].house.table(table_id)).round.waiting_for
    await players[acting].house.act(table_id, action("all_in"))
    return table_id, players


def void(table_id: str, **more: Any) -> pb.VoidRoundRequest:
    """Ask for a void."""
    return pb.VoidRoundRequest(**{"request_id": rid(), "table_id": table_id, "reason": "a torn card", **more})


def decision(table_id: str, void_id: str, *, approve: bool = True, **more: Any) -> pb.DecideVoidRequest:
    """Decide a void."""
    return pb.DecideVoidRequest(
        **{"request_id": rid(), "table_id": table_id, "void_id": void_id, "approve": approve, "reason": "seen", **more}
    )


async def call(person: Person, method: str, request: Any) -> Any:
    """Send a command to a dealer."""
    return await person.house.call(getattr(person.house.dealer, method), request)


async def finish(table_id: str, players: list[Person]) -> None:
    """Let the other seat fold, and wait for the settlement."""
    [acting] = (await players[0].house.table(table_id)).round.waiting_for
    await players[acting].house.act(table_id, action("fold"))
    await until_settled(players[0].house, table_id, 1)


async def test_a_round_with_much_at_risk_is_voided_by_two_people(crowd: Crowd) -> None:
    """Neither the requester, in any spelling, nor a player at the table decides a void; a second person does."""
    table_id, players = await risky(crowd)
    asker = crowd.person("Asker-1", Role.OPERATOR)
    request = void(table_id)
    answer = await call(asker, "VoidRound", request)
    assert answer.waits_for_second_person
    view = await players[0].house.table(table_id)
    assert (view.version, view.table.state) == (answer.version, 2), "nothing has happened at the table"
    assert await call(asker, "VoidRound", request) == answer, "asked again, it is the same request"
    other = void(table_id, request_id=request.request_id, reason="x")
    await refused("REQUEST_CONFLICT", call(asker, "VoidRound", other))
    for spelling in ("Asker-1", "asker-1", "ASKER-1"):
        same = crowd.person(spelling, Role.OPERATOR)
        for approve in (True, False):
            wanted = decision(table_id, answer.void_id, approve=approve)
            await refused("SECOND_PERSON_NEEDED", call(same, "DecideVoid", wanted))
    player = crowd.person(players[1].subject.upper(), Role.OPERATOR)
    await refused("SECOND_PERSON_NEEDED", call(player, "DecideVoid", decision(table_id, answer.void_id)))
    approved = decision(table_id, answer.void_id)
    done = await call(crowd.operator, "DecideVoid", approved)
    assert done.voided
    assert await call(crowd.operator, "DecideVoid", approved) == done, "a repeated decision returns the first answer"
    view = await players[0].house.table(table_id)
    assert [seat.chips for seat in view.seats] == [2 * BOUND, 2 * BOUND]
    assert view.last_result.voided
    await refused("ALREADY_DECIDED", call(crowd.operator, "DecideVoid", decision(table_id, answer.void_id)))
    assert await call(asker, "VoidRound", request) == answer, "whatever has become of the table since"
    listed = await crowd.operator.house.call(
        crowd.operator.house.office.ListVoids, office_pb.ListVoidsRequest(table_id=table_id)
    )
    [entry] = listed.voids
    assert (entry.requested_by, entry.decided_by) == ("Asker-1", crowd.operator.subject)
    assert (entry.state, entry.round_number) == (office_pb.VOID_STATE_APPROVED, 1)
    assert entry.chips_at_risk > BOUND


async def test_parallel_requests_leave_one_void_to_decide(crowd: Crowd) -> None:
    """Many requests of several people at once get one void; after its rejection a new request gets another one."""
    table_id, _ = await risky(crowd)
    askers = [crowd.person(f"asker-p{at}", Role.OPERATOR) for at in range(3)]

    async def ask() -> set[str]:
        answers = await asyncio.gather(*(call(one, "VoidRound", void(table_id)) for one in askers * 4))
        assert all(one.waits_for_second_person for one in answers)
        return {one.void_id for one in answers}

    async def listed() -> list[str]:
        office = crowd.operator.house
        found = await office.call(office.office.ListVoids, office_pb.ListVoidsRequest(table_id=table_id))
        return [one.void_id for one in found.voids]

    [first] = await ask()
    assert await listed() == [first]
    await call(crowd.operator, "DecideVoid", decision(table_id, first, approve=False))
    [second] = await ask()
    assert await listed() == [first, second]


async def test_a_void_that_came_too_late_voids_no_later_round(crowd: Crowd) -> None:
    """Once the round is settled and another one runs, the approval is refused and the rejection accepted."""
    table_id, players = await risky(crowd)
    asked = await call(crowd.person("asker-2", Role.OPERATOR), "VoidRound", void(table_id))
    await finish(table_id, players)
    await refused("ROUND_NOT_OPEN", call(crowd.operator, "DecideVoid", decision(table_id, asked.void_id)))
    await players[0].house.start_round(table_id)
    version = (await players[0].house.table(table_id)).version
    await refused("ROUND_NOT_OPEN", call(crowd.operator, "DecideVoid", decision(table_id, asked.void_id)))
    assert (await players[0].house.table(table_id)).version == version
    rejected = decision(table_id, asked.void_id, approve=False)
    for _ in range(2):
        done = await call(crowd.operator, "DecideVoid", rejected)
        assert (done.voided, done.version) == (False, version)


async def test_a_void_of_another_table_is_decided_nowhere_else(crowd: Crowd) -> None:
    """A void's id belongs to its table; an unknown id is refused in words."""
    table_id, _ = await risky(crowd)
    other, _ = await risky(crowd)
    asked = await call(crowd.person("asker-3", Role.OPERATOR), "VoidRound", void(table_id))
    for wrong in (decision(other, asked.void_id), decision(table_id, rid()), decision(table_id, other)):
        await refused("NOT_FOUND", call(crowd.operator, "DecideVoid", wrong))


async def test_small_rounds_and_test_money_need_one_person(crowd: Crowd) -> None:
    """Up to the bound, and always for test money, a void is done at once."""
    small, [ann, _] = await crowd.table("texas_holdem", ("ann", "bob"), buy_in=2 * BOUND)
    await ann.house.start_round(small)
    assert not (await call(crowd.operator, "VoidRound", void(small))).waits_for_second_person
    test, players = await crowd.table("texas_holdem", ("ann", "bob"), buy_in=2 * BOUND, test=True)
    await players[0].house.start_round(test)
    [acting] = (await players[0].house.table(test)).round.waiting_for
    await players[acting].house.act(test, action("all_in"))
    assert not (await call(crowd.operator, "VoidRound", void(test))).waits_for_second_person
