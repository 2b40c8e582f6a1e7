"""``pitboss checkpoint`` stores a signed checkpoint; ``pitboss verify`` checks exports and the house against it."""

from pathlib import Path
from typing import Annotated

import typer

House = Annotated[Path, typer.Option("--folder", help="Folder of the house (pitboss up).")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(checkpoint)
    app.command()(verify)


def checkpoint(
    table: Annotated[list[str] | None, typer.Argument(help="Tables whose newest state is proven in the file.")] = None,
    record: Annotated[
        list[str] | None, typer.Option(help="Record to prove in the file, as KIND:KEY (entries:ID, limits:12 …).")
    ] = None,
    out: Annotated[Path, typer.Option(help="File to write; - for standard output.")] = Path("-"),
    number: Annotated[int, typer.Option(min=0, help="Number of a past checkpoint. 0: sign a new one.")] = 0,
    folder: House = Path("var"),
) -> None:
    """Fetch a signed checkpoint. Keep the file where the house cannot reach it."""
    from services.cli import proofs

    proofs.checkpoint(table or [], record or [], out, number, folder)


def verify(
    files: Annotated[list[Path] | None, typer.Argument(help="Exports (JSON lines), or - for standard input.")] = None,
    kept: Annotated[Path | None, typer.Option("--checkpoint", help="File of pitboss checkpoint.")] = None,
    key: Annotated[str, typer.Option(help="The house's public key in hex, obtained from elsewhere.")] = "",
    witness: Annotated[str, typer.Option(help="Public key in hex of a witness that must have co-signed.")] = "",
    ledger: Annotated[Path | None, typer.Option(help="File of pitboss export-ledger (json).")] = None,
    entry_key: Annotated[
        list[str] | None,
        typer.Option(help="Settlement's public key in hex, which must have signed every ledger entry."),
    ] = None,
    live: Annotated[bool, typer.Option(help="Also check the log of the running house against the checkpoint.")] = False,
    folder: House = Path("var"),
) -> None:
    """Verify chain, deck and decisions of exports offline, without any key of the house. Exit 1 if anything fails.

    With --checkpoint the exports are also checked against the checkpoint, and with --live the running house.
    """
    if live and kept is None:
        raise typer.BadParameter("--live needs --checkpoint FILE")
    if kept is not None and Path("-") in (files or []):
        raise typer.BadParameter("with --checkpoint exports are read twice: name files instead of standard input")
    if not files and kept is None and ledger is None:
        raise typer.BadParameter("name exports, a checkpoint, or both")
    if ledger is not None and not entry_key:
        raise typer.BadParameter("--ledger needs settlement's public key: --entry-key HEX")
    from services.cli import proofs

    passed, failed = proofs.verify(
        files or [], kept, key=key, witness=witness, ledger=ledger, entry_key=entry_key or [], live=live, folder=folder
    )
    typer.echo(f"{passed} passed, {failed} failed")
    raise typer.Exit(1 if failed or not passed else 0)
