"""Stake limits as players meet them: at the start, at every action, while it runs, and at two tables at once."""

import asyncio
import json
from functools import partial
from random import Random
from typing import Any

from pitboss import client, parts
from pitboss.v1 import audit_pb2, table_pb2
from pitboss.v1 import back_office_pb2 as pb

from services.audit import offline
from services.contract import wire_actions, wire_tables
from services.rules import random_play
from tests.support import people, waits
from tests.support.people import Crowd, Person, action, refused


async def stake_limit(person: Person, amount: int) -> None:
    """Set a daily stake limit as the player."""
    request = pb.SetLimitRequest(
        request_id=client.request_id(), kind=pb.LIMIT_KIND_STAKE, span=pb.LIMIT_SPAN_DAY, amount=amount
    )
    await person.house.call(person.house.office.SetLimit, request)


async def seen(person: Person, table_id: str, dealer: int = 0) -> table_pb2.RoundView:
    """Return the running round."""
    return (await person.at(dealer).table(table_id)).round


def chips(view: table_pb2.RoundView) -> dict[int, int]:
    """Return the chips that the seats of a round have left to play with."""
    return {seat.seat: seat.chips for seat in view.seats}


def greatest(view: table_pb2.RoundView, word: str) -> int:
    """Return the greatest amount offered for an action; 0 where it is not offered."""
    offered = {option.action: option for option in view.options}
    return next(iter(offered[word].arguments.values())).range.most if word in offered else 0


async def staked(person: Person) -> int:
    """Add up what a player staked in rounds that are over."""
    request = pb.ListPlayedRoundsRequest()
    return sum(one.staked for one in (await person.house.call(person.house.office.ListPlayedRounds, request)).rounds)


async def test_a_bet_beyond_the_limit_is_refused_and_changes_nothing(crowd: Crowd) -> None:
    """The seat plays with what is left of its limit; what passes it is refused, with what is left, in its language."""
    table_id, (ann, bob, cid) = await crowd.table("texas_holdem", ("Ann", "Bob", "Cid"))
    await stake_limit(ann, 60)
    await bob.house.start_round(table_id)
    view = await seen(ann, table_id)
    assert chips(view)[0] == 60
    assert view.may_stake == 60
    assert not (await seen(bob, table_id)).HasField("may_stake")
    assert greatest(view, "raise") == 60
    version = (await ann.house.table(table_id)).version
    for dealer in range(2):
        refusal = await refused("LIMIT_REACHED", ann.at(dealer).act(table_id, action("raise", to=61)))
        assert refusal.metadata["left"] == "60"
    assert (await ann.house.table(table_id)).version == version
    await ann.house.act(table_id, action("all_in"))
    await bob.house.act(table_id, action("call"))
    await cid.house.act(table_id, action("fold"))
    await people.until_settled(ann.house, table_id, 1)
    assert await staked(ann) == 60
    await refused("LIMIT_REACHED", ann.house.start_round(table_id))
    await bob.house.start_round(table_id)
    assert sorted(chips(await seen(bob, table_id))) == [1, 2]
    await audited(crowd, table_id)


async def test_a_limit_set_in_mid_round_holds_for_the_next_action_at_every_dealer(crowd: Crowd) -> None:
    """From the answer to its setting on, calls and raises beyond the limit are neither accepted nor offered."""
    table_id, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"))
    await ann.house.start_round(table_id)
    first, second = (ann, bob) if (await seen(ann, table_id)).waiting_for[0] == 0 else (bob, ann)
    for dealer in range(2):
        assert (await seen(second, table_id, dealer)).options == []
    await first.at(0).act(table_id, action("raise", to=100))
    await stake_limit(second, 70)
    await refused("LIMIT_REACHED", second.at(1).act(table_id, action("call")))
    await refused("LIMIT_REACHED", second.at(0).act(table_id, action("all_in")))
    for dealer in range(2):
        view = await seen(second, table_id, dealer)
        assert [option.action for option in view.options] == ["fold"]
        assert view.may_stake == 70 - next(seat.staked for seat in view.seats if seat.seat == view.waiting_for[0])
    await second.at(1).act(table_id, action("fold"))
    await people.until_settled(ann.house, table_id, 1)
    assert await staked(second) <= 70
    await audited(crowd, table_id)


async def audited(crowd: Crowd, table_id: str) -> None:
    """Replay a table from its log, here and from its export, and print its narrative."""
    auditor, metadata = crowd.auditor()
    report = await auditor.ReplayTable(audit_pb2.ReplayTableRequest(table_id=table_id), metadata=metadata)
    assert list(report.mismatches) == []
    exported = [
        json.loads(one.line)
        async for one in auditor.ExportRounds(audit_pb2.ExportRoundsRequest(table_id=table_id), metadata=metadata)
    ]
    assert exported
    assert [finding for _, findings in offline.check(exported) for finding in findings] == []
    told = await parts.read_round(
        auditor.ReadRound(audit_pb2.ReadRoundRequest(table_id=table_id, round_number=1), metadata=metadata)
    )
    assert told.words


async def test_a_seat_sits_out_while_another_table_may_take_what_is_left(crowd: Crowd) -> None:
    """The seat keeps its chips, gets the reason, and is dealt in again once the other round is settled."""
    first, (ann, bob) = await crowd.table("texas_holdem", ("Ann", "Bob"), buy_in=400)
    second, (cid, dan) = await crowd.table("texas_holdem", ("Cid", "Dan"), buy_in=400)
    await stake_limit(ann, 400)
    await ann.house.take_seat(second, 400)
    await bob.house.start_round(first)
    await refused("LIMIT_REACHED", ann.at(1).start_round(second))
    await cid.at(1).start_round(second)
    assert sorted(chips(await seen(cid, second, 1))) == [0, 1]
    await refused("LIMIT_REACHED", ann.at(0).act(second, action("fold")))
    for table_id, players in ((first, (ann, bob)), (second, (cid, dan))):
        turn = (await seen(players[0], table_id)).waiting_for[0]
        await players[turn].house.act(table_id, action("fold"))
        await people.until_settled(players[0].house, table_id, 1)
    await cid.house.start_round(second)
    view = await seen(ann, second)
    [own] = [seat for seat in view.seats if seat.seat == 2]
    assert own.chips + own.staked == 400 - await staked(ann)
    assert own.chips == view.may_stake


async def test_a_player_at_two_tables_never_stakes_beyond_the_limit(crowd: Crowd) -> None:
    """With rounds at two dealers and a tightened limit, every offered action is accepted."""
    rng = Random(43)
    names = ("Ann", "Bob", "Cid")
    first, (ann, *others) = await crowd.table("texas_holdem", names, buy_in=2000)
    second, more = await crowd.table("tongbi_san_gong", ("Dan", "Eve"), {"base": 30}, buy_in=2000)
    await stake_limit(ann, 3000)
    await ann.house.take_seat(second, 900)
    tables = ((first, [ann, *others], 0), (second, [*more, ann], 1))
    acted: list[str] = []
    play = asyncio.gather(*(nights(rng, *table, acted) for table in tables))
    most = await tightening(ann, (first, second), acted, play)
    await play
    total = await staked(ann)
    assert 0 < total <= most, f"{total} chips were staked, {most} were allowed"


async def tightening(ann: Person, tables: tuple[str, str], acted: list[str], play: "asyncio.Future[Any]") -> int:
    """Tighten the limit repeatedly between actions at both tables.

    Returns what it allows, or what had been staked when it was set if that is more.
    """
    most = 3000
    for amount in range(2400, 899, -300):
        known = len(acted)
        await waits.eventually(partial(went_on, acted, known, play), "play goes on")
        await stake_limit(ann, amount)
        views = [await unless_settling(ann, table_id) for table_id in tables]
        running = sum(seat.staked for view in views for seat in view.round.seats if seat.seat == view.own_seat)
        most = min(most, max(amount, running + await staked(ann)))
    return most


def went_on(acted: list[str], known: int, play: "asyncio.Future[Any]") -> bool:
    """Return whether some more actions were taken, or the play is over."""
    return len(acted) >= known + 3 or play.done()


async def unless_settling(ann: Person, table_id: str) -> table_pb2.TableView:
    """Return a view without hidden stakes; those of an ended round become public once it is settled."""

    async def settled() -> table_pb2.TableView | None:
        view = await ann.house.table(table_id)
        return None if view.table.state == table_pb2.TABLE_STATE_SETTLING else view

    return await waits.eventually(settled, "the round is settled")


async def nights(rng: Random, table_id: str, players: list[Person], dealer: int, acted: list[str]) -> None:
    """Play some rounds at a table through one dealer; each action is noted in ``acted``."""
    for number in range(1, 9):
        starter = players[number % 2].at(dealer)
        try:
            await waits.answered(partial(starter.start_round, table_id), lacks_room, seconds=0.5, pause=0.1)
        except client.Refused as refusal:
            if not lacks_room(refusal):
                raise
            continue
        await played(rng, table_id, players, dealer, acted)


def lacks_room(error: Exception) -> bool:
    """Return whether a round cannot start now, which the end of a round at the other table may change."""
    reasons = {"LIMIT_REACHED", "NOT_ENOUGH_SEATS", "NOT_SEATED"}
    return isinstance(error, client.Refused) and error.reason in reasons


async def played(rng: Random, table_id: str, players: list[Person], dealer: int, acted: list[str]) -> None:
    """Play the running round to its end by what is offered."""
    while True:
        table = await players[0].at(dealer).table(table_id)
        if table.round.state != table_pb2.ROUND_STATE_RUNNING:
            return
        if not table.round.waiting_for:
            await waits.turns()
            continue
        player = players[table.round.waiting_for[0]]
        view = await player.at(dealer).table(table_id)
        offered = [wire_tables.option_from_wire(option) for option in view.round.options]
        bold = [option for option in offered if option.action not in {"fold", "all_in"}] or offered
        if not bold:
            continue
        chosen = wire_actions.to_wire(random_play.sample(bold, rng))
        try:
            await player.at(dealer).act(table_id, chosen)
            acted.append(table_id)
        except client.Refused as refusal:
            if refusal.reason != "LIMIT_REACHED":  # set between look and action
                raise


async def test_a_round_that_starts_while_a_limit_is_set_keeps_to_it(crowd: Crowd) -> None:
    """In both orders of the two answers the seat may stake no more than the limit."""
    for number in range(8):
        table_id, (ann, bob) = await crowd.table("tongbi_san_gong", ("Ann", "Bob"), buy_in=300)
        await asyncio.gather(bob.at(number).start_round(table_id), stake_limit(ann, 30))
        for dealer in range(2):
            view = await seen(ann, table_id, dealer)
            assert view.HasField("may_stake")
            assert view.may_stake <= 30
