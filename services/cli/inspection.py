"""``pitboss table``, ``floor``, ``round`` and ``close``: tables and ended rounds, as staff read them and end them."""

import asyncio
import html
import sys
from pathlib import Path
from typing import Annotated, Final

import grpc
import typer
from google.protobuf import timestamp_pb2
from pitboss import client, parts
from pitboss.v1 import audit_pb2, dealer_pb2, table_pb2

from services.cli import backoffice, columns, reach
from services.cli.command_group import HouseRefuses
from services.rules import catalogue
from services.runtime.reasons import LANGUAGES

SEATS: Final = ("seat", "player", "name", "chips", "staked", "state", "status")
FLOOR: Final = ("table_id", "game", "seats", "house_players", "waiting", "round", "status", "title")
LOOK_SECONDS: Final = 1.0
"""Shortest time between two pictures of a floor that is followed."""

TableId = Annotated[str, typer.Argument(help="The table's id.")]
Language = Annotated[str, typer.Option(help="Language of the words: en, zh-Hant or zh-Hans.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(table)
    app.command()(floor)
    app.command("round")(round_)
    app.command()(close)


def table(
    table_id: TableId,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Show a table as it is now: its seats with chips and stakes, whose turn it is, who waits."""

    async def ask() -> table_pb2.TableView:
        async with backoffice.operator(folder, name) as house:
            return await house.table(table_id)

    for line in headed(view := asyncio.run(ask())):
        typer.echo(line)
    staked = {one.seat: one for one in view.round.seats}
    rows = [
        (
            str(one.seat),
            one.player,
            one.name,
            str(one.chips),
            str(staked[one.seat].staked) if one.seat in staked else "",
            table_pb2.SeatState.Name(one.state).removeprefix("SEAT_STATE_").lower().replace("_", " "),
            staked[one.seat].status if one.seat in staked else "",
        )
        for one in view.seats
    ]
    if rows:
        columns.write(SEATS, rows)
    else:
        typer.echo("nobody sits here")


def headed(view: table_pb2.TableView) -> list[str]:
    """Return what is said of a table before its seats, line by line."""
    one = view.table
    kind = ", a test table" if one.test else ""
    lines = [
        f"{one.table_id}: {catalogue.game(one.game).name.en}, {one.title!r}{kind}",
        f"stake {one.stake} {one.currency}, {_state(one)}, version {one.version}",
    ]
    if view.round.state == table_pb2.ROUND_STATE_RUNNING:
        turn = ", ".join(map(str, view.round.waiting_for)) or "nobody"
        until = f", until {stamp(view.round.deadline_time)}" if view.round.HasField("deadline_time") else ""
        lines.append(f"round {view.round.round_number}: {view.round.phase}; waits for seat {turn}{until}")
    elif view.HasField("start_time"):
        lines.append(f"round {one.round_number + 1} starts at {stamp(view.start_time)}")
    if view.round.pots:
        lines.append(f"pots {', '.join(map(str, view.round.pots))}")
    if view.carried_pot:
        lines.append(f"carried pot {view.carried_pot}")
    if one.waiting:
        lines.append(f"{one.waiting} wait for a seat")
    return lines


def floor(
    follow: Annotated[bool, typer.Option("--follow", help="Show it again after each change, until Ctrl-C.")] = False,
    test: Annotated[bool, typer.Option("--test", help="Include test tables.")] = False,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Show the open tables with somebody at them, those with most players first."""

    async def followed() -> None:
        async with backoffice.operator(folder, name) as house:
            if not follow:
                _show(await house.tables(include_test=test))
                return
            async for lobby in house.watch_lobby(include_test=test):
                typer.echo("\033[H\033[2J", nl=False) if sys.stdout.isatty() else typer.echo()
                _show(list(lobby.tables.values()))
                await asyncio.sleep(LOOK_SECONDS)

    asyncio.run(followed())


def _show(tables: list[table_pb2.TableSummary]) -> None:
    used = sorted(
        (one for one in tables if one.seats_taken or one.waiting), key=lambda one: (-one.seats_taken, one.table_id)
    )
    people = sum(one.seats_taken - one.house_players for one in used)
    typer.echo(f"{len(tables)} open tables, {len(used)} with somebody at them, {people} players")
    if used:
        columns.write(
            FLOOR,
            [
                (
                    one.table_id,
                    one.game,
                    f"{one.seats_taken}/{one.max_seats or 'any'}",
                    str(one.house_players),
                    str(one.waiting),
                    str(one.round_number),
                    _state(one),
                    one.title,
                )
                for one in used
            ],
        )


def _state(one: table_pb2.TableSummary) -> str:
    state = table_pb2.TableState.Name(one.state).removeprefix("TABLE_STATE_").lower().replace("_", " ")
    return f"{state}, switched off" if one.switched_off else state


def stamp(at: timestamp_pb2.Timestamp) -> str:
    """Return a moment in UTC, to the second."""
    return f"{at.ToDatetime():%Y-%m-%d %H:%M:%S} UTC"


def round_(
    table_id: TableId,
    number: Annotated[int, typer.Argument(min=1, help="The number of the round at its table.")],
    language: Language = "en",
    page: Annotated[Path | None, typer.Option("--html", help="Write a page to print to this file.")] = None,
    folder: backoffice.Folder = Path("var"),
) -> None:
    """Print an ended round in words: who sat where, each decision with its time, the pots, what everybody got."""
    if language not in LANGUAGES:
        raise typer.BadParameter(f"{language!r} is not a language of the house; expected one of {', '.join(LANGUAGES)}")
    read = asyncio.run(_read(folder, table_id, number, language))
    if page is None:
        for line in told(read):
            typer.echo(line)
        return
    with reach.opened(page) as file:
        file.write(printable(f"{table_id} · {number}", told(read), language))
    typer.echo(f"wrote {page}", err=True)


async def _read(folder: Path, table_id: str, number: int, language: str) -> audit_pb2.ReadRoundResponse:
    request = audit_pb2.ReadRoundRequest(table_id=table_id, round_number=number, language=language, with_steps=True)
    async with reach.auditor(folder) as (stub, metadata):
        try:
            return await parts.read_round(stub.ReadRound(request, metadata=metadata, timeout=reach.STREAM_SECONDS))
        except grpc.RpcError as error:
            raise reach.said(error) from None


def told(read: audit_pb2.ReadRoundResponse) -> list[str]:
    """Return the lines of a round, each step with its time. Raises HouseRefuses where nothing was read."""
    if not read.steps:
        raise HouseRefuses("NOT_FOUND: the house sent no step of this round")
    lines = []
    for step in read.steps:
        for place, line in enumerate(step.words or [step.type]):
            clock = f"{step.event_time.ToDatetime():%H:%M:%S}" if place == 0 else ""
            lines.append(f"{clock:8}  {line}")
    return lines


def printable(title: str, lines: list[str], language: str) -> str:
    """Return a page with the lines of a round, which loads nothing."""
    body = "\n".join(html.escape(line) for line in lines)
    head = f'<head><meta charset="utf-8"><title>{html.escape(title)}</title></head>'
    page = f"<body><h1>{html.escape(title)}</h1><pre>{body}</pre></body>"
    return f'<!doctype html>\n<html lang="{language}">{head}\n{page}</html>\n'


def close(
    table_id: TableId,
    reason: backoffice.Reason,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Close a table between rounds; every seat is paid out. A running round ends, or is voided, before."""
    request = dealer_pb2.CloseTableRequest(request_id=client.request_id(), table_id=table_id, reason=reason)

    async def done() -> int:
        async with backoffice.operator(folder, name, changes=True) as house:
            return int((await house.call(house.dealer.CloseTable, request)).version)

    typer.echo(f"closed; the table is at version {asyncio.run(done())}")
