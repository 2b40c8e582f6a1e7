"""``pitboss export`` and ``export-ledger``: rounds and entries as JSON lines or as tables, streamed to a file."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from google.protobuf import timestamp_pb2
from pitboss import parts
from pitboss.v1 import audit_pb2 as pb

from services.cli import reach, report_commands
from services.runtime.csv_table import CsvTable

JSON, CSV = "json", "csv"
FLUSH_EVERY = 1000


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(export)
    app.command("export-ledger")(export_ledger)


def export(
    table: Annotated[str, typer.Argument(help="The table's id.")],
    out: Annotated[Path, typer.Option(help="File to write; - for standard output.")] = Path("-"),
    first: Annotated[int, typer.Option("--from", min=0, help="Number of the first round. 0: the table's first.")] = 0,
    last: Annotated[
        int,
        typer.Option("--to", min=0, help="Number of the last round, included. 0: the newest (at most 100000 rounds)."),
    ] = 0,
    form: Annotated[
        str, typer.Option("--format", help="json or csv; for poker also phh, ohh (Open Hand History).")
    ] = JSON,
    folder: reach.House = Path("var"),
) -> None:
    """Write a table's ended rounds as JSON lines, CSV or hand histories. Each JSON line can be verified by itself.

    Exit 1 if there is no such round. The file appears whole, or not at all.
    """
    from services.audit.handhistory import round_reader

    forms = (JSON, CSV, *round_reader.FORMS)
    if form not in forms:
        raise typer.BadParameter(f"{form!r} is not a format; expected one of {', '.join(forms)}")
    request = pb.ExportRoundsRequest(table_id=table, from_round=first, to_round=last)
    asyncio.run(_rounds(folder, request, form, out))


async def _rounds(folder: Path, request: pb.ExportRoundsRequest, form: str, out: Path) -> None:
    from services.audit import documents
    from services.audit.handhistory import round_reader
    from services.audit.handhistory.record import NotExportable

    count = 0
    with reach.opened(out) as file, reach.progress() as progress:
        task = progress.add_task("exporting")
        table = CsvTable(file)
        if form == CSV:
            table.row(documents.COLUMNS)
        async for number, line in parts.exported_lines(_streamed(folder, "ExportRounds", request)):
            try:
                if form == CSV:
                    table.rows(documents.rows(json.loads(line)))
                else:
                    file.write((line if form == JSON else round_reader.rewrite(line, form)) + "\n")
                count += 1
            except NotExportable as reason:
                typer.echo(f"round {number} left out: {reason}", err=True)
            progress.update(task, description=f"round {number}")
        if not count:
            typer.echo("nothing was exported: no such round of this table has ended", err=True)
            raise typer.Exit(1)
    typer.echo(f"{count} rounds", err=True)


def export_ledger(
    out: Annotated[Path, typer.Option(help="File to write; - for standard output.")] = Path("-"),
    start: Annotated[dt.datetime | None, typer.Option("--from", help="Begin, included, UTC. Default: all.")] = None,
    end: Annotated[dt.datetime | None, typer.Option("--to", help="End, not included, UTC. Default: now.")] = None,
    form: Annotated[str, typer.Option("--format", help="json: a line for each entry; csv: a row for each leg.")] = JSON,
    folder: reach.House = Path("var"),
) -> None:
    """Write the ledger's entries with their legs, in chronological order."""
    if form not in {JSON, CSV}:
        raise typer.BadParameter(f"{form!r} is not a format; expected json or csv")
    report_commands.require(start, end)
    request = pb.ExportLedgerRequest(from_time=_moment(start), to_time=_moment(end))
    asyncio.run(_ledger(folder, request, form, out))


async def _ledger(folder: Path, request: pb.ExportLedgerRequest, form: str, out: Path) -> None:
    from services.audit import ledgers

    entries = legs = 0
    with reach.opened(out) as file, reach.progress() as progress:
        task = progress.add_task("exporting")
        table = CsvTable(file)
        if form == CSV:
            table.row(ledgers.COLUMNS)
        async for answer in _streamed(folder, "ExportLedger", request):
            rows = ledgers.rows(answer.line)
            entries, legs = entries + 1, legs + len(rows)
            if form == CSV:
                table.rows(rows)
            else:
                file.write(answer.line + "\n")
            if entries % FLUSH_EVERY == 0:
                when = answer.entry_time.ToDatetime().isoformat(timespec="seconds")
                progress.update(task, description=f"{entries} entries, up to {when}")
    typer.echo(f"{entries} entries, {legs} legs", err=True)


async def _streamed(folder: Path, method: str, request: Any) -> AsyncIterator[Any]:
    async with reach.auditor(folder) as (audit, metadata):
        try:
            async for answer in getattr(audit, method)(request, metadata=metadata, timeout=reach.STREAM_SECONDS):
                yield answer
        except grpc.RpcError as error:
            raise reach.said(error) from None


def _moment(given: dt.datetime | None) -> timestamp_pb2.Timestamp | None:
    if given is None:
        return None
    made = timestamp_pb2.Timestamp()
    made.FromDatetime(given)
    return made
