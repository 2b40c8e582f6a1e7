"""Limits and exclusions at the RPCs: the stricter wins, tightening holds at once, loosening after 24 hours."""

import functools
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from google.protobuf import timestamp_pb2
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import settlement_pb2, wallet_pb2

from services.runtime.clock import wall_ms
from services.runtime.identity import Role
from services.settlement import process
from tests.settlement import office
from tests.support import served
from tests.support.served import Connection, Served, request_id
from tests.support.settlement_floor import CURRENCY, Floor

DAY = 24 * 3600 * 1000


class Clock:
    """The clock of limits, moved by hand."""

    def __init__(self) -> None:
        self.now = wall_ms()

    def __call__(self) -> int:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock that stands at the present."""
    return Clock()


@pytest.fixture
async def floor(postgres_url: str, redis_url: str, clock: Clock, conn: Connection) -> AsyncIterator[Floor]:
    """Serve settlement with that clock."""
    given = served.given(postgres_url, redis_url)
    async with served.serve("settlement", given, functools.partial(process.build, clock=clock)) as settlement:
        yield Floor(settlement, conn, Random(7))


async def set_limit(
    floor: Floor, player: str, kind: Any, amount: int | None, *, house: bool = False, **more: Any
) -> pb.Limit:
    """Set a limit as the player, or as the house."""
    given: dict[str, Any] = {"span": pb.LIMIT_SPAN_DAY, "currency": CURRENCY, **more}
    request = pb.SetLimitRequest(request_id=request_id(), player=player, kind=kind, reason="a test", **given)
    if amount is not None:
        request.amount = amount
    role, subject = (Role.OPERATOR, "operator") if house else (Role.PLAYER, player)
    made: pb.Limit = (await floor.settlement.call(floor.settlement.office.SetLimit, request, role, subject)).limit
    return made


async def deposit_is_refused(floor: Floor, player: str, chips: int, reason: str = "LIMIT_REACHED") -> str:
    """Try a deposit that must be refused."""
    request = wallet_pb2.DepositRequest(request_id=request_id(), player=player, amount=chips, currency=CURRENCY)
    settlement: Served = floor.settlement
    return await settlement.refused(reason, settlement.wallets.Deposit, request, Role.OPERATOR)


async def seat_is_refused(floor: Floor, method: str, player: str, table: str, chips: int, reason: str) -> None:
    """Try a buy-in or top-up that must be refused."""
    kind = settlement_pb2.BuyInRequest if method == "BuyIn" else settlement_pb2.TopUpRequest
    request = kind(
        request_id=request_id(), table_id=table, amount=chips, on_behalf=served.on_behalf(player, test=False)
    )
    await floor.settlement.refused(reason, getattr(floor.settlement.money, method), request)


async def test_a_deposit_limit_holds_for_its_span(floor: Floor) -> None:
    """Within the day no more goes in than the limit; money goes out whatever the limit says."""
    player = await floor.player(600)
    await set_limit(floor, player, pb.LIMIT_KIND_DEPOSIT, 1000)
    assert "400 are left" in await deposit_is_refused(floor, player, 401)
    await floor.deposit(player, 400)
    await deposit_is_refused(floor, player, 1)
    await floor.withdraw(player, 1000)
    await deposit_is_refused(floor, player, 1)


async def test_a_repeated_deposit_gets_its_first_answer_though_the_limit_is_reached(floor: Floor) -> None:
    """What was put in before is not refused when it is asked for again."""
    player = await floor.player(1)
    await set_limit(floor, player, pb.LIMIT_KIND_DEPOSIT, 100)
    request = wallet_pb2.DepositRequest(request_id=request_id(), player=player, amount=99, currency=CURRENCY)
    first = await floor.staff(floor.settlement.wallets.Deposit, request)
    assert await floor.staff(floor.settlement.wallets.Deposit, request) == first
    await deposit_is_refused(floor, player, 1)


async def test_the_stricter_of_player_and_house_wins(floor: Floor) -> None:
    """The lower limit holds, of player or house, and each sees both."""
    player = await floor.player(1)
    await set_limit(floor, player, pb.LIMIT_KIND_DEPOSIT, 500)
    await set_limit(floor, player, pb.LIMIT_KIND_DEPOSIT, 100, house=True)
    await deposit_is_refused(floor, player, 101)
    await set_limit(floor, player, pb.LIMIT_KIND_DEPOSIT, 50)
    await deposit_is_refused(floor, player, 51)
    await floor.deposit(player, 49)
    listed = await floor.settlement.call(
        floor.settlement.office.ListLimits, pb.ListLimitsRequest(), Role.PLAYER, player
    )
    assert {(one.set_by, one.amount) for one in listed.limits} == {("player", 50), ("house", 100)}


@pytest.mark.parametrize("house", [False, True])
async def test_tightening_holds_at_once_and_loosening_after_24_hours(floor: Floor, clock: Clock, house: bool) -> None:
    """A lower limit refuses the next deposit; a higher one, or none, does so only a day later."""
    player = await floor.player(100)
    kind = pb.LIMIT_KIND_DEPOSIT
    await set_limit(floor, player, kind, 1000, house=house, span=pb.LIMIT_SPAN_MONTH)
    tight = await set_limit(floor, player, kind, 200, house=house, span=pb.LIMIT_SPAN_MONTH)
    assert tight.effective_time.ToMilliseconds() == clock.now
    loose = await set_limit(floor, player, kind, 900, house=house, span=pb.LIMIT_SPAN_MONTH)
    assert loose.effective_time.ToMilliseconds() == clock.now + DAY
    await deposit_is_refused(floor, player, 201)
    clock.now += DAY - 1
    await deposit_is_refused(floor, player, 201)
    clock.now += 1
    await floor.deposit(player, 201)


async def test_a_tightening_takes_back_a_loosening_that_is_still_to_come(floor: Floor, clock: Clock) -> None:
    """A player who changes its mind within the day keeps the limit."""
    player = await floor.player(1)
    kind = pb.LIMIT_KIND_DEPOSIT
    await set_limit(floor, player, kind, 100, span=pb.LIMIT_SPAN_MONTH)
    await set_limit(floor, player, kind, None, span=pb.LIMIT_SPAN_MONTH)
    clock.now += 1000
    await set_limit(floor, player, kind, 100, span=pb.LIMIT_SPAN_MONTH)
    clock.now += DAY
    await deposit_is_refused(floor, player, 101)


async def test_a_later_loosening_takes_the_place_of_an_earlier_one(floor: Floor, clock: Clock) -> None:
    """Of two that are to come only the last one comes, a day after it was asked for."""
    player = await floor.player(1)
    kind = pb.LIMIT_KIND_DEPOSIT
    await set_limit(floor, player, kind, 100, span=pb.LIMIT_SPAN_MONTH)
    await set_limit(floor, player, kind, 5000, span=pb.LIMIT_SPAN_MONTH)
    clock.now += DAY // 2
    await set_limit(floor, player, kind, 300, span=pb.LIMIT_SPAN_MONTH)
    clock.now += DAY // 2
    await deposit_is_refused(floor, player, 101)
    clock.now += DAY // 2
    await deposit_is_refused(floor, player, 301)
    await floor.deposit(player, 299)


async def test_a_loss_limit_counts_what_lies_at_tables(floor: Floor) -> None:
    """No more is brought to all tables together than may still be lost."""
    first = await floor.open("tongbi_san_gong", 2, 500)
    second = await floor.open("tongbi_san_gong", 1, 500)
    player = floor.players[0]
    await set_limit(floor, player, pb.LIMIT_KIND_LOSS, 800)
    await seat_is_refused(floor, "BuyIn", player, second.table_id, 301, "LIMIT_REACHED")
    await seat_is_refused(floor, "TopUp", player, first.table_id, 301, "LIMIT_REACHED")
    await floor.money("TopUp", first, player, amount=100)
    await seat_is_refused(floor, "BuyIn", player, second.table_id, 201, "LIMIT_REACHED")
    await floor.money("BuyIn", second, player, amount=200)


async def test_a_seat_whose_loss_limit_is_reached_is_paid_out_before_the_next_round(floor: Floor) -> None:
    """Nobody is taken out of a running round; before the next one the seat is paid out, the others stay."""
    table = await floor.open("tongbi_san_gong", 3, 500)
    player = floor.players[1]
    table.start()
    await served.publish(floor.conn, table, together=True)
    await set_limit(floor, player, pb.LIMIT_KIND_LOSS, 10)
    clear = settlement_pb2.ClearSeatsRequest(table_id=table.table_id)
    assert not (await floor.settlement.call(floor.settlement.money.ClearSeats, clear)).cleared
    table.finish(floor.rng)
    await served.publish(floor.conn, table, together=True)
    settle = settlement_pb2.SettleRoundRequest(table_id=table.table_id)
    await floor.settlement.call(floor.settlement.money.SettleRound, settle)
    await served.catch_up(floor.conn, table)
    held = table.table.core.seats[1].chips
    answer = await floor.settlement.call(floor.settlement.money.ClearSeats, clear)
    assert [(one.seat, one.player, one.reason) for one in answer.cleared] == [(1, player, "LIMIT_REACHED")]
    await served.catch_up(floor.conn, table)
    assert sorted(table.table.core.seats) == [0, 2]
    request = wallet_pb2.GetBalanceRequest(player=player, currency=CURRENCY)
    balance = await floor.staff(floor.settlement.wallets.GetBalance, request)
    assert balance.balance == 500 + held
    assert not (await floor.settlement.call(floor.settlement.money.ClearSeats, clear)).cleared


async def test_a_stake_limit_counts_what_was_staked(floor: Floor) -> None:
    """Rounds count with their stakes; who has reached the limit brings nothing more and is not dealt in."""
    table = await floor.open("texas_holdem", 2, 500)
    assert await floor.round(table)
    request = pb.ListPlayedRoundsRequest(player=floor.players[0], currency=CURRENCY)
    rounds = (await floor.staff(floor.settlement.office.ListPlayedRounds, request)).rounds
    staked = sum(one.staked for one in rounds)
    assert staked > 0
    await set_limit(floor, floor.players[0], pb.LIMIT_KIND_STAKE, staked + 50)
    other = await floor.open("tongbi_san_gong", 1, 10)
    await seat_is_refused(floor, "BuyIn", floor.players[0], other.table_id, 51, "LIMIT_REACHED")
    await floor.money("BuyIn", other, floor.players[0], amount=50)
    await set_limit(floor, floor.players[0], pb.LIMIT_KIND_STAKE, staked)
    clear = settlement_pb2.ClearSeatsRequest(table_id=table.table_id)
    answer = await floor.settlement.call(floor.settlement.money.ClearSeats, clear)
    assert [one.reason for one in answer.cleared] == ["LIMIT_REACHED"]


async def test_who_excludes_itself_deposits_sits_and_plays_nowhere(floor: Floor, clock: Clock) -> None:
    """Until the exclusion ends every stake is refused; lifting it early takes a day; chips can be taken home."""
    table = await floor.open("tongbi_san_gong", 3, 500)
    player = floor.players[0]
    until = timestamp_pb2.Timestamp()
    until.FromMilliseconds(clock.now + 30 * DAY)
    kind = pb.LIMIT_KIND_EXCLUSION
    await set_limit(floor, player, kind, None, until_time=until, span=0, currency="")
    await deposit_is_refused(floor, player, 1, "EXCLUDED")
    await seat_is_refused(floor, "TopUp", player, table.table_id, 10, "EXCLUDED")
    answer = await floor.settlement.call(
        floor.settlement.money.ClearSeats, settlement_pb2.ClearSeatsRequest(table_id=table.table_id)
    )
    assert [(one.player, one.reason) for one in answer.cleared] == [(player, "EXCLUDED")]
    await seat_is_refused(floor, "BuyIn", player, table.table_id, 10, "EXCLUDED")
    await floor.withdraw(player, 100)
    await set_limit(floor, player, kind, None, span=0, currency="")
    clock.now += DAY - 1
    await deposit_is_refused(floor, player, 1, "EXCLUDED")
    clock.now += 1
    await floor.deposit(player, 1)


async def test_an_exclusion_ends_by_itself(floor: Floor, clock: Clock) -> None:
    """At its moment the player is free again."""
    player = await floor.player(1)
    until = timestamp_pb2.Timestamp()
    until.FromMilliseconds(clock.now + 5000)
    await set_limit(floor, player, pb.LIMIT_KIND_EXCLUSION, None, until_time=until, span=0, currency="", house=True)
    clock.now += 4999
    await deposit_is_refused(floor, player, 1, "EXCLUDED")
    clock.now += 1
    await floor.deposit(player, 1)


@pytest.mark.parametrize("by", [0, 1, 30 * DAY])
async def test_an_exclusion_until_a_moment_that_has_passed_is_refused(floor: Floor, clock: Clock, by: int) -> None:
    """Present and past are refused by their field and nothing is recorded; a repetition has its answer even later."""
    player = await floor.player(1)
    given: dict[str, Any] = {"player": player, "kind": pb.LIMIT_KIND_EXCLUSION, "reason": "a test"}
    request = pb.SetLimitRequest(request_id=request_id(), **given)
    request.until_time.FromMilliseconds(clock.now - by)
    stub = floor.settlement.office
    said = await floor.settlement.refused("INVALID_ARGUMENT", stub.SetLimit, request, Role.OPERATOR)
    assert said.startswith("until_time")
    await floor.deposit(player, 1)
    request.until_time.FromMilliseconds(clock.now + 1000)
    first = await floor.staff(stub.SetLimit, request)
    clock.now += 2000
    assert await floor.staff(stub.SetLimit, request) == first


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2031-05-06T07:08:09Z", "until 2031-05-06T07:08:09Z"),
        ("9999-12-31T23:59:59Z", "permanently"),
        ("9998-12-31T23:59:59Z", "until 9998-12-31T23:59:59Z"),
        ("9999-01-01T00:00:00Z", "permanently"),
    ],
)
async def test_the_end_of_an_exclusion_is_told_as_a_time(floor: Floor, at: str, words: str) -> None:
    """The significant event and the refusal hold the same end as text, or "permanently"."""
    player = await floor.player(1)
    until = timestamp_pb2.Timestamp()
    until.FromJsonString(at)
    await set_limit(floor, player, pb.LIMIT_KIND_EXCLUSION, None, until_time=until, span=0, currency="", house=True)
    [told] = await office.events(floor, "limit")
    assert (told.before, told.after) == ("none", f"{words}, at once")
    assert words in await deposit_is_refused(floor, player, 1, "EXCLUDED")


async def test_nobody_sets_or_reads_another_player_s_limits(floor: Floor) -> None:
    """A player sets and sees its own only; auditors set none."""
    player = await floor.player(1)
    stub, settlement = floor.settlement.office, floor.settlement
    request = pb.SetLimitRequest(
        request_id=request_id(), player=player, kind=pb.LIMIT_KIND_LOSS, span=pb.LIMIT_SPAN_DAY, amount=1
    )
    await settlement.refused("PERMISSION_DENIED", stub.SetLimit, request, Role.PLAYER, "stranger")
    await settlement.refused("PERMISSION_DENIED", stub.SetLimit, request, Role.AUDITOR)
    listing = pb.ListLimitsRequest(player=player)
    await settlement.refused("PERMISSION_DENIED", stub.ListLimits, listing, Role.PLAYER, "stranger")
    await settlement.refused(
        "INVALID_ARGUMENT", stub.SetLimit, pb.SetLimitRequest(request_id="x", player=player), Role.PLAYER, player
    )
