"""The reports of ``pitboss certify``: case files and recorded hands, played on the rules or at a house."""

import asyncio
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import typer
from rich.console import Console

from services.cli import reach
from services.cli.certify import runner
from services.cli.certify.cases import CaseError
from services.cli.certify.runner import Entry, Result
from services.localhouse import local_house


def certify(
    paths: list[Path], *, target: str, embedded: bool, rules_only: bool, as_json: bool, folder: Path, sample: int
) -> int:
    """Play and report each case. Return 0, 1 if any failed, 2 if a file is not valid."""
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
    return 2 if bad else 1 if failed or not results else 0


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
