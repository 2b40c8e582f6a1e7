"""Every report agrees with sums over the ledger, whatever was played; the figures can be made again from the log."""

import asyncio
import datetime as dt
import math
from random import Random
from typing import Any

from google.protobuf import timestamp_pb2
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pitboss.v1 import back_office_pb2 as pb

from services.registry import figures as registered
from services.registry.records import RoundFigures, SeatFigures
from services.runtime.identity import Role
from services.settlement import round_figures
from tests.support import served, waits
from tests.support.served import Connection, Served
from tests.support.settlement_floor import CURRENCY, GAMES, Floor

LEDGER_BY_GAME = """
SELECT s.summary->>'game', split_part(l.account, ':', 1), sum(l.amount)::bigint
FROM entries e JOIN legs l ON l.entry_id = e.entry_id JOIN streams s ON s.stream_id = e."table"::uuid
WHERE e.kind = 'round' AND e.currency = %s GROUP BY 1, 2
"""
LEDGER_BY_KIND = "SELECT kind, sum(balance)::bigint FROM accounts WHERE currency = %s GROUP BY kind"
SEATS = """
SELECT coalesce(sum(a.balance), 0)::bigint FROM streams s
CROSS JOIN jsonb_to_recordset(s.summary->'seated') AS p (player text, seat int)
JOIN accounts a ON a.account = 'seat:' || s.stream_id || ':' || p.seat WHERE p.player = %s AND a.currency = %s
"""
FIGURES = ("configurations", "rounds", "round_seats", "pool_shares")


async def rows(conn: Connection, query: Any, *parameters: Any) -> list[Any]:
    """Return the rows of a statement."""
    return await (await conn.execute(query, parameters)).fetchall()


async def everything(settlement: Served, method: str, field: str, request: Any) -> list[Any]:
    """Read all pages of a report, a few lines each."""
    found: list[Any] = []
    request.page_size = 3
    while True:
        page = await settlement.call(getattr(settlement.office, method), request, Role.AUDITOR)
        found += getattr(page, field)
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def statement(settlement: Served, player: str, **span: Any) -> pb.GetPlayerStatementResponse:
    """Read a player's own statement."""
    request = pb.GetPlayerStatementRequest(currency=CURRENCY, **span)
    made: pb.GetPlayerStatementResponse = await settlement.call(
        settlement.office.GetPlayerStatement, request, Role.PLAYER, player
    )
    return made


async def check_games(settlement: Served, conn: Connection) -> None:
    """Check that performance and turnover by game are what the entries of rounds moved."""
    played = await everything(
        settlement, "ListGamePerformance", "games", pb.ListGamePerformanceRequest(currency=CURRENCY)
    )
    turnover = await everything(settlement, "ListTurnover", "lines", pb.ListTurnoverRequest(currency=CURRENCY))
    by_day = await everything(
        settlement,
        "ListTurnover",
        "lines",
        pb.ListTurnoverRequest(currency=CURRENCY, period=pb.REPORT_PERIOD_DAY),
    )
    ledger: dict[str, dict[str, int]] = {}
    for game, kind, chips in await rows(conn, LEDGER_BY_GAME, CURRENCY):
        ledger.setdefault(game, {})[kind] = chips
    for game in {one.game for one in played}:
        mine = [one for one in played if one.game == game]
        moved = ledger.get(game, {})
        assert sum(one.fees + one.rake for one in mine) == moved.get("fees", 0), game
        assert sum(one.house for one in mine) == moved.get("house", 0), game
        assert sum(one.pools for one in mine) == moved.get("pot", 0), game
        assert sum(one.paid - one.staked - one.fees for one in mine) == moved.get("seat", 0), game
        for lines in (turnover, by_day):
            same = [one for one in lines if one.game == game]
            assert sum(one.staked for one in same) == sum(one.staked for one in mine), game
            assert sum(one.rounds for one in same) == sum(one.rounds for one in mine), game
            assert sum(one.revenue for one in same) == moved.get("fees", 0) + moved.get("house", 0), game
    assert set(ledger) <= {one.game for one in played}


async def check_liability(settlement: Served, conn: Connection) -> None:
    """Check that what the house holds for players is what the accounts hold."""
    told = await settlement.call(
        settlement.office.GetHouseLiability, pb.GetHouseLiabilityRequest(currency=CURRENCY), Role.OPERATOR
    )
    held = dict(await rows(conn, LEDGER_BY_KIND, CURRENCY))
    assert told.wallets == held.get("wallet", 0)
    assert told.chips_at_tables == held.get("seat", 0)
    assert told.carried_pots == held.get("pot", 0)
    assert told.liability == told.wallets + told.chips_at_tables + told.carried_pots
    assert (told.house, told.fees, told.cashier) == tuple(held.get(kind, 0) for kind in ("house", "fees", "cashier"))
    assert told.imbalance == 0
    assert told.deposits - told.withdrawals == -told.cashier


async def lines_of(settlement: Served, **chosen: Any) -> int:
    """Read all lines of a choice, page by page; return their sum, which the first page says as well."""
    request = pb.ListLedgerLinesRequest(currency=CURRENCY, page_size=7, **chosen)
    first = await settlement.call(settlement.office.ListLedgerLines, request, Role.AUDITOR)
    lines = list(first.lines)
    request.page_token = first.next_page_token
    while request.page_token:
        page = await settlement.call(settlement.office.ListLedgerLines, request, Role.AUDITOR)
        lines += page.lines
        request.page_token = page.next_page_token
    assert len({(one.entry_id, one.number) for one in lines}) == len(lines)
    times = [one.entry_time.ToMilliseconds() for one in lines]
    assert times == sorted(times, reverse=True)
    total: int = sum(one.amount for one in lines)
    assert first.total == total, chosen
    return total


async def check_lines(settlement: Served, middle: timestamp_pb2.Timestamp) -> None:
    """Check that the lines of the ledger behind each number of a report add up to it, in the whole and in a part."""
    spans: tuple[dict[str, Any], ...] = ({}, {"from_time": middle}, {"to_time": middle})
    for span in spans:
        request = pb.GetHouseLiabilityRequest(currency=CURRENCY, **span)
        told = await settlement.call(settlement.office.GetHouseLiability, request, Role.AUDITOR)
        for kind, sign, chips in (
            ("deposit", 1, told.deposits),
            ("withdrawal", -1, told.withdrawals),
            ("adjustment", 1, told.adjustments),
        ):
            assert await lines_of(settlement, account_kind="wallet", entry_kind=kind, **span) == sign * chips
        played = await everything(
            settlement, "ListGamePerformance", "games", pb.ListGamePerformanceRequest(currency=CURRENCY, **span)
        )
        for game in {one.game for one in played}:
            mine = [one for one in played if one.game == game]
            for kind, chips in (
                ("fees", sum(one.fees + one.rake for one in mine)),
                ("house", sum(one.house for one in mine)),
                ("pot", sum(one.pools for one in mine)),
                ("seat", sum(one.paid - one.staked - one.fees for one in mine)),
            ):
                assert await lines_of(settlement, account_kind=kind, game=game, **span) == chips, (game, kind)
        if "from_time" in span:
            continue
        for kind, chips in (
            ("wallet", told.wallets),
            ("seat", told.chips_at_tables),
            ("pot", told.carried_pots),
            ("house", told.house),
            ("fees", told.fees),
            ("cashier", told.cashier),
            ("", 0),
        ):
            assert await lines_of(settlement, account_kind=kind, **span) == chips, kind


async def check_intervals(settlement: Served, conn: Connection) -> None:
    """Check the standard error of each return against one reckoned from the single rounds."""
    played = await everything(
        settlement, "ListGamePerformance", "games", pb.ListGamePerformanceRequest(currency=CURRENCY)
    )
    for one in played:
        found = await rows(
            conn,
            "SELECT r.staked, r.won FROM rounds r JOIN configurations c ON c.digest = r.configuration"
            " WHERE NOT test AND currency = %s AND r.game = %s AND c.rules_version = %s AND c.rules = %s",
            CURRENCY,
            one.game,
            one.rules_version,
            one.configuration,
        )
        staked, many = sum(row[0] for row in found), len(found)
        error = 0.0
        if many > 1 and staked:
            share = sum(row[1] for row in found) / staked
            squares = sum((won - share * stake) ** 2 for stake, won in found)
            error = math.sqrt(squares * many / (many - 1)) / staked
        assert math.isclose(one.actual_return_error, error, rel_tol=1e-4, abs_tol=1e-6)


async def check_player(settlement: Served, conn: Connection, player: str, middle: timestamp_pb2.Timestamp) -> None:
    """Check that a statement sums to the balance, and two spans that meet say what the whole says."""
    whole = await statement(settlement, player)
    [(wallet,)] = await rows(
        conn, "SELECT coalesce(sum(balance), 0)::bigint FROM accounts WHERE account = %s", f"wallet:{CURRENCY}:{player}"
    )
    [(seats,)] = await rows(conn, SEATS, player, CURRENCY)
    assert (whole.in_wallet, whole.at_tables) == (wallet, seats)
    assert whole.closing_balance == wallet + seats
    gained = sum(one.won - one.staked - one.fees + one.pool_shares for one in whole.games)
    cash = whole.deposits - whole.withdrawals + whole.adjustments
    assert whole.opening_balance + cash + gained == whole.closing_balance
    assert sum(line.amount for line in whole.adjustment_lines) == whole.adjustments
    first, second = (
        await statement(settlement, player, to_time=middle),
        await statement(settlement, player, from_time=middle),
    )
    assert first.opening_balance == 0
    assert first.closing_balance == second.opening_balance
    assert second.closing_balance == whole.closing_balance
    rounds = await everything_of(settlement, player)
    assert sum(one.won - one.staked - one.fee for one in rounds) + sum(one.pool_shares for one in whole.games) == gained


async def everything_of(settlement: Served, player: str) -> list[pb.PlayedRound]:
    """Read all of a player's rounds, page by page."""
    found: list[pb.PlayedRound] = []
    request = pb.ListPlayedRoundsRequest(currency=CURRENCY, player=player, order_by="end_time")
    request.page_size = 2
    while True:
        page = await settlement.call(settlement.office.ListPlayedRounds, request, Role.OPERATOR)
        found += page.rounds
        if not page.next_page_token:
            return found
        request.page_token = page.next_page_token


async def figures(conn: Connection) -> dict[str, list[Any]]:
    """Return all figures of rounds, without the moments at which they were written."""
    return {table: sorted(await rows(conn, f"SELECT to_jsonb(f) - 'at' FROM {table} f"), key=repr) for table in FIGURES}


async def check_rebuild(conn: Connection) -> None:
    """Check that the figures made again from the log alone are those that were written with the rounds."""
    before = await figures(conn)
    assert before["rounds"]
    await conn.execute("SET session_replication_role = replica")
    await conn.execute("TRUNCATE configurations, rounds, round_seats, pool_shares")
    await conn.execute("SET session_replication_role = origin")
    for (stream,) in await rows(conn, "SELECT stream_id::text FROM streams"):
        async with conn.transaction():
            await round_figures.rebuild(conn, stream)
    assert await figures(conn) == before


async def night(postgres_url: str, redis_url: str, seed: int) -> None:
    """Play a random night and check every report after it."""
    rng = Random(seed)
    async with (
        served.serve("settlement", served.given(postgres_url, redis_url)) as settlement,
        await served.connect(postgres_url) as conn,
    ):
        floor = Floor(settlement, conn, rng)
        for game in rng.sample(GAMES, 3):
            await floor.night_at(game, test=rng.random() < 0.15)
        middle = timestamp_pb2.Timestamp()
        middle.GetCurrentTime()
        await waits.next_millisecond()
        await floor.night_at(rng.choice(GAMES))
        for player in rng.sample([one for one in floor.players if one not in floor.testers], 2):
            await floor.deposit(player, 1000)
            await floor.adjust(player, rng.choice((-500, 7, 250)))
            await floor.withdraw(player, 300)
        await check_games(settlement, conn)
        await check_liability(settlement, conn)
        await check_lines(settlement, middle)
        await check_intervals(settlement, conn)
        for player in floor.players:
            await check_player(settlement, conn, player, middle)
        await check_rebuild(conn)


@settings(
    max_examples=10, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.integers(0, 2**32))
def test_every_report_agrees_with_the_ledger(fast_postgres_url: str, redis_url: str, seed: int) -> None:
    """After random nights performance, turnover, liability and statements are sums over the ledger's legs."""
    asyncio.run(night(fast_postgres_url, redis_url, seed))


async def test_periods_are_days_months_and_years(fast_postgres_url: str, redis_url: str) -> None:
    """Rounds are added up by the UTC day, month or year in which they ended, or all in one since opening."""
    moments = {
        "2025-12-31T23:59:59.999": 1,
        "2026-01-01T00:00:00": 2,
        "2026-01-31T12:00:00": 4,
        "2026-02-01T00:00:00": 8,
    }
    expected = {
        pb.REPORT_PERIOD_DAY: {"2025-12-31": 1, "2026-01-01": 2, "2026-01-31": 4, "2026-02-01": 8},
        pb.REPORT_PERIOD_MONTH: {"2025-12": 1, "2026-01": 6, "2026-02": 8},
        pb.REPORT_PERIOD_YEAR: {"2025": 1, "2026": 14},
        pb.REPORT_PERIOD_UNSPECIFIED: {"": 15},
    }
    async with (
        served.serve("settlement", served.given(fast_postgres_url, redis_url)) as settlement,
        await served.connect(fast_postgres_url) as conn,
    ):
        for number, (moment, staked) in enumerate(moments.items(), start=1):
            ended = dt.datetime.fromisoformat(moment).replace(tzinfo=dt.UTC)
            await registered.record_round(conn, _round(number, int(ended.timestamp() * 1000), staked))
        for period, sums in expected.items():
            request = pb.ListTurnoverRequest(currency=CURRENCY, period=period)
            lines = await everything(settlement, "ListTurnover", "lines", request)
            assert {line.period: line.staked for line in lines} == sums
        january = pb.ListTurnoverRequest(currency=CURRENCY)
        january.from_time.FromJsonString("2026-01-01T00:00:00Z")
        january.to_time.FromJsonString("2026-02-01T00:00:00Z")
        [line] = await everything(settlement, "ListTurnover", "lines", january)
        assert line.staked == 6


def _round(number: int, ended_ms: int, staked: int) -> RoundFigures:
    """Make the figures of a round that one seat lost to the house."""
    return RoundFigures(
        table_id=served.table_id(),
        round=number,
        round_id=f"round-{number}",
        game="blackjack",
        family="banker",
        configuration="c",
        rules_version=1,
        rules="{}",
        currency=CURRENCY,
        test=False,
        started_ms=ended_ms - 1,
        ended_ms=ended_ms,
        voided=False,
        staked=staked,
        won=0,
        fee=0,
        rake=0,
        house=staked,
        pot=0,
        seats=(SeatFigures(0, "p", 100, staked, 0, 0, 100 - staked),),
    )
