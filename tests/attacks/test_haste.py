"""Floods of commands by one subject: they leave few records, at however many dealers, and harm nobody else."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import grpc
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.runtime import settings
from services.runtime.quotas import Quota
from tests.support import people
from tests.support.people import Person

AT_ONCE: Final = 16
OWN: Final = settings.Settings.model_fields


def allowed(kind: str, seconds: float) -> float:
    """Return how many calls of a kind one player may make in ``seconds``, at all dealers together."""
    quota = Quota.parse(OWN[f"quota_{kind}"].default)
    return quota.within_span * (1 + seconds / quota.span_seconds) + AT_ONCE


async def flood(person: Person, count: int, send: Callable[[client.House], Any]) -> tuple[Counter[str], float]:
    """Send ``count`` calls as fast as possible, to all dealers in turn; return the counted answers and the seconds."""
    numbers, answers = iter(range(count)), Counter[str]()

    async def one() -> None:
        for number in numbers:
            try:
                await send(person.at(number))
            except grpc.aio.AioRpcError as error:
                answers[client.refusal(error).reason] += 1
            else:
                answers["OK"] += 1

    began = time.monotonic()
    await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    return answers, time.monotonic() - began


async def test_seeds_of_one_player_are_few_however_fast_it_sends(crowd: people.Crowd, size: int) -> None:
    """Of one player's hundreds of seeds at two dealers most are refused with a pause; the neighbour plays on."""
    table_id, [ann, bob] = await crowd.table("texas_holdem", ("ann", "bob"))
    texts = itertools.count()

    def seed(house: client.House) -> Any:
        request = dealer_pb2.SetSeedRequest(
            request_id=client.request_id(), table_id=table_id, seed=f"seed {next(texts)}"
        )
        return house.dealer.SetSeed(request, metadata=ann.metadata, timeout=60)

    answers, seconds = await flood(ann, 700 * size, seed)
    assert answers["TOO_MANY_REQUESTS"] > 0, answers
    # A seat may give some dozens of seeds for a round, and one table's log may be too busy.
    assert set(answers) <= {"OK", "TOO_MANY_REQUESTS", "SEEDS_CLOSED", "UNAVAILABLE"}, answers
    assert answers["OK"] <= allowed("records", seconds)
    await bob.house.set_seed(table_id, "mine")
    try:
        await seed(ann.house)
    except grpc.aio.AioRpcError as error:
        pause = client.refusal(error).retry_after_seconds
        assert pause is not None
        assert 0 < pause <= Quota.parse(OWN["quota_records"].default).span_seconds


async def test_tables_of_one_player_are_few_however_many_it_closes(crowd: people.Crowd, size: int) -> None:
    """Of hundreds of requested tables at two dealers most are refused because of their rate."""
    ann = await crowd.player("ann")

    def opening(house: client.House) -> Any:
        request = dealer_pb2.CreateTableRequest(request_id=client.request_id(), game="war")
        return house.dealer.CreateTable(request, metadata=ann.metadata, timeout=60)

    answers, seconds = await flood(ann, 250 * size, opening)
    assert answers["OK"] + answers["LIMIT_REACHED"] <= allowed("tables", seconds), answers
    assert answers["TOO_MANY_REQUESTS"] > 0


async def test_acts_as_fast_as_a_program_can_send_them_are_answered(crowd: people.Crowd) -> None:
    """Hundreds of acts a second by one player are all answered, none is refused because of its rate."""
    table_id, [ann, _] = await crowd.table("texas_holdem", ("ann", "bob"))

    def act(house: client.House) -> Any:
        request = dealer_pb2.ActRequest(
            request_id=client.request_id(), table_id=table_id, action=people.action("check")
        )
        return house.dealer.Act(request, metadata=ann.metadata, timeout=60)

    answers, _ = await flood(ann, 1000, act)
    assert answers == {"ROUND_NOT_OPEN": 1000}


async def test_the_typed_client_waits_as_it_is_told_and_gets_every_command_through(crowd: people.Crowd) -> None:
    """The client slows a fast player down, and none of its commands fails."""
    first, [ann, _] = await crowd.table("texas_holdem", ("ann", "bob"))
    tables = [first] + [(await crowd.operator.house.create_table("texas_holdem")).table_id for _ in range(3)]
    for table_id in tables[1:]:
        await ann.house.take_seat(table_id, 1000)
    most = Quota.parse(OWN["quota_records"].default)
    began = time.monotonic()
    for number in range(most.burst + 3):
        await ann.house.set_seed(tables[number % len(tables)], f"seed {number}")
    assert time.monotonic() - began >= 1 / most.per_second


async def test_staff_works_faster_than_any_player(crowd: people.Crowd) -> None:
    """An operator may open many more tables at once than a player, as laboratories do."""
    boss = crowd.operator

    def opening(house: client.House) -> Any:
        request = dealer_pb2.CreateTableRequest(request_id=client.request_id(), game="war")
        return house.dealer.CreateTable(request, metadata=boss.metadata, timeout=60)

    answers, seconds = await flood(boss, 100, opening)
    assert answers == {"OK": 100}
    assert seconds < 60
