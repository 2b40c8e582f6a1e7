"""``pitboss backoffice deposit``, ``withdraw`` and ``exclude``: a player's wallet and exclusion."""

import asyncio
import datetime as dt
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from google.protobuf import json_format
from pitboss import client
from pitboss.v1 import back_office_pb2, wallet_pb2

from services.cli import backoffice, report_commands

FOR_EVER: Final = dt.datetime(9999, 12, 31, tzinfo=dt.UTC)

Amount = Annotated[int, typer.Argument(min=1, help="In chips.")]
Currency = Annotated[str, typer.Option(help="Default: the house's own.")]
RequestId = Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")]


def register(_top: typer.Typer) -> None:
    """Add the commands to those of the back office."""
    for command in (deposit, withdraw, exclude):
        backoffice.app.command()(command)


def deposit(
    player: backoffice.Player,
    amount: Amount,
    reason: backoffice.Reason,
    currency: Currency = "",
    request_id: RequestId = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Deposit chips into a player's wallet."""
    request = wallet_pb2.DepositRequest(
        request_id=request_id or client.request_id(), player=player, amount=amount, currency=currency, reason=reason
    )
    _call(folder, name, "wallets", "Deposit", request)


def withdraw(
    player: backoffice.Player,
    amount: Amount,
    reason: backoffice.Reason,
    currency: Currency = "",
    request_id: RequestId = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Withdraw chips from a player's wallet, at most its balance."""
    request = wallet_pb2.WithdrawRequest(
        request_id=request_id or client.request_id(), player=player, amount=amount, currency=currency, reason=reason
    )
    _call(folder, name, "wallets", "Withdraw", request)


def exclude(
    player: backoffice.Player,
    reason: backoffice.Reason,
    until: Annotated[str, typer.Option(help="End, such as 2027-01-31 or 2027-01-31T12:00:00 (UTC).")] = "",
    days: Annotated[int, typer.Option(min=0, max=36_500, help="Days from now.")] = 0,
    for_ever: Annotated[bool, typer.Option("--for-ever", help="Exclude without an end.")] = False,
    lift: Annotated[bool, typer.Option("--lift", help="End the house's exclusion in 24 hours.")] = False,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Exclude a player from deposits and play. A longer exclusion holds at once, a shorter one in 24 hours."""
    if sum(map(bool, (until, days, for_ever, lift))) != 1:
        raise typer.BadParameter("name exactly one of --until, --days, --for-ever and --lift")
    request = back_office_pb2.SetLimitRequest(
        request_id=client.request_id(), player=player, kind=back_office_pb2.LIMIT_KIND_EXCLUSION, reason=reason
    )
    if not lift:
        request.until_time.FromDatetime(_end(until, days))
    _call(folder, name, "office", "SetLimit", request)


def _end(until: str, days: int) -> dt.datetime:
    if days:
        return dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    return report_commands.moment(until) if until else FOR_EVER


def _call(folder: Path, name: str, service: str, method: str, request: Any) -> None:
    async def ask() -> Any:
        async with backoffice.operator(folder, name, changes=True) as house:
            return await house.call(getattr(getattr(house, service), method), request)

    answer = asyncio.run(ask())
    typer.echo(json_format.MessageToJson(answer, indent=2, ensure_ascii=False, preserving_proto_field_name=True))
