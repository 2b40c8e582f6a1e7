"""``pitboss privacy …``: erase players' names and texts by two persons, and keep them erased after a restore."""

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from google.protobuf import json_format
from pitboss import client
from pitboss.v1 import privacy_pb2 as pb

from services.cli import backoffice, reach

app = typer.Typer(
    no_args_is_help=True, help="Erase players' names and texts; keep them erased when a backup is restored."
)


def register(top: typer.Typer) -> None:
    """Add the commands."""
    top.add_typer(app, name="privacy")


def _call(folder: Path, name: str, method: str, request: Any) -> Any:
    async def ask() -> Any:
        async with backoffice.operator(folder, name, changes=not method.startswith(("List", "Get"))) as house:
            return await house.call(getattr(house.privacy, method), request)

    return asyncio.run(ask())


def _show(answer: Any) -> None:
    typer.echo(json_format.MessageToJson(answer, indent=2, ensure_ascii=False, preserving_proto_field_name=True))


@app.command()
def erase(
    player: Annotated[str, typer.Argument(help="The player's subject.")],
    reason: Annotated[str, typer.Option(help="Reason. It is stored permanently, so name no person in it.")],
    request_id: Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")] = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Request the erasure of a player's name and texts. A second person approves or rejects it."""
    request = pb.RequestErasureRequest(request_id=request_id or client.request_id(), player=player, reason=reason)
    _show(_call(folder, name, "RequestErasure", request))


@app.command()
def decide(
    erasure: Annotated[str, typer.Argument(help="The erasure's id.")],
    reason: Annotated[str, typer.Option(help="Reason. It is stored permanently, so name no person in it.")],
    approve: Annotated[bool, typer.Option("--approve/--reject", help="Your decision; an approval cannot be undone.")],
    request_id: Annotated[str, typer.Option(help="Id of the first attempt, to retry after a failure.")] = "",
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Approve or reject an erasure that another person requested."""
    request = pb.DecideErasureRequest(
        request_id=request_id or client.request_id(), erasure_id=erasure, approve=approve, reason=reason
    )
    _show(_call(folder, name, "DecideErasure", request))


@app.command()
def erasures(
    pending: Annotated[bool, typer.Option(help="List only those that wait for a decision.")] = False,
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """List erasures."""
    _show(_call(folder, name, "ListErasures", pb.ListErasuresRequest(pending_only=pending, page_size=500)))


@app.command()
def tombstones(
    out: Annotated[Path, typer.Option(help="File to write, one line per key; - for standard output.")] = Path("-"),
    folder: backoffice.Folder = Path("var"),
    name: backoffice.Name = "",
) -> None:
    """Write the list of destroyed keys. Keep the file apart from the database, for the restore of a backup."""
    count, request = 0, pb.ListErasedKeysRequest(page_size=500)
    with reach.opened(out) as file:
        while True:
            page = _call(folder, name, "ListErasedKeys", request)
            for one in page.keys:
                file.write(json_format.MessageToJson(one, indent=None, preserving_proto_field_name=True) + "\n")
            count += len(page.keys)
            if not page.next_page_token:
                break
            request.page_token = page.next_page_token
    typer.echo(f"{count} destroyed keys", err=True)


@app.command()
def reapply(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="File of `pitboss privacy tombstones`.")],
) -> None:
    """Destroy again the keys that a restored database brought back, before any process starts on it.

    Needs PITBOSS_DATABASE_URL with the user that migrates, no running house.
    """
    stones = [_stone(number, line) for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if line]
    done = asyncio.run(_reapply(stones))
    typer.echo(f"{len(stones)} tombstones; {done} restored keys were destroyed again")


def _stone(number: int, line: str) -> pb.ErasedKey:
    try:
        found = json_format.Parse(line, pb.ErasedKey())
    except (json_format.ParseError, json.JSONDecodeError) as error:
        raise typer.BadParameter(f"line {number} is not a tombstone: {error}") from None
    if not found.key_id:
        raise typer.BadParameter(f"line {number} names no key")
    return found


async def _reapply(stones: list[pb.ErasedKey]) -> int:
    import psycopg

    from services.registry import player_keys
    from services.registry.player_keys import Tombstone
    from services.runtime import settings

    done = 0
    async with await psycopg.AsyncConnection.connect(settings.load().postgres(), autocommit=True) as conn:
        for one in stones:
            stone = Tombstone(0, one.key_id, one.player, one.requested_by, one.decided_by, 0)
            done += await player_keys.reapply(conn, stone)
    return done
