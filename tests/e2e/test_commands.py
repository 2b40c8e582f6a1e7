"""Commands that read a running house: the list of tables, and messages of refusals."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from services.cli import commands, main
from services.localhouse.local_house import LocalHouse
from tests.support.people import Crowd


@pytest.fixture(scope="module")
def runner() -> CliRunner:
    """Return a function that runs the command line in this process."""
    if not any(group.name == "backoffice" for group in main.app.registered_groups):
        commands.register(main.app)
    return CliRunner()


async def run(runner: CliRunner, house: LocalHouse, *arguments: str) -> tuple[int, str]:
    """Run a command; return exit code and output."""
    whole = [*arguments, "--folder", str(house.folder)]
    done: Any = await asyncio.to_thread(runner.invoke, main.app, whole)
    assert done.exception is None or isinstance(done.exception, SystemExit), repr(done.exception)
    return int(done.exit_code), str(done.output)


async def test_the_tables_of_a_house_are_listed(runner: CliRunner, house: LocalHouse, crowd: Crowd) -> None:
    """The list shows id, game, seats, round, version and status; closed and test tables only on request."""
    open_id, players = await crowd.table("texas_holdem", ("Ann", "Bob"), title="Green table")
    await players[0].house.start_round(open_id)
    test_id, _ = await crowd.table("war", ("Cid", "Dan"), test=True)
    version = (await players[0].house.table(open_id)).version
    code, said = await run(runner, house, "tables", "--game", "texas_holdem", "--as", "olga")
    assert code == 0, said
    heading, *lines = said.splitlines()
    assert heading.split() == ["table_id", "game", "seats", "house_players", "round", "version", "status", "title"]
    [line] = [line for line in lines if line.startswith(open_id)]
    expected = [open_id, "texas_holdem", "2/10", "0", "1", str(version), "in round", "Green table"]
    assert [part.strip() for part in line.split("  ") if part.strip()] == expected
    assert test_id not in said
    code, said = await run(runner, house, "tables", "--test", "--format", "jsonl")
    listed = {one["table_id"]: one for one in map(json.loads, said.splitlines())}
    assert listed[test_id]["status"] == "open, test"
    assert listed[open_id]["version"] == version
    assert (await run(runner, house, "tables", "--format", "xml"))[0] == 2


async def test_what_the_house_refuses_is_said_in_a_line(runner: CliRunner, house: LocalHouse, tmp_path: Path) -> None:
    """A refusal of any service is printed with its reason, and the exit code is 1."""
    nowhere = "6f1b2c3d-0000-4000-8000-00000000a001"
    for arguments in (
        ("replay", nowhere),
        ("tables", "--game", "zzz"),
        ("export", "no-table", "--out", str(tmp_path / "rounds.jsonl")),
        ("backoffice", "void", nowhere, "--reason", "a test"),
        ("backoffice", "off", "table", "no table", "--reason", "a test"),
    ):
        code, said = await run(runner, house, *arguments)
        assert code == 1, (arguments, said)
        assert said.splitlines()[-1].startswith("pitboss: refused: "), said
        # What changes the house says before where and as whom.
        assert len(said.splitlines()) == 1 + (arguments[0] == "backoffice"), said


async def test_empty_spans_of_a_table_do_not_pass(
    runner: CliRunner, house: LocalHouse, crowd: Crowd, tmp_path: Path
) -> None:
    """A replay of missing versions and an export of missing rounds exit with 1 and a message."""
    table_id, _ = await crowd.table("texas_holdem", ("Ann", "Bob"))
    out = ("--out", str(tmp_path / "rounds.jsonl"))
    for arguments, says in (
        (("replay", table_id, "--from", "9", "--to", "2"), "is before from_version"),
        (("replay", table_id, "--from", "99"), "is not written yet"),
        (("export", table_id, *out), "no such round of this table has ended"),
        (("export", table_id, "--from", "1", *out), "there is no round 1"),
    ):
        code, said = await run(runner, house, *arguments)
        assert code == 1, (arguments, said)
        assert says in said
