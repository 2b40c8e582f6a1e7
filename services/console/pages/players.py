"""A player: wallet, seats, rounds, statement, limits and exclusions."""

import asyncio

from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import wallet_pb2
from starlette.responses import RedirectResponse, Response

from services.console import rulebook
from services.console.desk import ROWS, Desk


async def players(desk: Desk) -> Response:
    """Ask for a player, or lead to the one that is asked for."""
    if wanted := desk.query("player"):
        return RedirectResponse(f"/players/{wanted}", 303)
    return desk.render("players.html")


async def player(desk: Desk) -> Response:
    """Show one player in one currency."""
    who, currency = desk.path("player"), desk.query("currency")
    house, office = desk.house, desk.house.office
    balance, statement, rounds, lines, limits = await asyncio.gather(
        house.call(house.wallets.GetBalance, wallet_pb2.GetBalanceRequest(player=who, currency=currency)),
        house.call(
            office.GetPlayerStatement, pb.GetPlayerStatementRequest(player=who, currency=currency, page_size=ROWS)
        ),
        house.call(
            office.ListPlayedRounds,
            pb.ListPlayedRoundsRequest(player=who, currency=currency, page_size=ROWS, page_token=desk.query("rounds")),
        ),
        house.call(
            house.wallets.ListStatementLines,
            wallet_pb2.ListStatementLinesRequest(
                player=who, currency=currency, page_size=ROWS, page_token=desk.query("lines")
            ),
        ),
        house.call(office.ListLimits, pb.ListLimitsRequest(player=who, page_size=100)),
    )
    return desk.render(
        "player.html",
        who=who,
        currency=statement.header.currency or currency,
        balance=balance,
        statement=statement,
        rounds=rounds,
        lines=lines,
        limits=limits.limits,
        kind=pb.LimitKind.Name,
        span=pb.LimitSpan.Name,
        game=lambda one: rulebook.name(one, desk.language),
    )
