"""``pitboss token``, ``secrets`` and ``doctor``: tools to set up a house and to check it."""

from pathlib import Path
from typing import Annotated

import typer

from services.localhouse import secret_set as kept
from services.runtime import settings as runtime_settings
from services.runtime.identity import Caller, Identity, Role


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(token)
    app.command()(secrets)
    app.command()(doctor)


def token(
    subject: Annotated[str, typer.Argument(help="Subject of the token.")],
    role: Annotated[Role, typer.Option(help="Role of the subject.")] = Role.PLAYER,
    name: Annotated[str, typer.Option(help="Name shown at tables.")] = "",
    test: Annotated[bool, typer.Option(help="Make it a test player, who plays at test tables only.")] = False,
    house_player: Annotated[
        bool, typer.Option("--house-player", help="Make it a house player. Its subject begins with 'house-player.'.")
    ] = False,
    hours: Annotated[float, typer.Option(min=0.01, max=24 * 366, help="Hours until the token expires.")] = 12.0,
    folder: Annotated[Path, typer.Option(help="Folder of the house (pitboss up).")] = Path("var"),
) -> None:
    """Make a bearer token, signed with the private key of a local house or of the environment."""
    identity = Identity(runtime_settings.load(**kept.of_tokens(folder / "secrets.json")))
    try:
        caller = Caller(subject=subject, role=role, test=test or house_player, name=name, house_player=house_player)
        made = identity.mint(caller, hours * 3600)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(made)


def secrets() -> None:
    """Print a new set of secrets as environment variables (for an untracked .env). Nothing is stored."""
    for name, value in kept.make().items():
        typer.echo(f"{name}={value}")


def doctor(
    folder: Annotated[Path, typer.Option(help="Folder of a local house, whose secrets are used.")] = Path("var"),
) -> None:
    """Check the settings, servers and keys of a house, and whether its processes answer. Exit 1 if a check fails."""
    from services.cli import doctor as checks

    raise typer.Exit(checks.examine(folder))
