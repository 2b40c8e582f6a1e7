"""Stake limits before and within rounds: shared out at all tables together, lowered in running rounds at once."""

import asyncio
import functools
from collections.abc import AsyncIterator
from random import Random

import pytest
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import settlement_pb2

from services.settlement import process
from services.settlement.limits import allowance
from tests.database.conftest import LEVELS, at_level
from tests.settlement.test_limits import DAY, Clock, set_limit
from tests.support import served
from tests.support.served import Connection
from tests.support.settlement_floor import CURRENCY, Floor, RealSitting


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands at the present."""
    return Clock()


@pytest.fixture
async def floor(postgres_url: str, redis_url: str, clock: Clock, conn: Connection) -> AsyncIterator[Floor]:
    """Serve settlement with that clock."""
    given = served.given(postgres_url, redis_url)
    async with served.serve("settlement", given, functools.partial(process.build, clock=clock)) as settlement:
        yield Floor(settlement, conn, Random(11))


@pytest.fixture(params=LEVELS)
async def strict_floor(
    request: pytest.FixtureRequest, postgres_url: str, redis_url: str, conn: Connection
) -> AsyncIterator[Floor]:
    """Serve settlement at each level of isolation that a database may have."""
    at_level(postgres_url, request.param)
    async with served.serve("settlement", served.given(postgres_url, redis_url), process.build) as settlement:
        yield Floor(settlement, conn, Random(11))


async def cleared(floor: Floor, table: RealSitting) -> settlement_pb2.ClearSeatsResponse:
    """Look a table's seats through before a round."""
    request = settlement_pb2.ClearSeatsRequest(table_id=table.table_id)
    answer: settlement_pb2.ClearSeatsResponse = await floor.settlement.call(floor.settlement.money.ClearSeats, request)
    await served.catch_up(floor.conn, table)
    return answer


async def stake_limit(floor: Floor, player: str, amount: int, **more: bool) -> None:
    """Set a stake limit and take what it wrote at the tables."""
    await set_limit(floor, player, pb.LIMIT_KIND_STAKE, amount, **more)
    for table in floor.tables:
        await served.catch_up(floor.conn, table)


async def begun(floor: Floor, table: RealSitting) -> None:
    """Start a round with what its seats may stake."""
    table.start()
    await served.publish(floor.conn, table, together=True)


async def over(floor: Floor, table: RealSitting) -> None:
    """Play the running round to its end and settle it."""
    table.finish(floor.rng)
    await served.publish(floor.conn, table, together=True)
    settle = settlement_pb2.SettleRoundRequest(table_id=table.table_id)
    await floor.settlement.call(floor.settlement.money.SettleRound, settle)
    await served.catch_up(floor.conn, table)


async def second_table(floor: Floor, player: str, chips: int) -> RealSitting:
    """Open a table at which a player sits beside another."""
    table = await floor.open("texas_holdem", 1, 500)
    await floor.deposit(player, chips)
    await floor.money("BuyIn", table, player, amount=chips)
    return table


async def staked(floor: Floor, player: str) -> int:
    """Add up what a player staked in rounds that are over."""
    request = pb.ListPlayedRoundsRequest(player=player, currency=CURRENCY)
    return sum(one.staked for one in (await floor.staff(floor.settlement.office.ListPlayedRounds, request)).rounds)


async def test_seats_are_dealt_in_with_what_is_left(floor: Floor) -> None:
    """Only seats with a stake limit are named; where nobody has one nothing is written."""
    table = await floor.open("texas_holdem", 3, 500)
    version = table.table.core.version
    assert (await cleared(floor, table)).allowed == {}
    assert table.table.core.version == version
    await stake_limit(floor, floor.players[1], 120)
    await stake_limit(floor, floor.players[2], 5000)
    assert (await cleared(floor, table)).allowed == {1: 120, 2: 500}
    assert table.table.core.allowed == {1: 120, 2: 500}
    version = table.table.core.version
    assert (await cleared(floor, table)).allowed == {1: 120, 2: 500}
    assert table.table.core.version == version, "what stands is not written again"
    await begun(floor, table)
    assert table.table.core.round is not None
    assert table.table.core.round.carry == {0: 500, 1: 120, 2: 500}
    await over(floor, table)
    assert await staked(floor, floor.players[1]) <= 120


async def test_who_has_less_left_than_the_game_asks_for_is_paid_out(floor: Floor) -> None:
    """A seat that could not be dealt in leaves before the round, with the reason and what is left."""
    table = await floor.open("spoil_five", 3, 500)
    least = table.game.least_carry(table.rules)
    assert least > 1
    await stake_limit(floor, floor.players[0], least - 1)
    [gone] = (await cleared(floor, table)).cleared
    assert (gone.seat, gone.reason) == (0, "LIMIT_REACHED")
    assert f"{least - 1} chips are left" in gone.message
    assert 0 not in table.table.core.seats


async def test_two_tables_together_stay_within_the_limit(floor: Floor) -> None:
    """What a round may still take at one table is not to be staked at the other, until it is settled."""
    first = await floor.open("texas_holdem", 2, 500)
    player = floor.players[0]
    await stake_limit(floor, player, 600)
    second = await second_table(floor, player, 500)
    assert (await cleared(floor, first)).allowed == {0: 500}
    await begun(floor, first)
    assert (await cleared(floor, second)).allowed == {1: 100}
    await begun(floor, second)
    third = await second_table(floor, player, 500)
    assert (await cleared(floor, third)).allowed == {1: 0}
    await over(floor, first)
    await over(floor, second)
    left = 600 - await staked(floor, player)
    assert left >= 0
    answer = await cleared(floor, third)
    assert answer.allowed == ({1: min(left, 500)} if left else {})
    assert bool(answer.cleared) == (left == 0)


async def test_what_was_kept_for_a_start_that_never_came_is_taken_back(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another table's start gets it after a while; the start that had been prepared is held to nothing."""
    first = await floor.open("texas_holdem", 2, 500)
    player = floor.players[0]
    await stake_limit(floor, player, 400)
    second = await second_table(floor, player, 400)
    assert (await cleared(floor, first)).allowed == {0: 400}
    assert (await cleared(floor, second)).allowed == {1: 0}
    monkeypatch.setattr(allowance, "PENDING_MS", 0)
    version = first.table.core.version
    assert (await cleared(floor, second)).allowed == {1: 400}
    await served.catch_up(floor.conn, first)
    assert first.table.core.allowed == {0: 0}
    assert first.table.core.version > version, "a start decided on the older version must fail"


async def test_two_starts_at_the_same_time_never_share_a_limit_twice(strict_floor: Floor) -> None:
    """However the looks at two tables interleave, what both may stake together is within the limit."""
    floor = strict_floor
    for _ in range(6):
        first = await floor.open("texas_holdem", 2, 500)
        player = floor.players[-2]
        await stake_limit(floor, player, 700)
        second = await second_table(floor, player, 500)
        await asyncio.gather(*(cleared(floor, table) for table in (first, second, first, second)))
        for table in (first, second):
            await served.catch_up(floor.conn, table)
        assert first.table.core.allowed[0] + second.table.core.allowed[1] == 700


async def test_a_limit_tightened_in_mid_round_holds_at_once(floor: Floor) -> None:
    """With the answer the running round knows: nothing beyond what is left is accepted; the others play on."""
    table = await floor.open("texas_holdem", 3, 500)
    player = floor.players[0]
    await begun(floor, table)
    await stake_limit(floor, player, 60, house=True)
    assert table.table.core.allowed == {0: 60}
    await stake_limit(floor, player, 300)
    assert table.table.core.allowed == {0: 60}, "the stricter one holds"
    await stake_limit(floor, player, 40)
    assert table.table.core.allowed == {0: 40}
    await over(floor, table)
    assert await staked(floor, player) <= 40
    assert table.table.core.allowed == {}
    assert table.again().differences == []


async def test_a_limit_tightened_while_two_rounds_run_holds_for_both(floor: Floor) -> None:
    """Each may take what is left once the other has taken all that it can."""
    first = await floor.open("texas_holdem", 2, 500)
    player = floor.players[0]
    second = await second_table(floor, player, 200)
    for table in (first, second):
        await begun(floor, table)
    await stake_limit(floor, player, 600)
    assert first.table.core.allowed == {0: 400}
    assert second.table.core.allowed == {1: 100}
    await stake_limit(floor, player, 150)
    assert first.table.core.allowed == {0: 0}
    assert second.table.core.allowed == {1: 0}


async def test_a_start_that_was_decided_before_a_limit_was_set_fails(floor: Floor) -> None:
    """Whatever limit is set moves the versions of the player's tables on, so that such a start looks again."""
    table = await floor.open("texas_holdem", 2, 500)
    player = floor.players[0]
    version = table.table.core.version
    for number, kind in enumerate((pb.LIMIT_KIND_LOSS, pb.LIMIT_KIND_STAKE), start=1):
        await set_limit(floor, player, kind, 10_000)
        await served.catch_up(floor.conn, table)
        assert table.table.core.version == version + number
        assert (await cleared(floor, table)).allowed == ({} if number == 1 else {0: 500})
        version = table.table.core.version - number


async def test_of_several_spans_and_setters_the_strictest_decides(floor: Floor, clock: Clock) -> None:
    """What is left is the least that any limit leaves; a limit in another currency counts for nothing here."""
    table = await floor.open("texas_holdem", 2, 500)
    player = floor.players[0]
    await stake_limit(floor, player, 300)
    await set_limit(floor, player, pb.LIMIT_KIND_STAKE, 250, span=pb.LIMIT_SPAN_MONTH, house=True)
    await set_limit(floor, player, pb.LIMIT_KIND_STAKE, 5, currency="XTS")
    await served.catch_up(floor.conn, table)
    assert (await cleared(floor, table)).allowed == {0: 250}
    await set_limit(floor, player, pb.LIMIT_KIND_STAKE, 400, span=pb.LIMIT_SPAN_MONTH, house=True)
    clock.now += DAY - 1
    assert (await cleared(floor, table)).allowed == {0: 250}, "what is looser holds after 24 hours"
    clock.now += 1
    assert (await cleared(floor, table)).allowed == {0: 300}
