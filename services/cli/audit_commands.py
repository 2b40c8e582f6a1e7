"""``pitboss replay`` and ``verify-deck``: replay of a table, checks of decks."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer
from pitboss.v1 import audit_pb2 as pb

from services.cli import documents, reach
from services.fairness import verify_deck as decks


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(replay)
    app.command("verify-deck")(verify_deck)


def replay(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    first: Annotated[int, typer.Option("--from", min=0, help="First version. 0: the table's opening.")] = 0,
    last: Annotated[int, typer.Option("--to", min=0, help="Last version. 0: the newest.")] = 0,
    folder: reach.House = Path("var"),
) -> None:
    """Replay a table from its log and verify its hash chain. Exit 1 if anything differs."""
    wrong = asyncio.run(_replay(folder, table, first, last))
    raise typer.Exit(1 if wrong else 0)


async def _replay(folder: Path, table: str, first: int, last: int) -> int:
    async with reach.auditor(folder) as (audit, metadata):
        request = pb.ReplayTableRequest(table_id=table, from_version=first, to_version=last)
        told = await reach.call(audit.ReplayTable, request, metadata)
        chain = await reach.call(audit.VerifyStream, pb.VerifyStreamRequest(table_id=table), metadata)
    for one in (*told.mismatches, *chain.mismatches):
        typer.echo(f"{one.kind}  version {one.version}  {one.field}: expected {one.expected or '-'}, found {one.found}")
    typer.echo(
        f"{told.events_read} events, {told.rounds_replayed} rounds replayed,"
        f" {told.rounds_in_progress} in progress,"
        f" {told.rounds_unrevealed} voided without a seed;"
        f" chain of {chain.events_read} events ends with {chain.head_hash[:16]}…"
    )
    return len(told.mismatches) + len(chain.mismatches)


def verify_deck(
    files: Annotated[list[Path], typer.Argument(help="Exported rounds (JSON lines), or - for standard input.")],
) -> None:
    """Verify the decks of exported rounds offline, with Python's standard library alone. Exit 1 if any fails."""
    rounds = wrong = 0
    for document in documents.read(files):
        faults = decks.verify(document)
        rounds += 1
        wrong += bool(faults)
        for fault in faults:
            typer.echo(f"FAIL  round {document.get('round')}  {fault}")
        if not faults:
            test = "" if document["script"] is None else " (a test round in a scripted order)"
            typer.echo(f"ok    round {document['round']}  {len(document['cards'])} cards{test}")
    typer.echo(f"{rounds - wrong} passed, {wrong} failed")
    raise typer.Exit(1 if wrong or not rounds else 0)
