"""How games performed, turnover and fees: sums over ended rounds by period, game and configuration."""

from collections import Counter
from typing import Any, Final

import msgspec
from pitboss.v1 import back_office_pb2 as pb

from services.contract import pages, wire_sums, wire_tables
from services.database import retry
from services.eventlog import log
from services.journal import log_rows, summaries
from services.registry import figures, switches
from services.registry.records import Performance
from services.rules import catalogue
from services.rules.refusals import invalid
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement.backoffice import request_fields
from services.table import stakes

PERIODS: Final = {
    pb.REPORT_PERIOD_UNSPECIFIED: "",
    pb.REPORT_PERIOD_DAY: "day",
    pb.REPORT_PERIOD_MONTH: "month",
    pb.REPORT_PERIOD_YEAR: "year",
}
NAMES: Final = {"": "", "day": " by day", "month": " by month", "year": " by year"}
MOST_OPEN: Final = 2000
"""Unfinished rounds that one report looks into; more are counted, their stakes are not."""

MILLION: Final = 10**6
_fit: Final = wire_sums.fitting
Key = tuple[pages.Word, pages.Word, pages.Word]
_FIRST: Final[Key] = ("", "", "")


async def performance(
    pool: Pool, settings: Settings, request: pb.ListGamePerformanceRequest
) -> pb.ListGamePerformanceResponse:
    """Return one page of how games performed. Raises Refused."""
    currency, within, size = (
        request_fields.real_currency(request, settings),
        request_fields.span(request),
        request_fields.page_size(request),
    )
    period, after = _period(request), pages.after(request, Key, _FIRST)
    board = switches.Switchboard()

    async def read(conn: Connection) -> tuple[list[Performance], dict[str, int], list[pb.OpenStakes]]:
        page = await figures.performance(
            conn, currency, within.from_ms, within.to_ms, period=period, game=request.game, after=after, limit=size + 1
        )
        since = {game: await _available_since(conn, game) for game in {one.game for one in page}}
        await board.refresh(conn)
        return page, since, [] if request.page_token else await open_stakes(conn, currency, request.game)

    page, since, open_now = await retry.at_one_moment(pool.connection, read)
    shown, token = pages.cut(request, page, size, _place)
    title = f"Game performance{NAMES[period]}"
    empty = not page and not open_now and not request.page_token
    return pb.ListGamePerformanceResponse(
        header=request_fields.header(settings, title, currency, within, empty=empty, sums_shown=_all_sums(shown)),
        games=[
            _performed(one, since[one.game], "off" if board.off(game=one.game) is not None else "on") for one in shown
        ],
        open_stakes=open_now,
        next_page_token=token,
    )


async def turnover(pool: Pool, settings: Settings, request: pb.ListTurnoverRequest) -> pb.ListTurnoverResponse:
    """Return one page of turnover and fees by period and game, all configurations together. Raises Refused."""
    currency, within, size = (
        request_fields.real_currency(request, settings),
        request_fields.span(request),
        request_fields.page_size(request),
    )
    period, after = _period(request), pages.after(request, Key, _FIRST)
    async with pool.connection() as conn:
        lines = await figures.turnover(
            conn,
            currency,
            within.from_ms,
            within.to_ms,
            period=period,
            game=request.game,
            after=after[:2],
            limit=size + 1,
        )
    shown, token = pages.cut(request, lines, size, _place)
    empty = not lines and not request.page_token
    return pb.ListTurnoverResponse(
        header=request_fields.header(
            settings,
            f"Turnover and fees{NAMES[period]}",
            currency,
            within,
            empty=empty,
            sums_shown=_all_sums(shown),
        ),
        lines=[
            pb.Turnover(
                period=one.period,
                game=one.game,
                rounds=one.rounds,
                staked=_fit(one.staked),
                fees=_fit(one.fee),
                rake=_fit(one.rake),
                revenue=_fit(_revenue(one)),
            )
            for one in shown
        ],
        next_page_token=token,
    )


def _period(request: Any) -> str:
    if request.period not in PERIODS:
        raise invalid("period", "a day, a month, a year, or none for the whole span")
    if request.game and request.game not in catalogue.FILES:
        raise invalid("game", f"there is no game {request.game[:64]!r}; ListGames shows all")
    return PERIODS[request.period]


def _place(one: Performance) -> Key:
    return one.period, one.game, one.configuration


def _performed(one: Performance, since_ms: int, status: str) -> pb.GamePerformance:
    made = pb.GamePerformance(
        period=one.period,
        game=one.game,
        rules_version=one.rules_version,
        configuration=one.rules,
        status=status,
        available_since_time=wire_tables.timestamp(since_ms) if since_ms else None,
        rounds=one.rounds,
        voided=one.voided,
        staked=_fit(one.staked),
        paid=_fit(one.won),
        fees=_fit(one.fee),
        rake=_fit(one.rake),
        house=_fit(one.house),
        pools=_fit(one.pot),
        actual_return=_parts(one.won, one.staked),
        actual_return_error=one.return_error,
    )
    made.theoretical_returns.extend(theoretical_returns(one.game, one.rules_version, one.rules))
    return made


def _revenue(one: Performance) -> int:
    return one.fee + one.rake + one.house


def _all_sums(shown: list[Performance]) -> list[int]:
    names = ("staked", "won", "fee", "rake", "house", "pot")
    return [getattr(one, name) for one in shown for name in names] + [_revenue(one) for one in shown]


def _parts(won: int, staked: int) -> str:
    """Return won / staked with six digits, rounded down; empty where nothing was staked."""
    millionths = won * MILLION // staked if staked else 0
    return f"{millionths // MILLION}.{millionths % MILLION:06}" if staked else ""


def theoretical_returns(game_id: str, version: int, rules: str) -> list[pb.TheoreticalReturn]:
    """Return the enumerated return of each bet of a version of a game under its house rules, where one is known."""
    try:
        game = catalogue.game(game_id, version)
        under = msgspec.json.decode(rules, type=game.rules_type)
    except (catalogue.UnknownRules, msgspec.ValidationError):  # a later release played these rules
        return []
    return [
        pb.TheoreticalReturn(bet=one.bet, exact=one.exact_return) for one in game.payouts(under) if one.exact_return
    ]


async def _available_since(conn: Connection, game: str) -> int:
    """Return when a game's first table that is not a test table was opened, in milliseconds since 1970; 0: never."""
    heads = await log.list_streams(conn, {"game": game, "test": False}, limit=1)
    return heads[0].created_at_us // 1000 if heads else 0


async def open_stakes(conn: Connection, currency: str, game: str = "") -> list[pb.OpenStakes]:
    """Return the stakes in unfinished rounds by game, without test tables."""
    rounds: Counter[str] = Counter()
    staked: Counter[str] = Counter()
    looked = 0
    for mark in (log_rows.IN_ROUND, log_rows.UNSETTLED):
        after = "00000000-0000-0000-0000-000000000000"
        while heads := await log.streams_marked(conn, mark, 1000, after):
            after = heads[-1].stream_id
            for head in heads:
                summary = summaries.read(head.summary)
                if summary.test or summary.currency != currency or game not in ("", summary.game):
                    continue
                rounds[summary.game] += 1
                looked += 1
                if looked <= MOST_OPEN:
                    staked[summary.game] += await _in_round(conn, head.stream_id)
    return [pb.OpenStakes(game=one, rounds=rounds[one], staked=_fit(staked[one])) for one in sorted(rounds)]


async def _in_round(conn: Connection, table_id: str) -> int:
    """Return the chips that the seats have staked since the round's start."""
    _, recorded = await log.read_for_rebuild(conn, table_id)
    return stakes.staked(log_rows.from_stored(one) for one in recorded)
