"""``pitboss tables``: the list of tables."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Final

import typer
from pitboss.v1 import table_pb2

from services.cli import backoffice, columns

COLUMNS: Final = ("table_id", "game", "seats", "house_players", "round", "version", "status", "title")
TEXT, LINES = "text", "jsonl"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(tables)


def tables(
    game: Annotated[str, typer.Option(help="List this game only.")] = "",
    closed: Annotated[bool, typer.Option("--all", help="Include closed tables.")] = False,
    test: Annotated[bool, typer.Option("--test", help="Include test tables.")] = False,
    form: Annotated[str, typer.Option("--format", help="text, or jsonl for one JSON object per line.")] = TEXT,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """List the open tables, oldest first: id, game, seats taken, house players, rounds, version, status, title."""
    if form not in (TEXT, LINES):
        raise typer.BadParameter(f"{form!r} is not a format; expected {TEXT} or {LINES}")
    found = [row(one) for one in asyncio.run(_listed(folder, name, game, closed=closed, test=test))]
    if form == LINES:
        for one in found:
            typer.echo(json.dumps(one, ensure_ascii=False))
        return
    if not found:
        typer.echo("no tables; --all includes closed tables, --test includes test tables")
        return
    columns.write(COLUMNS, [tuple(str(value) for value in one.values()) for one in found])


def row(table: table_pb2.TableSummary) -> dict[str, str | int]:
    """Return one line of the list, in the order of ``COLUMNS``."""
    state = table_pb2.TableState.Name(table.state).removeprefix("TABLE_STATE_").lower().replace("_", " ")
    return {
        "table_id": table.table_id,
        "game": table.game,
        "seats": f"{table.seats_taken}/{table.max_seats or 'any'}",
        "house_players": table.house_players,
        "round": table.round_number,
        "version": table.version,
        "status": f"{state}, test" if table.test else state,
        "title": table.title,
    }


async def _listed(folder: Path, name: str, game: str, *, closed: bool, test: bool) -> list[table_pb2.TableSummary]:
    async with backoffice.operator(folder, name) as house:
        return await house.tables(game=game, include_closed=closed, include_test=test)
