"""``pitboss certify`` and ``simulate``: case files against the rules or a house, and returns of a game."""

import asyncio
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from services.cli import reach
from services.cli.certify import runner
from services.cli.certify.cases import CaseError
from services.cli.certify.runner import Entry, Result
from services.localhouse import local_house


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
    results: list[Result] = []
    bad: list[CaseError] = []

    def tell(result: Result) -> None:
        results.append(result)
        _say(result, as_json=as_json)

    def tell_bad(error: CaseError) -> None:
        bad.append(error)
        typer.echo(f"pitboss certify: {error}", err=True)

    entries: Iterable[Entry] = runner.load(paths, tell_bad)
    if sample:
        entries = (entry for at, entry in enumerate(entries) if at % sample == 0)
    if not rules_only:
        entries = list(entries)  # report faulty files before a house is needed
    if entries:
        _play(entries, tell, target=target, embedded=embedded, rules_only=rules_only, folder=folder)
    failed = sum(not result.passed for result in results)
    unread = f"; {len(bad)} {'file' if len(bad) == 1 else 'files'} could not be read completely" if bad else ""
    typer.echo(f"{len(results) - failed} passed, {failed} failed{unread}")
    raise typer.Exit(2 if bad else 1 if failed or not results else 0)


def _play(
    entries: Iterable[Entry], tell: runner.Tell, *, target: str, embedded: bool, rules_only: bool, folder: Path
) -> None:
    if rules_only:
        runner.on_rules(entries, tell)
        return
    if not embedded:
        asyncio.run(runner.on_house(entries, reach.of_folder(folder, target), tell))
        return
    with tempfile.TemporaryDirectory(prefix="pitboss-certify-") as temporary:
        Path(temporary).chmod(0o711)  # the database's own account must be able to enter
        console = Console(stderr=True)
        with local_house.LocalHouse(Path(temporary) / "var", scripted_decks=True, progress=console.print) as house:
            house.write_down()
            asyncio.run(runner.on_house(entries, reach.of_folder(house.folder), tell))


def _say(result: Result, *, as_json: bool) -> None:
    if as_json:
        shown = {
            "game": result.game,
            "case": result.name,
            "passed": result.passed,
            "difference": result.difference,
            "left_open": result.left_open,
        }
        typer.echo(json.dumps(shown, ensure_ascii=False))
    else:
        typer.echo(f"{'pass' if result.passed else 'FAIL'}  {result.game}  {result.name}")
        for more in (result.difference, result.left_open):
            if more:
                typer.echo(f"      {more}")


def simulate(
    game: Annotated[str, typer.Argument(help="A game of the catalogue.")],
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds to play.")] = 10_000,
    seats: Annotated[int, typer.Option(min=0, help="Seats. 0: the fewest that the game allows.")] = 0,
    chips: Annotated[int, typer.Option(min=1, help="Chips of each seat at the start of each round.")] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the simulation.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Play a game on the rules alone. Report return to player, house edge and hit rates with confidence intervals."""
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
