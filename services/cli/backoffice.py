"""``pitboss backoffice …``: switches, voids, adjustments and limits, for operators."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf import json_format
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import dealer_pb2

from services.cli import acting, reach
from services.cli.command_group import HouseRefuses
from services.runtime.identity import Role

Folder = Annotated[Path, typer.Option("--folder", help="Folder of the house (pitboss up).")]
Name = Annotated[str, typer.Option("--as", help="Name under which you act. Default: your login.")]
Reason = Annotated[str, typer.Option(help="Reason. It is stored permanently, so name no person in it.")]


@asynccontextmanager
async def operator(folder: Path, name: str, *, changes: bool = False) -> AsyncIterator[client.House]:
    """Connect to a house as an operator; ``changes``: say before what is changed and as whom. Raises HouseRefuses."""
    person = reach.staff(folder, name, Role.OPERATOR)
    found = person.places
    if changes:
        acting.announce(found.settlement, person.who)
    async with client.connect(
        found.families or found.dealers[0], person.token, found.settlement, patience=PATIENCE_SECONDS
    ) as house:
        try:
            yield house
        except client.Refused as refusal:
            raise HouseRefuses(str(refusal)) from None


async def call(house: client.House, method: str, request: Any) -> Any:
    """Call a method of the back office and return its answer."""
    return await house.call(getattr(house.office, method), request)


app = typer.Typer(no_args_is_help=True, help="Operate the house: switches, voids, wallets, limits.")
Player = Annotated[str, typer.Argument(help="The player.")]

PATIENCE_SECONDS = 5.0
"""For so long a command is sent again while the house is away."""
SCOPES = {
    "house": pb.SWITCH_SCOPE_HOUSE,
    "game": pb.SWITCH_SCOPE_GAME,
    "table": pb.SWITCH_SCOPE_TABLE,
    "player": pb.SWITCH_SCOPE_PLAYER,
}
KINDS = {"deposit": pb.LIMIT_KIND_DEPOSIT, "loss": pb.LIMIT_KIND_LOSS, "stake": pb.LIMIT_KIND_STAKE}
SPANS = {"day": pb.LIMIT_SPAN_DAY, "week": pb.LIMIT_SPAN_WEEK, "month": pb.LIMIT_SPAN_MONTH}


def register(top: typer.Typer) -> None:
    """Add the commands."""
    top.add_typer(app, name="backoffice")


def _one_of(given: str, words: dict[str, Any], what: str) -> Any:
    if given not in words:
        raise typer.BadParameter(f"{given!r} is not {what}; expected one of {', '.join(words)}")
    return words[given]


def _call(folder: Path, name: str, method: str, request: Any) -> Any:
    async def ask() -> Any:
        async with operator(folder, name, changes=not method.startswith("List")) as house:
            return await call(house, method, request)

    answer = asyncio.run(ask())
    typer.echo(json_format.MessageToJson(answer, indent=2, ensure_ascii=False, preserving_proto_field_name=True))
    return answer


def _switch(scope: str, subject: str, *, off: bool, reason: str, folder: Path, name: str) -> None:
    number = _one_of(scope, SCOPES, "a scope")
    request = pb.SetSwitchRequest(request_id=client.request_id(), scope=number, subject=subject, off=off, reason=reason)
    _call(folder, name, "SetSwitch", request)


Scope = Annotated[str, typer.Argument(help="house, game, table or player.")]
Subject = Annotated[str, typer.Argument(help="Id of the game, table or player. Omit it for the house.")]


@app.command("off")
def switch_off(
    scope: Scope,
    reason: Reason,
    subject: Subject = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Switch off the house, a game, a table or a player. Running rounds finish, no new ones start."""
    _switch(scope, subject, off=True, reason=reason, folder=folder, name=name)


@app.command("on")
def switch_on(
    scope: Scope,
    reason: Reason,
    subject: Subject = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Switch on the house, a game, a table or a player."""
    _switch(scope, subject, off=False, reason=reason, folder=folder, name=name)


@app.command()
def switches(
    include_on: Annotated[bool, typer.Option("--all", help="Include those that are on again.")] = False,
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """List what is switched off."""
    _call(folder, name, "ListSwitches", pb.ListSwitchesRequest(include_on=include_on, page_size=500))


@app.command()
def void(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    reason: Reason,
    request_id: Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")] = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Void the running or ended, unsettled round of a table. Every seat gets back the chips that it held at its start.

    If much is at risk, a second person must approve it (decide-void).
    """
    request = dealer_pb2.VoidRoundRequest(request_id=request_id or client.request_id(), table_id=table, reason=reason)
    answer = asyncio.run(_at_the_table("VoidRound", request, folder, name))
    if answer.waits_for_second_person:
        typer.echo(f"not voided yet: a second person must approve it (decide-void {table} {answer.void_id})")
    else:
        typer.echo(f"voided; the table is at version {answer.version}")


async def _at_the_table(method: str, request: Any, folder: Path, name: str) -> Any:
    async with operator(folder, name, changes=True) as house:
        return await house.call(getattr(house.dealer, method), request)


@app.command("move-rules")
def move_rules(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    version: Annotated[int, typer.Argument(help="The version of the game's rules; `pitboss game` lists them.")],
    reason: Reason,
    request_id: Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")] = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Move a table to another version of its game's rules, from the next round on. No round may be open."""
    request = dealer_pb2.MoveRulesRequest(
        request_id=request_id or client.request_id(), table_id=table, rules_version=version, reason=reason
    )
    answer = asyncio.run(_at_the_table("MoveRules", request, folder, name))
    was, moved = answer.rules_version_before, answer.rules_version_before != version
    done = f"moved from version {was} to {version}" if moved else f"nothing to do: the table has version {version}"
    typer.echo(f"{done}; the table is at version {answer.version} of its log")


@app.command("decide-void")
def decide_void(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    void_id: Annotated[str, typer.Argument(help="The void's id, as `voids` shows it.")],
    reason: Reason,
    approve: Annotated[bool, typer.Option("--approve/--reject", help="Your decision.")],
    request_id: Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")] = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Approve or reject a void that another person requested."""
    request = dealer_pb2.DecideVoidRequest(
        request_id=request_id or client.request_id(), table_id=table, void_id=void_id, approve=approve, reason=reason
    )
    answer = asyncio.run(_at_the_table("DecideVoid", request, folder, name))
    typer.echo(f"{'voided' if answer.voided else 'rejected'}; the table is at version {answer.version}")


@app.command()
def voids(
    pending: Annotated[bool, typer.Option(help="List only those that wait for a decision.")] = False,
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """List voids that need, or needed, a second person."""
    _call(folder, name, "ListVoids", pb.ListVoidsRequest(pending_only=pending, page_size=500))


@app.command(context_settings={"ignore_unknown_options": True})  # -100 is an amount, not an option
def adjust(
    player: Player,
    amount: Annotated[int, typer.Argument(help="Chips to add to the wallet. Negative: to remove.")],
    reason: Reason,
    currency: Annotated[str, typer.Option(help="Default: the house's own.")] = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Request an adjustment of a wallet. A second person approves or rejects it."""
    request = pb.RequestAdjustmentRequest(
        request_id=client.request_id(), player=player, currency=currency, amount=amount, reason=reason
    )
    _call(folder, name, "RequestAdjustment", request)


@app.command()
def decide(
    adjustment: Annotated[str, typer.Argument(help="The adjustment's id.")],
    reason: Reason,
    approve: Annotated[bool, typer.Option("--approve/--reject", help="Your decision.")],
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Approve or reject an adjustment that another person requested."""
    request = pb.DecideAdjustmentRequest(
        request_id=client.request_id(), adjustment_id=adjustment, approve=approve, reason=reason
    )
    _call(folder, name, "DecideAdjustment", request)


@app.command()
def adjustments(
    pending: Annotated[bool, typer.Option(help="List only those that wait for a decision.")] = False,
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """List adjustments of wallets."""
    _call(folder, name, "ListAdjustments", pb.ListAdjustmentsRequest(pending_only=pending, page_size=500))


@app.command()
def limit(
    player: Player,
    kind: Annotated[str, typer.Argument(help="deposit, loss or stake.")],
    span: Annotated[str, typer.Argument(help="day, week or month.")],
    reason: Reason,
    amount: Annotated[int, typer.Option(min=-1, help="Chips. -1: no limit.")],
    currency: Annotated[str, typer.Option(help="Default: the house's own.")] = "",
    folder: Folder = Path("var"),
    name: Name = "",
) -> None:
    """Set the house's limit of a player. A stricter limit holds at once, a looser one in 24 hours."""
    request = pb.SetLimitRequest(
        request_id=client.request_id(),
        player=player,
        kind=_one_of(kind, KINDS, "a kind"),
        span=_one_of(span, SPANS, "a span"),
        currency=currency,
        reason=reason,
        amount=None if amount < 0 else amount,
    )
    _call(folder, name, "SetLimit", request)


@app.command()
def limits(player: Player, folder: Folder = Path("var"), name: Name = "") -> None:
    """List a player's limits."""
    _call(folder, name, "ListLimits", pb.ListLimitsRequest(player=player, page_size=500))


@app.command()
def rebuild() -> None:
    """Rebuild missing figures of ended rounds from the log. Needs PITBOSS_DATABASE_URL, no running house."""
    typer.echo(f"{asyncio.run(_rebuild())} ended rounds have figures")


async def _rebuild() -> int:
    from services.database import retry
    from services.eventlog import log
    from services.runtime import pools, settings
    from services.settlement import process, round_figures

    ended, after = 0, "00000000-0000-0000-0000-000000000000"
    async with pools.opened(settings.load(), process.ROLE, "rebuild") as pool, pool.connection() as conn:
        while page := await log.heads(conn, after):
            for table, _, _ in page:
                ended += await retry.transaction(pool.connection, partial(round_figures.rebuild, table_id=table))
            after = page[-1][0]
    return ended
