"""Limits and exclusions at the dealers' methods."""

import asyncio
from typing import Any

from google.protobuf import timestamp_pb2
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import table_pb2

from tests.support import people
from tests.support.people import Crowd, Person, action, refused


async def limit(person: Person, **given: Any) -> pb.Limit:
    """Set a limit as the player."""
    request = pb.SetLimitRequest(request_id=client.request_id(), **given)
    return (await person.house.call(person.house.office.SetLimit, request)).limit


async def folded(players: list[Person], table_id: str, looker: Person | None = None) -> None:
    """Fold the running round to its end and wait until somebody (else the first player) sees it settled."""
    looker = looker or players[0]
    number = (await looker.house.table(table_id)).round.round_number
    while (seen := await looker.house.table(table_id)).round.waiting_for:
        await players[seen.round.waiting_for[0]].house.act(table_id, action("fold"))
    await people.until_settled(looker.house, table_id, number)


async def test_a_limit_reached_during_play_ends_it_before_the_next_round(crowd: Crowd) -> None:
    """After the round the seat is paid out and can bring no more chips; the others play without it."""
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
    await crowd.operator.house.create_table("texas_holdem")  # a quick seat passes a table with manual starts by
    await refused("LIMIT_REACHED", cid.house.take_any_seat("texas_holdem", 1000))


async def test_who_is_excluded_is_shown_only_tables_where_it_sits(crowd: Crowd) -> None:
    """GetTable is refused like a watch at every dealer, except for the own round; staff see all tables."""
    strange, (ann, _) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    own, (out, neighbour) = await crowd.table("texas_holdem", ("Out", "Dee"))
    await neighbour.house.start_round(own)
    assert (await out.house.table(strange)).table.table_id == strange
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += 3600
    await limit(out, kind=pb.LIMIT_KIND_EXCLUSION, until_time=until)
    for dealer in range(2):
        await refused("EXCLUDED", out.at(dealer).table(strange))
        assert (await out.at(dealer).table(own)).table.table_id == own
    for person in (ann, neighbour, crowd.operator):
        assert (await person.house.table(strange)).table.table_id == strange


async def test_who_is_excluded_is_refused_at_every_dealer(crowd: Crowd) -> None:
    """Seats, quick seats, chips and deposits; another player sits down as before."""
    table_id, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += 3600
    await limit(bob, kind=pb.LIMIT_KIND_EXCLUSION, until_time=until)
    await crowd.operator.house.create_table("texas_holdem")  # a quick seat passes a table with manual starts by
    for dealer in range(2):
        await refused("EXCLUDED", bob.at(dealer).add_chips(table_id, 10))
        await refused("EXCLUDED", bob.at(dealer).take_any_seat("texas_holdem", 1000))
    await refused("EXCLUDED", crowd.operator.house.deposit(bob.subject, 10))
    await refused("NOT_ENOUGH_SEATS", ann.house.start_round(table_id))
    assert await bob.house.balance() == people.WALLET
    cid = await crowd.player("Cid")
    await cid.house.take_seat(table_id, 1000)
    assert (await ann.house.start_round(table_id)).round_number == 1


async def exclude(person: Person, seconds: int = 3600) -> None:
    """Exclude a player for some time, as the player."""
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += seconds
    await limit(person, kind=pb.LIMIT_KIND_EXCLUSION, until_time=until)


def own_stake(view: table_pb2.TableView) -> int:
    """Return what the viewer's seat has staked in the running round."""
    return next(seat.staked for seat in view.round.seats if seat.seat == view.own_seat)


async def settled_in_view(house: client.House, table_id: str, opened: asyncio.Event) -> None:
    """Watch a table until its first round is settled; ``opened`` is set with the first view."""
    async for message in house.watch(table_id):
        opened.set()
        if message.view.last_result.round_number == 1:
            return
    raise AssertionError("the stream of views ended")


async def test_who_is_excluded_in_mid_round_stakes_no_more_at_poker(crowd: Crowd) -> None:
    """From the answer on every dealer refuses each bet; the player may fold and sees only its own round's result."""
    table_id, players = await crowd.table("texas_holdem", ("Ann", "Bob", "Cid"))
    await players[0].house.start_round(table_id)
    turn = (await players[0].house.table(table_id)).round.waiting_for[0]
    out, others = players[turn], [player for player in players if player is not players[turn]]
    before = await out.house.table(table_id)
    assert {"call", "all_in"} <= {option.action for option in before.round.options}
    await exclude(out)
    for dealer in range(2):
        for word in ("all_in", "call"):
            refusal = await refused("EXCLUDED", out.at(dealer).act(table_id, action(word)))
            assert "excluded until" in refusal.message
            assert refusal.metadata["set_by"] == "player"
        view = await out.at(dealer).table(table_id)
        assert [option.action for option in view.round.options] == ["fold"]
        assert (view.round.may_stake, own_stake(view)) == (0, own_stake(before))
    async with asyncio.TaskGroup() as watching:
        opened = asyncio.Event()
        watching.create_task(settled_in_view(out.at(1), table_id, opened))
        await opened.wait()
        await out.at(1).act(table_id, action("fold"))
        await folded(players, table_id, others[0])
    assert (await others[0].house.start_round(table_id)).round_number == 2
    await refused("EXCLUDED", settled_in_view(out.at(1), table_id, asyncio.Event()))
    assert turn not in {seat.seat for seat in (await others[0].house.table(table_id)).round.seats}
    assert await out.house.balance() <= people.WALLET


async def test_who_is_excluded_in_mid_round_stakes_no_more_against_the_bank(crowd: Crowd) -> None:
    """A placed bet stays and is settled; a further one is refused, also at the player's other table."""
    table_id, (ann, bob) = await crowd.table("suit_betting", ("Ann", "Bob"))
    other, (cid, _) = await crowd.table("suit_betting", ("Cid", "Dan"))
    await bob.house.take_seat(other, 1000)
    await ann.house.start_round(table_id)
    await cid.at(1).start_round(other)
    bet = action("place_bet", spot="big", amount=10)
    await bob.house.act(table_id, bet)
    await exclude(bob)
    for dealer, table in ((0, table_id), (1, table_id), (0, other), (1, other)):
        await refused("EXCLUDED", bob.at(dealer).act(table, bet))
        offered = {option.action for option in (await bob.at(dealer).table(table)).round.options}
        assert "place_bet" not in offered
    await ann.house.act(table_id, bet)
    assert own_stake(await bob.house.table(table_id)) == 10
    for player in (ann, bob):
        await player.house.act(table_id, action("done"))
    settled = await people.until_settled(ann.house, table_id, 1)
    nets = [seat.net for seat in settled.last_result.seats]
    assert nets[0] == nets[1], "the bets of both are the same"
    assert -10 <= nets[1] <= 10


async def test_the_house_s_exclusion_stops_stakes_in_mid_round_too(crowd: Crowd) -> None:
    """The refusal says whether the player or the house set the limit; other seats' refusals are unchanged."""
    table_id, (ann, bob) = await crowd.table("suit_betting", ("Ann", "Bob"))
    await ann.house.start_round(table_id)
    until = timestamp_pb2.Timestamp()
    until.GetCurrentTime()
    until.seconds += 3600
    operator = crowd.operator.house
    await operator.call(
        operator.office.SetLimit,
        pb.SetLimitRequest(
            request_id=client.request_id(),
            player=bob.subject,
            kind=pb.LIMIT_KIND_EXCLUSION,
            until_time=until,
            reason="asked for by telephone",
        ),
    )
    await limit(ann, kind=pb.LIMIT_KIND_STAKE, span=pb.LIMIT_SPAN_DAY, amount=5)
    bet = action("place_bet", spot="big", amount=10)
    assert (await refused("EXCLUDED", bob.house.act(table_id, bet))).metadata["set_by"] == "house"
    await refused("LIMIT_REACHED", ann.house.act(table_id, bet))
