"""``pitboss player`` and ``wallet``: what a player holds, where it sits, its last rounds, its limits."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import wallet_pb2

from services.cli import backoffice, columns
from services.cli.inspection import stamp

LINES: Final = 20
"""Lines of each list: the newest."""
WALLET: Final = ("time", "kind", "amount", "balance", "table", "reason")
ROUNDS: Final = ("time", "table_id", "round", "game", "seat", "staked", "won", "fee", "")
LIMITS: Final = ("kind", "span", "amount", "until", "set by")

Currency = Annotated[str, typer.Option(help="Default: the house's own.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(wallet)
    app.command()(player)


def wallet(
    who: backoffice.Player,
    currency: Currency = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Show what a player holds, in its wallet and at tables, and the newest lines of its statement."""

    async def shown() -> None:
        async with backoffice.operator(folder, name) as house:
            await _holdings(house, who, currency)
            request = wallet_pb2.ListStatementLinesRequest(player=who, currency=currency, page_size=LINES)
            found = await house.call(house.wallets.ListStatementLines, request)
            _listed(
                WALLET,
                [
                    (
                        stamp(one.entry_time),
                        one.kind,
                        f"{one.amount:+d}",
                        str(one.balance_after),
                        one.table_id,
                        one.reason,
                    )
                    for one in found.lines
                ],
                "the wallet has no lines",
            )

    asyncio.run(shown())


def player(
    who: backoffice.Player,
    currency: Currency = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Show a player: what it holds, its limits and exclusion, its newest rounds."""

    async def shown() -> None:
        async with backoffice.operator(folder, name) as house:
            await _holdings(house, who, currency)
            limits = await house.call(house.office.ListLimits, pb.ListLimitsRequest(player=who, page_size=LINES))
            _listed(LIMITS, [_limit(one) for one in limits.limits], "no limits, and not excluded")
            request = pb.ListPlayedRoundsRequest(player=who, currency=currency, page_size=LINES)
            played = await house.call(house.office.ListPlayedRounds, request)
            _listed(ROUNDS, [_round(one) for one in played.rounds], "no rounds were played")

    asyncio.run(shown())


async def _holdings(house: client.House, who: str, currency: str) -> None:
    request = pb.GetPlayerStatementRequest(player=who, currency=currency, page_size=1)
    found = await house.call(house.office.GetPlayerStatement, request)
    total = found.in_wallet + found.at_tables
    typer.echo(
        f"{who} holds {total} {found.header.currency}: {found.in_wallet} in the wallet, {found.at_tables} at tables"
    )


def _limit(one: pb.Limit) -> tuple[str, ...]:
    span = pb.LimitSpan.Name(one.span).removeprefix("LIMIT_SPAN_").lower()
    return (
        pb.LimitKind.Name(one.kind).removeprefix("LIMIT_KIND_").lower(),
        "" if span == "unspecified" else span,
        str(one.amount) if one.HasField("amount") else "",
        stamp(one.until_time) if one.HasField("until_time") else "",
        one.set_by,
    )


def _round(one: pb.PlayedRound) -> tuple[str, ...]:
    return (
        stamp(one.end_time),
        one.table_id,
        str(one.round_number),
        one.game,
        str(one.seat),
        str(one.staked),
        str(one.won),
        str(one.fee),
        "voided" if one.voided else "",
    )


def _listed(headings: tuple[str, ...], rows: list[tuple[str, ...]], empty: str) -> None:
    typer.echo("")
    if rows:
        columns.write(headings, rows)
    else:
        typer.echo(empty)
