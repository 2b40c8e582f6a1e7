"""Many writers at once where the later one is aborted: nothing lost, nothing doubled, nobody sees an error."""

import asyncio
import itertools
from collections import Counter
from random import Random
from typing import Any

import pytest
from pitboss.v1 import back_office_pb2, wallet_pb2
from pitboss.v1 import settlement_pb2 as pb

from services.eventlog import canonical, log, verify
from services.ledger import books, checks
from services.rules import catalogue
from services.runtime.identity import Role
from tests.database.conftest import at_level
from tests.settlement.test_limits import set_limit
from tests.support import log_events, pools, served, worlds
from tests.support.forged_entries import unsound
from tests.support.ledger_entries import deposit, entry
from tests.support.log_events import event, one
from tests.support.served import Served, request_id
from tests.support.settlement_floor import CURRENCY, Floor

DAY = back_office_pb2.LIMIT_SPAN_DAY
STAKE = back_office_pb2.LIMIT_KIND_STAKE


@pytest.fixture
def level() -> str:
    """Return the isolation level that distributed databases fall back to."""
    return "repeatable read"


@pytest.fixture
def strict(fast_postgres_url: str, level: str) -> str:
    """Return a database of that level; commits are acknowledged before they are on the disk."""
    at_level(fast_postgres_url, level)
    return fast_postgres_url


async def test_appends_of_several_dealers(strict: str, losses: list[str]) -> None:
    """Appenders with pools of their own, the same streams, shards and requests: every append has its one answer."""
    streams = [log_events.stream(shard) for shard in (1, 1, 2, 2)]
    outcomes: Counter[str] = Counter()
    async with await log_events.connect(strict) as conn:
        await log.append(conn, [one(stream, 0) for stream in streams])

        async def write(appender: log.Appender, place: int) -> None:
            dice = Random(place)
            for number in range(12):
                stream = dice.choice(streams)
                head = await log.read_head(conn, stream)
                assert head is not None
                made = event(place, str(number))
                key = f"{place // 2} {number}"
                done = await appender.append(one(stream, head.version, made, key=key, digest=bytes(32)))
                outcomes[done.outcome] += 1

        async with (
            pools.make_pool(strict, "pitboss_dealer") as ours,
            pools.make_pool(strict, "pitboss_dealer") as theirs,
            pools.make_pool(strict, "pitboss_settlement") as third,
            log.Appender(ours) as first,
            log.Appender(theirs, batch=3) as second,
            log.Appender(third, batch=1) as last,
        ):
            appenders = itertools.cycle((first, second, last))
            await asyncio.wait_for(asyncio.gather(*(write(next(appenders), place) for place in range(12))), 60)
        assert sum(outcomes.values()) == 12 * 12
        assert set(outcomes) <= {"appended", "already_appended", "version_conflict"}
        assert outcomes["appended"] > 20
        stored = [each for stream in streams for each in await log.read(conn, stream)]
        assert len(stored) == len(streams) + outcomes["appended"]
        for stream in streams:
            assert verify.verify(await log.read(conn, stream), await log.read_head(conn, stream)) == []
        seen = await log.Follower().read(conn, 1000)
        assert len(seen) == len(stored)
        assert sum((await log.positions(conn)).values()) == len(stored)
        assert len(await log.positions(conn)) == canonical.SHARDS
    assert "40001" in losses


async def test_dealers_that_never_rest_leave_each_other_room(strict: str, losses: list[str]) -> None:
    """Three appenders without a pause until many transactions have lost: none starves, every append is made."""

    async def write(appender: log.Appender) -> None:
        stream = log_events.stream()
        for version in itertools.count():
            if version >= 25 and losses.count("40001") > 10:
                return
            assert (await appender.append(one(stream, version))).outcome == "appended"

    async with (
        pools.make_pool(strict, "pitboss_dealer") as ours,
        pools.make_pool(strict, "pitboss_dealer") as theirs,
        pools.make_pool(strict, "pitboss_dealer") as third,
        log.Appender(ours) as first,
        log.Appender(theirs) as second,
        log.Appender(third) as last,
    ):
        writers = [write(appender) for appender in (first, second, last) for _ in range(12)]
        await asyncio.wait_for(asyncio.gather(*writers), 60)


async def test_postings_of_several_settlements(strict: str, losses: list[str]) -> None:
    """Transfers between the same accounts, each sent twice by different hands: each is posted once, no chip is lost."""
    async with await log_events.connect(strict) as conn:
        names = [await deposit(conn, f"player {number}", 500) for number in range(5)]
        made = []
        for number in range(60):
            source, target = Random(number).sample(names, 2)
            made.append(entry({source: -7, target: 7}, request_key=f"k{number}"))
        outcomes: Counter[str] = Counter()

        async def post(place: int) -> None:
            async with await log_events.connect(strict) as own:
                for each in made[place // 2 :: 4]:
                    outcomes[(await books.post(own, each)).outcome] += 1

        await asyncio.wait_for(asyncio.gather(*(post(place) for place in range(8))), 60)
        assert outcomes == {"posted": 60, "already_posted": 60}
        assert sum([await books.balance(conn, name) for name in names]) == 2500
        assert await unsound(conn) == []
    assert "40001" in losses


class Pair:
    """Two settlement processes on one database, asked in turns."""

    def __init__(self, first: Served, second: Served) -> None:
        self._both = itertools.cycle((first, second))
        self.first, self.second = first, second

    def __getattr__(self, name: str) -> Any:
        return getattr(next(self._both), name)


async def nights(floor: Floor, games: tuple[str, ...]) -> None:
    """Play rounds at tables of these games, each round settled by both processes at once."""
    for game in games:
        table = await floor.open(game, max(3, catalogue.game(game).rules_type().min_seats), 1000)
        for _ in range(3):
            table.start()
            table.finish(floor.rng)
            await served.publish(floor.conn, table, together=True)
            settle = pb.SettleRoundRequest(table_id=table.table_id)
            processes = floor.settlement.first, floor.settlement.second  # type: ignore[attr-defined]  # this floor has two
            answers = await asyncio.gather(*(each.call(each.money.SettleRound, settle) for each in processes))
            assert len({answer.result.SerializeToString() for answer in answers}) == 1
            await served.catch_up(floor.conn, table)
            if not worlds.can_start(table.game, table.rules, table.table.core.for_rules()):
                break
        await floor.money("CloseOut", table, "operator", reason="the night is over")


@pytest.fixture
async def pair(strict: str, redis_url: str) -> Any:
    """Serve settlement twice."""
    given = served.given(strict, redis_url)
    async with served.serve("settlement", given) as first, served.serve("settlement", given) as second:
        yield Pair(first, second)


async def test_whole_nights_at_two_settlements(strict: str, pair: Any, losses: list[str]) -> None:
    """Buy-ins, rounds settled twice at once, cash-outs, deposits and adjustments of one wallet: no call fails."""
    async with await served.connect(strict) as conn:
        floors = [Floor(pair, await served.connect(strict), Random(seed)) for seed in range(3)]
        shared = floors[0]
        rich = await shared.player(1000)

        async def cash() -> None:
            for number in range(8):
                await asyncio.gather(shared.deposit(rich, 10), shared.withdraw(rich, 5))
                if number % 4 == 0:
                    await shared.adjust(rich, 3)

        games = ("texas_holdem", "war", "blackjack"), ("texas_holdem", "dou_dizhu"), ("baccarat", "texas_holdem")
        await asyncio.wait_for(
            asyncio.gather(*(nights(floor, played) for floor, played in zip(floors, games, strict=True)), cash()), 120
        )
        for floor in floors:
            await floor.conn.close()
        assert await books.balance(conn, f"wallet:{CURRENCY}:{rich}") == 1000 + 8 * 5 + 2 * 3
        assert await checks.imbalance(conn) == 0
        assert await unsound(conn) == []
        rows = await (await conn.execute("SELECT count(*) FROM streams WHERE mark <> ''")).fetchone()
        assert rows == (0,)
        settled = "SELECT stream_id, data::jsonb->>'round_number' FROM events WHERE type LIKE 'RoundSettled%'"
        found = await (await conn.execute(settled.encode())).fetchall()
        assert len(found) == len(set(found)) > 0
        entries = await (await conn.execute("SELECT count(*) FROM rounds WHERE NOT voided")).fetchone()
        assert entries == (len(found),)
    assert "40001" in losses


async def test_the_same_request_at_two_settlements(pair: Any, losses: list[str]) -> None:
    """Each command of money and office, sent to both processes at once, is done once and answered alike."""
    operator = Role.OPERATOR
    key = request_id()
    deposits = wallet_pb2.DepositRequest(request_id=key, player="ann", amount=50, currency=CURRENCY)
    switch = back_office_pb2.SetSwitchRequest(
        request_id=request_id(), scope=back_office_pb2.SWITCH_SCOPE_GAME, subject="war", off=True, reason="a test"
    )
    limit = back_office_pb2.SetLimitRequest(
        request_id=request_id(), player="ann", kind=STAKE, span=DAY, amount=500, currency=CURRENCY, reason="a test"
    )
    asked = back_office_pb2.RequestAdjustmentRequest(
        request_id=request_id(), player="ann", currency=CURRENCY, amount=5, reason="a test"
    )
    eight = (pair.first, pair.second) * 4
    for service, method, request in (
        ("wallets", "Deposit", deposits),
        ("office", "SetSwitch", switch),
        ("office", "SetLimit", limit),
        ("office", "RequestAdjustment", asked),
    ):
        calls = [each.call(getattr(getattr(each, service), method), request, operator) for each in eight]
        answers = await asyncio.gather(*calls)
        assert len({answer.SerializeToString() for answer in answers}) == 1, method
    decision = back_office_pb2.DecideAdjustmentRequest(
        request_id=request_id(), adjustment_id=answers[0].adjustment.adjustment_id, approve=True, reason="agreed"
    )
    calls = [each.call(each.office.DecideAdjustment, decision, operator, "approver") for each in eight]
    assert len({answer.SerializeToString() for answer in await asyncio.gather(*calls)}) == 1
    first = pair.first
    wallet = wallet_pb2.GetBalanceRequest(player="ann", currency=CURRENCY)
    assert (await first.call(first.wallets.GetBalance, wallet)).balance == 55
    every = back_office_pb2.ListSignificantEventsRequest()
    told = await first.call(first.office.ListSignificantEvents, every, operator)
    kinds = Counter(each.kind for each in told.significant_events)
    assert [kinds[kind] for kind in ("rules", "settings", "switch", "limit")] == [1, 1, 1, 1]
    assert (kinds["adjustment_requested"], kinds["adjustment_decided"]) == (1, 1)
    assert losses != []


async def test_limits_of_many_players_at_once_are_numbered_as_they_are_set(strict: str, pair: Any) -> None:
    """Each of many limits set at the same moment gets a number of its own, without a hole, and each call its answer."""

    async def ask(number: int) -> None:
        process = (pair.first, pair.second)[number % 2]
        limit = back_office_pb2.SetLimitRequest(
            request_id=request_id(),
            player=f"p{number // 2}",
            kind=STAKE,
            span=DAY,
            amount=500 - number,
            currency=CURRENCY,
            reason="a test",
        )
        await process.call(process.office.SetLimit, limit, Role.OPERATOR)

    await asyncio.gather(*(ask(number) for number in range(16)))
    async with await served.connect(strict) as conn:
        rows = await (await conn.execute("SELECT number FROM limits ORDER BY number")).fetchall()
    assert [number for (number,) in rows] == list(range(1, 17))


async def test_a_stake_limit_is_shared_out_once(strict: str, pair: Any, losses: list[str]) -> None:
    """Two tables are looked through at once by two processes: what a player may stake at both is within its limit."""
    async with await served.connect(strict) as conn:
        floor = Floor(pair, conn, Random(5))
        first = await floor.open("texas_holdem", 2, 500)
        player = first.table.core.seats[0].player
        await floor.deposit(player, 1000)
        second = await floor.open("texas_holdem", 1, 500)
        await floor.money("BuyIn", second, player, amount=500)
        await set_limit(floor, player, STAKE, 600)
        for _ in range(6):
            requests = [pb.ClearSeatsRequest(table_id=table.table_id) for table in (first, second)]
            both = zip((pair.first, pair.second), requests, strict=True)
            answers = await asyncio.gather(*(each.call(each.money.ClearSeats, request) for each, request in both))
            for table in (first, second):
                await served.catch_up(conn, table)
            seats = [{held.player: seat for seat, held in table.table.core.seats.items()} for table in (first, second)]
            allowed = [answer.allowed[places[player]] for answer, places in zip(answers, seats, strict=True)]
            assert sum(allowed) <= 600
    assert "40001" in losses
