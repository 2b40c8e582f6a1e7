"""``pitboss certify`` and ``simulate``: case files against the rules or a house, and returns of a game."""

import json
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(certify)
    app.command()(simulate)


def certify(
    paths: Annotated[
        list[Path], typer.Argument(help="Case files (*.yaml), recorded hands (*.jsonl), folders of both.")
    ],
    target: Annotated[str, typer.Option(help="Address of a running house with scripted decks.")] = "",
    embedded: Annotated[bool, typer.Option(help="Start a temporary house.")] = False,
    rules_only: Annotated[bool, typer.Option(help="Use the rules alone, without a server.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per case.")] = False,
    folder: Annotated[Path, typer.Option(help="Folder of the running house (pitboss up).")] = Path("var"),
    sample: Annotated[int, typer.Option(min=0, help="Play only every N-th case or hand. 0: all.")] = 0,
) -> None:
    """Play case files and recorded hands, and report each. Exit 1 if any failed, 2 if a file is not valid."""
    if (target and (embedded or rules_only)) or (embedded and rules_only):
        raise typer.BadParameter("choose one of --target, --embedded and --rules-only")
    from services.cli import certify_report

    code = certify_report.certify(
        paths,
        target=target,
        embedded=embedded,
        rules_only=rules_only,
        as_json=as_json,
        folder=folder,
        sample=sample,
    )
    raise typer.Exit(code)


def simulate(
    game: Annotated[str, typer.Argument(help="A game of the catalogue.")],
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds to play.")] = 10_000,
    seats: Annotated[int, typer.Option(min=0, help="Seats. 0: the fewest that the game allows.")] = 0,
    chips: Annotated[int, typer.Option(min=1, help="Chips of each seat at the start of each round.")] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the simulation.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play a game on the rules alone. Report return to player, house edge and hit rates with confidence intervals."""
    from rich.console import Console
    from rich.table import Table

    from services.cli import simulate_command

    report = simulate_command.run(game, rounds, seats, chips, seed)
    if as_json:
        typer.echo(json.dumps(report))
        return
    table = Table(title=f"{game}: {report['rounds']} rounds", caption=report["note"])
    for heading in ("bet", "bets", "staked", "RTP", "95 % from", "to", "edge", "hits"):
        table.add_column(heading, justify="left" if heading == "bet" else "right", no_wrap=True)
    for line in report["bets"]:
        shares = ("-" if line[key] is None else f"{line[key]:.1%}" for key in ("rtp", "low", "high", "edge", "hits"))
        table.add_row(str(line["bet"]), f"{line['bets']:,}", f"{line['staked']:,}", *shares)
    Console().print(table)
