"""The figures of ended rounds, written in the transaction of the round's event, and their sums for reports.

All of them follow from the log: ``services.settlement.round_figures`` can rebuild them.
"""

from typing import Any, Final

import msgspec

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import Statement, execute, rows
from services.registry import queries
from services.registry.records import GameSums, Performance, PlayedRound, PoolShare, RoundFigures

FORMATS: Final = {"day": "YYYY-MM-DD", "month": "YYYY-MM", "year": "YYYY", "": ""}
"""How a period is written; "" is the whole span."""


async def record_round(conn: Connection, made: RoundFigures) -> None:
    """Record a round in the caller's transaction; a recorded one stays unchanged."""
    for statement in round_statements(made):
        await execute(conn, *statement)


def round_statements(made: RoundFigures) -> list[Statement]:
    """Return the statements that record a round; a recorded one stays unchanged."""
    seats = [
        [getattr(seat, column) for seat in made.seats]
        for column in ("seat", "player", "chips_before", "staked", "won", "fee", "chips_after")
    ]
    rules = (made.configuration, made.game, made.rules_version, made.rules)
    return [
        Statement(queries.RECORD_CONFIGURATION, rules),
        Statement(
            queries.RECORD_ROUND,
            (
                made.table_id,
                made.round,
                made.round_id,
                made.game,
                made.family,
                made.configuration,
                made.currency,
                made.test,
                made.started_ms,
                made.ended_ms,
                made.voided,
                made.staked,
                made.won,
                made.fee,
                made.rake,
                made.house,
                made.pot,
                *seats,
            ),
        ),
    ]


async def record_share(conn: Connection, share: PoolShare) -> None:
    """Record a share of a closing table's pool in the caller's transaction."""
    await execute(conn, *share_statement(share))


def share_statement(share: PoolShare) -> Statement:
    """Return the statement that records a share of a closing table's pool."""
    return Statement(
        queries.RECORD_SHARE,
        (
            share.table_id,
            share.seat,
            share.player,
            share.game,
            share.currency,
            share.test,
            share.ended_ms,
            share.chips,
        ),
    )


async def performance(
    conn: Connection,
    currency: str,
    from_ms: int,
    to_ms: int,
    *,
    period: str,
    game: str = "",
    after: tuple[str, str, str] = ("", "", ""),
    limit: int = 100,
) -> list[Performance]:
    """Return sums by period, game and configuration, without test tables, from behind the key ``after``."""
    form = FORMATS[period]
    found = await rows(
        conn, queries.PERFORMANCE, (form, form, currency, from_ms, to_ms, game, game, *after, bounded(limit))
    )
    # Sums come as text: psycopg reads binary numerics slowly, and sums may exceed 64 bits.
    return [_performance(row) for row in found]


async def turnover(
    conn: Connection,
    currency: str,
    from_ms: int,
    to_ms: int,
    *,
    period: str,
    game: str = "",
    after: tuple[str, str] = ("", ""),
    limit: int = 100,
) -> list[Performance]:
    """Return sums by period and game, all configurations together, from behind the key ``after``."""
    form = FORMATS[period]
    found = await rows(
        conn, queries.TURNOVER, (form, form, currency, from_ms, to_ms, game, game, *after, bounded(limit))
    )
    return [_performance(row) for row in found]


def _performance(row: tuple[Any, ...]) -> Performance:
    made = Performance(*row[:7], *(int(value) for value in row[7:13]))
    return msgspec.structs.replace(made, return_error=row[13])


async def pools_to_house(conn: Connection, currency: str, from_ms: int, to_ms: int) -> int:
    """Return what closing tables paid to the house, from pools without a remaining seat."""
    return int((await rows(conn, queries.POOLS_TO_HOUSE, (currency, from_ms, to_ms)))[0][0])


async def of_player(conn: Connection, player: str, currency: str, from_ms: int, to_ms: int) -> list[GameSums]:
    """Return what a player staked, won, paid and shared in each game within a span."""
    one = (player, currency, from_ms, to_ms)
    found = await rows(conn, queries.PLAYER_GAMES, (*one, *one))
    return [GameSums(row[0], int(row[1]), *(int(value) for value in row[2:])) for row in found]


async def played(
    conn: Connection,
    player: str,
    currency: str,
    from_ms: int,
    to_ms: int,
    *,
    after: tuple[int, str, int, int],
    limit: int = 100,
    game: str = "",
    table_id: str | None = None,
    is_newest_first: bool = False,
) -> list[PlayedRound]:
    """Return one page of a player's rounds within a span, in the order in which they ended, or in the reverse one.

    They follow the round ``after``: when it ended, its table, number and seat.
    """
    ended_ms, after_table, number, seat = after
    parameters = {"player": player, "currency": currency, "from_ms": from_ms, "to_ms": to_ms, "game": game}
    place = {"ended_ms": ended_ms, "after_table": after_table, "round": number, "seat": seat}
    query = queries.NEWEST_ROUNDS if is_newest_first else queries.PLAYED_ROUNDS
    found = await rows(conn, query, {**parameters, **place, "table": table_id, "limit": bounded(limit)})
    return [PlayedRound(*row) for row in found]


async def staked_and_lost(conn: Connection, player: str, currency: str, from_ms: int) -> tuple[int, int]:
    """Return what a player staked and lost (won: negative) in rounds that ended since a moment."""
    staked, lost = (await rows(conn, queries.STAKED_AND_LOST, (player, currency, from_ms)))[0]
    return int(staked), int(lost)
