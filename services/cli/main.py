"""``pitboss``: commands for operators, auditors and test laboratories."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from services.cli.command_group import AllCommands

app = typer.Typer(
    cls=AllCommands, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__
)

Target = Annotated[str, typer.Option(help="Address of a running house (its dealer), such as 127.0.0.1:7400.")]
Folder = Annotated[Path, typer.Option(help="Where a local house keeps data, secrets and logs.")]


@app.command()
def serve(
    process: Annotated[str, typer.Argument(help="dealer, settlement, audit, witness, players, gateway or web.")],
    family: Annotated[list[str] | None, typer.Option(help="Families that a dealer serves. Default: all.")] = None,
) -> None:
    """Run one process of the house until SIGTERM."""
    from services.cli import serve_command

    raise typer.Exit(serve_command.run(process, family or []))


@app.command()
def migrate() -> None:
    """Upgrade the database at PITBOSS_DATABASE_URL to the newest schema."""
    from services.eventlog import migrate as migration
    from services.runtime import settings

    try:
        migration.upgrade(settings.load().postgres())
    except migration.MigrationError as error:
        raise settings.SettingsRefused(f"PITBOSS_DATABASE_URL: {error}") from None
    typer.echo("the database has the newest schema")


def main() -> None:
    """Run the command line. A mistake of the caller is printed as one line, without a traceback."""
    try:
        app()
    except Exception as error:
        from services.runtime.settings import SettingsRefused

        if not isinstance(error, SettingsRefused):
            raise
        typer.echo(f"pitboss: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
