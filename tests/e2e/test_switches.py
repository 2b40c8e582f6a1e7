"""Switches at the methods: calls are refused while off, running rounds continue, and switching on ends it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import dealer_pb2

from services.runtime.identity import Role
from tests.support import people, waits
from tests.support.people import Crowd, Person, action, refused

GAME = "texas_holdem"
OTHER = "tongbi_san_gong"
REASON = "a test of switches"


async def switch(crowd: Crowd, scope: Any, subject: str = "", *, off: bool) -> pb.Switch:
    """Set a switch with a reason, as the operator."""
    request = pb.SetSwitchRequest(request_id=client.request_id(), scope=scope, subject=subject, off=off, reason=REASON)
    house = crowd.operator.house
    return (await house.call(house.office.SetSwitch, request)).switch


@asynccontextmanager
async def switched_off(crowd: Crowd, scope: Any, subject: str = "") -> AsyncIterator[None]:
    """Switch off, wait until every dealer must have seen it, and switch on again."""
    try:
        await switch(crowd, scope, subject, off=True)
        await waits.switches_read()
        yield
    finally:
        await switch(crowd, scope, subject, off=False)
        await waits.switches_read()


async def play_on(players: list[Person], table_id: str) -> None:
    """Fold until the running round is settled."""
    seen = await players[0].house.table(table_id)
    number = seen.round.round_number
    while seen.round.waiting_for:
        seat = seen.round.waiting_for[0]
        await players[seat].house.act(table_id, action("fold"))
        seen = await players[0].house.table(table_id)
    await people.until_settled(players[0].house, table_id, number)


async def test_a_switch_off_of_everything_is_refused_at_every_door(crowd: Crowd) -> None:
    """With the house off a running round ends and is settled; tables, seats, chips and rounds are refused; on is on."""
    table_id, players = await crowd.table(GAME, ("Ann", "Bob", "Cid"))
    guest = await crowd.player("Dee")
    await players[0].house.start_round(table_id)
    async with switched_off(crowd, pb.SWITCH_SCOPE_HOUSE):
        await play_on(players, table_id)
        for dealer in range(2):
            await refused("SWITCHED_OFF", crowd.operator.at(dealer).create_table(GAME))
            await refused("SWITCHED_OFF", guest.at(dealer).take_seat(table_id, 1000))
            await refused("SWITCHED_OFF", guest.at(dealer).take_any_seat(GAME, 1000))
            await refused("SWITCHED_OFF", players[1].at(dealer).add_chips(table_id, 10))
            await refused("SWITCHED_OFF", players[1].at(dealer).start_round(table_id))
        assert (await players[2].house.leave(table_id)).version > 0
        assert await players[2].house.balance() > 0
    await players[0].house.start_round(table_id)
    await play_on(players[:2], table_id)


async def test_a_game_switched_off_is_refused_and_others_are_not(crowd: Crowd) -> None:
    """Only the game's own tables are closed to everybody."""
    table_id, players = await crowd.table(GAME, ("Ann", "Bob"))
    guest = await crowd.player("Dee")
    async with switched_off(crowd, pb.SWITCH_SCOPE_GAME, GAME):
        await refused("SWITCHED_OFF", crowd.operator.house.create_table(GAME))
        await refused("SWITCHED_OFF", guest.house.take_any_seat(GAME, 1000))
        await refused("SWITCHED_OFF", guest.house.take_seat(table_id, 1000))
        await refused("SWITCHED_OFF", players[0].house.add_chips(table_id, 10))
        await refused("SWITCHED_OFF", players[0].house.start_round(table_id))
        made = await crowd.operator.house.create_table(OTHER)
        await guest.house.take_seat(made.table_id, 1000)
    assert (await players[0].house.start_round(table_id)).round_number == 1


async def test_a_table_switched_off_is_refused_and_passed_over(crowd: Crowd) -> None:
    """Nobody sits down, adds chips or starts there; a quick seat finds another table of the same game."""
    rules = {"small_blind": 7, "big_blind": 14}
    table_id, players = await crowd.table(GAME, ("Ann", "Bob"), rules)
    other = (await crowd.operator.house.create_table(GAME, rules)).table_id
    await (await crowd.player("Cid")).house.take_seat(other, 1000)
    guest = await crowd.player("Dee")
    async with switched_off(crowd, pb.SWITCH_SCOPE_TABLE, table_id):
        await refused("SWITCHED_OFF", guest.house.take_seat(table_id, 1000))
        await refused("SWITCHED_OFF", players[0].house.add_chips(table_id, 10))
        await refused("SWITCHED_OFF", players[0].house.start_round(table_id))
        assert (await guest.house.take_any_seat(GAME, 1000, 14)).table_id == other
    assert (await players[0].house.start_round(table_id)).round_number == 1


async def test_a_player_switched_off_finishes_its_round_and_is_paid_out(crowd: Crowd) -> None:
    """A player who is switched off finishes the round, and can then neither sit, bring chips nor open tables."""
    table_id, (ann, bob, cid) = await crowd.table(GAME, ("Ann", "Bob", "Cid"))
    await ann.house.start_round(table_id)
    before = await cid.house.balance()
    async with switched_off(crowd, pb.SWITCH_SCOPE_PLAYER, cid.subject):
        await play_on([ann, bob, cid], table_id)
        chips = next(seat.chips for seat in (await ann.house.table(table_id)).seats if seat.seat == 2)
        await refused("SWITCHED_OFF", cid.house.add_chips(table_id, 10))
        await refused("SWITCHED_OFF", cid.house.create_table(GAME))
        await refused("SWITCHED_OFF", cid.house.take_any_seat(GAME, 1000))
        await refused("SWITCHED_OFF", cid.house.start_round(table_id))
        assert await cid.house.balance() == before + chips
        await ann.house.start_round(table_id)
        assert [seat.seat for seat in (await ann.house.table(table_id)).round.seats] == [0, 1]
        await refused("SWITCHED_OFF", cid.house.take_seat(table_id, 1000))
    await play_on([ann, bob], table_id)
    await cid.house.take_seat(table_id, 1000)


async def test_a_player_switched_off_does_not_act_between_rounds(crowd: Crowd) -> None:
    """Commands between rounds are refused to the player until it is switched on."""
    table_id, (ann, *_) = await crowd.table("nickname", ("Ann", "Bob", "Cid"))
    async with switched_off(crowd, pb.SWITCH_SCOPE_PLAYER, ann.subject):
        await refused("SWITCHED_OFF", ann.house.act(table_id, action("set_nickname", name="Lotus")))
    await ann.house.act(table_id, action("set_nickname", name="Lotus"))


@pytest.mark.parametrize("scope", [pb.SWITCH_SCOPE_HOUSE, pb.SWITCH_SCOPE_GAME, pb.SWITCH_SCOPE_TABLE])
async def test_why_something_is_off_is_told_to_staff_only(crowd: Crowd, scope: Any) -> None:
    """Refusals to players name what is off without the reason; operators and the list of switches see the reason."""
    table_id, (ann, _) = await crowd.table(GAME, ("Ann", "Bob"))
    guest = await crowd.player("Dee")
    service = crowd.person("lobby", Role.SERVICE)
    subject = {pb.SWITCH_SCOPE_GAME: GAME, pb.SWITCH_SCOPE_TABLE: table_id}.get(scope, "")
    async with switched_off(crowd, scope, subject):
        for call in (
            guest.house.take_seat(table_id, 1000),
            ann.house.add_chips(table_id, 10),
            ann.at(1).start_round(table_id),
            service.house.start_round(table_id),
        ):
            unexplained(await refused("SWITCHED_OFF", call))
        if scope != pb.SWITCH_SCOPE_TABLE:
            unexplained(await refused("SWITCHED_OFF", guest.at(1).create_table(GAME)))
            unexplained(await refused("SWITCHED_OFF", guest.house.take_any_seat(GAME, 1000)))
        assert (await refused("SWITCHED_OFF", crowd.operator.house.start_round(table_id))).message.endswith(REASON)


async def test_why_a_player_is_off_is_not_told_to_it(crowd: Crowd) -> None:
    """No refusal to a player holds the reason, also when it is paid out before a round."""
    table_id, (ann, bob, cid) = await crowd.table("nickname", ("Ann", "Bob", "Cid"))
    async with switched_off(crowd, pb.SWITCH_SCOPE_PLAYER, cid.subject):
        for call in (
            cid.house.add_chips(table_id, 10),
            cid.house.act(table_id, action("set_nickname", name="Lotus")),
            cid.house.create_table(GAME),
            cid.house.take_any_seat(GAME, 1000),
            cid.house.start_round(table_id),
            cid.house.take_seat(table_id, 1000),
        ):
            refusal = await refused("SWITCHED_OFF", call)
            unexplained(refusal)
            assert cid.subject in refusal.message
    assert {seat.seat for seat in (await ann.house.table(table_id)).seats} == {0, 1}
    assert await bob.house.balance() < people.WALLET


def unexplained(refusal: client.Refused) -> None:
    """Check that nothing of a refusal holds the reason that staff gave."""
    assert "is switched off" in refusal.message
    assert REASON not in f"{refusal} {refusal.message} {refusal.metadata}"


async def test_a_repeated_command_gets_its_first_answer_though_the_house_is_off(crowd: Crowd) -> None:
    """A repetition of a command from before the switch returns its answer."""
    table_id, (ann, _) = await crowd.table(GAME, ("Ann", "Bob"))
    request = dealer_pb2.StartRoundRequest(request_id=client.request_id(), table_id=table_id)
    first = await ann.house.call(ann.house.dealer.StartRound, request)
    async with switched_off(crowd, pb.SWITCH_SCOPE_HOUSE):
        assert await ann.house.call(ann.house.dealer.StartRound, request) == first


async def test_a_switch_needs_an_operator_a_reason_and_something_to_switch(crowd: Crowd) -> None:
    """Only operators may switch; a switch without a reason, or of an unknown subject, is refused."""
    request = pb.SetSwitchRequest(
        request_id=client.request_id(), scope=pb.SWITCH_SCOPE_GAME, subject=GAME, off=True, reason="because"
    )
    for role in (Role.PLAYER, Role.AUDITOR, Role.SERVICE):
        house = crowd.person("someone", role).house
        await refused("PERMISSION_DENIED", house.call(house.office.SetSwitch, request))
    house = crowd.operator.house
    for wrong in (
        {"reason": " "},
        {"subject": "no_such_game"},
        {"scope": pb.SWITCH_SCOPE_HOUSE},
        {"scope": 0},
        {"scope": pb.SWITCH_SCOPE_TABLE},
        {"scope": pb.SWITCH_SCOPE_PLAYER, "subject": "not a player"},
    ):
        broken = pb.SetSwitchRequest()
        broken.CopyFrom(request)
        for field, value in wrong.items():
            setattr(broken, field, value)
        await refused("INVALID_ARGUMENT", house.call(house.office.SetSwitch, broken))


async def test_the_same_switch_request_again_changes_nothing(crowd: Crowd) -> None:
    """Fifty of the same request at once set one switch; the id with another content is refused."""
    house, subject = crowd.operator.house, f"nobody-{client.request_id()}"
    request = pb.SetSwitchRequest(
        request_id=client.request_id(), scope=pb.SWITCH_SCOPE_PLAYER, subject=subject, off=True, reason="once"
    )
    answers = await asyncio.gather(*(house.call(house.office.SetSwitch, request) for _ in range(50)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    told = await house.call(
        house.office.ListSignificantEvents, pb.ListSignificantEventsRequest(kind="switch", page_size=500)
    )
    assert len([one for one in told.significant_events if subject in one.subject]) == 1
    request.off = False
    await refused("REQUEST_CONFLICT", house.call(house.office.SetSwitch, request))


async def test_switches_are_listed_with_who_when_and_why(crowd: Crowd) -> None:
    """The list shows what is off, page by page, and with include_on what is on again."""
    subjects = [f"someone-{client.request_id()[:8]}" for _ in range(3)]
    for subject in subjects:
        await switch(crowd, pb.SWITCH_SCOPE_PLAYER, subject, off=True)
    await switch(crowd, pb.SWITCH_SCOPE_PLAYER, subjects[0], off=False)
    house = crowd.operator.house
    found: dict[bool, list[pb.Switch]] = {}
    for include_on in (False, True):
        found[include_on], token = [], ""
        while True:
            request = pb.ListSwitchesRequest(page_size=2, page_token=token, include_on=include_on)
            page = await house.call(house.office.ListSwitches, request)
            found[include_on] += [one for one in page.switches if one.subject in subjects]
            assert len(page.switches) <= 2
            token = page.next_page_token
            if not token:
                break
    assert [one.subject for one in found[False]] == subjects[1:]
    assert [(one.subject, one.off) for one in found[True]] == [*((s, True) for s in subjects[1:]), (subjects[0], False)]
    assert {(one.actor, one.reason) for one in found[True]} == {(crowd.operator.subject, REASON)}
    assert all(one.create_time.seconds for one in found[True])


@pytest.mark.parametrize("page", [{"page_size": -1}, {"page_token": "x"}])
async def test_a_page_that_cannot_be_is_refused(crowd: Crowd, page: dict[str, Any]) -> None:
    """Negative sizes and tokens that no page returned are refused."""
    house = crowd.operator.house
    await refused("INVALID_ARGUMENT", house.call(house.office.ListSwitches, pb.ListSwitchesRequest(**page)))
