"""A player's money: the statement that sums to the balance [R5], and the rounds played."""

from typing import Final

from pitboss.v1 import back_office_pb2 as pb

from services.contract import pages, requests, wire_sums, wire_tables
from services.database import retry
from services.ledger import accounts, sums
from services.ledger.records import Line
from services.registry import figures
from services.registry.records import GameSums, PlayedRound
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement.backoffice import request_fields
from services.settlement.backoffice.request_fields import Span

CASH: Final = ("deposit", "withdrawal", "adjustment")
"""Kinds of entries that bring money in or out; the others move it between wallet and seat."""


async def statement(
    pool: Pool, settings: Settings, request: pb.GetPlayerStatementRequest
) -> pb.GetPlayerStatementResponse:
    """Add up a player's money within a span. Raises Refused."""
    player, currency, within = (
        request_fields.player(request),
        request_fields.currency(request, settings),
        request_fields.span(request),
    )
    size, after = request_fields.page_size(request), request_fields.after_number(request)
    wallet = accounts.wallet(currency, player)

    async def read(conn: Connection) -> tuple[int, dict[str, int], list[GameSums], int, list[Line]]:
        return (
            await _held(conn, wallet, player, currency, Span(sums.BEGINNING, within.from_ms)),
            await sums.flows(conn, wallet, within.from_ms, within.to_ms),
            await figures.of_player(conn, player, currency, within.from_ms, within.to_ms),
            sum((await sums.flows(conn, wallet, sums.BEGINNING, within.to_ms)).values()),
            await sums.lines_of_kind(
                conn, wallet, "adjustment", within.from_ms, within.to_ms, after=after, limit=size + 1
            ),
        )

    opening, moved, games, in_wallet, lines = await retry.at_one_moment(pool.connection, read)
    cash = {kind: moved.get(kind, 0) for kind in CASH}
    closing = opening + sum(cash.values()) + sum(gained(game) for game in games)
    fit = wire_sums.fitting
    shown = [opening, *cash.values(), closing, in_wallet, *(chips for game in games for chips in _sums(game).values())]
    shown_lines, token = request_fields.numbered(request, lines, size)
    answer = pb.GetPlayerStatementResponse(
        header=request_fields.header(
            settings, f"Statement of {player}", currency, within, empty=not moved and not games, sums_shown=shown
        ),
        player=player,
        games=[_game(game) for game in games],
        opening_balance=fit(opening),
        deposits=fit(cash["deposit"]),
        withdrawals=fit(-cash["withdrawal"]),
        adjustments=fit(cash["adjustment"]),
        closing_balance=fit(closing),
        in_wallet=fit(in_wallet),
        at_tables=fit(closing - in_wallet),
        next_page_token=token,
    )
    for line in shown_lines:
        answer.adjustment_lines.add(
            entry_time=wire_tables.timestamp(line.at_ms), amount=line.amount, reason=line.reason, entry_id=line.entry_id
        )
    return answer


async def _held(conn: Connection, wallet: str, player: str, currency: str, within: Span) -> int:
    """Return what a player held, in the wallet and at tables, at the end of a span that begins with the house."""
    moved = await sums.flows(conn, wallet, within.from_ms, within.to_ms)
    games = await figures.of_player(conn, player, currency, within.from_ms, within.to_ms)
    return sum(moved.get(kind, 0) for kind in CASH) + sum(gained(game) for game in games)


def gained(game: GameSums) -> int:
    """Return by how much a game changed what its player holds."""
    return game.won - game.staked - game.fee + game.shares


def _game(game: GameSums) -> pb.PlayerGame:
    shown = {field: wire_sums.fitting(chips) for field, chips in _sums(game).items()}
    return pb.PlayerGame(game=game.game, rounds=game.rounds, **shown)


def _sums(game: GameSums) -> dict[str, int]:
    return {"staked": game.staked, "won": game.won, "fees": game.fee, "pool_shares": game.shares}


_Place = tuple[pages.Number, pages.Id, pages.Number, pages.Number]
"""The end of a round in milliseconds since 1970, its table and number, and the seat."""
ORDERS: Final = {"end_time desc": True, "end_time": False}
"""Whether the newest rounds come first."""
_BEFORE_ALL: Final[tuple[int, str, int, int]] = (-1, "00000000-0000-0000-0000-000000000000", 0, 0)
_AFTER_ALL: Final[tuple[int, str, int, int]] = (2**62, "ffffffff-ffff-ffff-ffff-ffffffffffff", 2**62, 2**30)


async def played(pool: Pool, settings: Settings, request: pb.ListPlayedRoundsRequest) -> pb.ListPlayedRoundsResponse:
    """Return one page of a player's rounds within a span. Raises Refused."""
    player, currency, within = (
        request_fields.player(request),
        request_fields.currency(request, settings),
        request_fields.span(request),
    )
    size, is_newest_first = request_fields.page_size(request), pages.order(request, ORDERS)
    after = pages.after(request, _Place, _AFTER_ALL if is_newest_first else _BEFORE_ALL)
    game = requests.game_named(request.game).id if request.game else ""
    table_id = requests.table_id(request) if request.table_id else None
    async with pool.connection() as conn:
        page = await figures.played(
            conn,
            player,
            currency,
            within.from_ms,
            within.to_ms,
            after=after,
            limit=size + 1,
            game=game,
            table_id=table_id,
            is_newest_first=is_newest_first,
        )
    shown, token = pages.cut(request, page, size, lambda one: (one.ended_ms, one.table_id, one.round, one.seat))
    return pb.ListPlayedRoundsResponse(
        header=request_fields.header(
            settings, f"Rounds of {player}", currency, within, empty=not page and not request.page_token
        ),
        rounds=[_played(one) for one in shown],
        next_page_token=token,
    )


def _played(one: PlayedRound) -> pb.PlayedRound:
    return pb.PlayedRound(
        table_id=one.table_id,
        round_number=one.round,
        seat=one.seat,
        player=one.player,
        game=one.game,
        end_time=wire_tables.timestamp(one.ended_ms),
        voided=one.voided,
        chips_before=one.chips_before,
        staked=one.staked,
        won=one.won,
        fee=one.fee,
        chips_after=one.chips_after,
    )
