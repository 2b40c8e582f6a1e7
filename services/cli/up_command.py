"""``pitboss up``: the whole house on this machine, and a round of every game."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(up)


def up(
    folder: Annotated[Path, typer.Option(help="Where data, secrets and logs are kept.")] = Path("var"),
    demo: Annotated[bool, typer.Option(help="Play a round of every game and have the auditor replay it.")] = False,
    once: Annotated[bool, typer.Option(help="End after the demo. Exit 1 if anything failed.")] = False,
    dealers: Annotated[int, typer.Option(min=1, max=8, help="Dealer processes, each serving every family.")] = 1,
    scripted_decks: Annotated[bool, typer.Option(help="Accept scripted decks at test tables.")] = False,
    players: Annotated[bool, typer.Option(help="After the demo, have house players play at test tables.")] = True,
    gateway: Annotated[bool, typer.Option(help="Start the gateway: one address for all services and browsers.")] = True,
    page: Annotated[bool, typer.Option(help="Serve the page, and print a link for a guest with test money.")] = True,
    with_console: Annotated[
        bool, typer.Option("--console/--no-console", help="Serve the console of staff, and print a link to sign in.")
    ] = True,
    free_ports: Annotated[
        bool, typer.Option(help="Use free ports instead of 7400, 7410, 7420, 7440, 7450 and 7480.")
    ] = False,
    game: Annotated[list[str] | None, typer.Option(help="Games of the demo. Default: all.")] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Tell every round of the demo in words.")] = False,
    language: Annotated[str, typer.Option(help="Language of the demo: en, zh-Hant, zh-Hans.")] = "en",
) -> None:
    """Start Postgres, Redis and every service, and stay up until Ctrl-C."""
    from services.cli import up_house

    code = up_house.run(
        folder,
        demo=demo,
        once=once,
        dealers=dealers,
        scripted_decks=scripted_decks,
        players=players,
        gateway=gateway,
        page=page,
        with_console=with_console,
        free_ports=free_ports,
        game=game or [],
        verbose=verbose,
        language=language,
    )
    raise typer.Exit(code)
