"""A refusal of the house is printed in one line with exit code 1; wrong usage has exit code 2."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from services.cli import command_group, commands, reach, report_commands
from services.cli.command_group import HouseRefuses
from services.localhouse import embedded, local_house, ports
from services.localhouse.process import HouseError
from tests.cli.conftest import Call


def test_a_refusal_is_no_wrong_usage() -> None:
    """One plain line with the reason, exit code 1; nothing of usage, no traceback."""
    app = typer.Typer(cls=command_group.Commands, pretty_exceptions_enable=False)

    @app.command()
    def refused() -> None:
        raise HouseRefuses("SWITCHED_OFF: the game war is switched off: repairs")

    @app.command()
    def wrong() -> None:
        raise typer.BadParameter("that is no game")

    done = CliRunner().invoke(app, ["refused"])
    assert done.exit_code == 1
    assert done.output == "pitboss: refused: SWITCHED_OFF: the game war is switched off: repairs\n"
    done = CliRunner().invoke(app, ["wrong"])
    assert done.exit_code == 2
    assert "that is no game" in done.output


@pytest.mark.parametrize("name", [name for name, one in report_commands.REPORTS.items() if "player" in one.takes])
def test_a_report_of_a_player_says_that_it_needs_one(pitboss: Call, name: str) -> None:
    """Without ``--player`` the command says what is missing, and asks no house."""
    done = pitboss("report", name)
    assert done.exit_code == 2
    assert "--player" in done.output


@pytest.mark.parametrize("command", [("report", "turnover"), ("export-ledger",)])
@pytest.mark.parametrize(
    ("span", "says"),
    [
        (("--from", "2999-01-01"), "is in the future"),
        (("--from", "2020-01-02", "--to", "2020-01-01"), "is not after"),
        (("--from", "2020-01-01", "--to", "2020-01-01"), "is not after"),
    ],
)
def test_a_span_that_holds_no_moment_is_wrong_usage(
    pitboss: Call, command: tuple[str, ...], span: tuple[str, ...], says: str
) -> None:
    """A span in the future, or one that ends before it begins, is refused without a call to the house."""
    done = pitboss(*command, *span)
    assert done.exit_code == 2
    assert says in " ".join(done.output.replace("│", " ").split())


@pytest.mark.parametrize("opened", [reach.opened, reach.opened_bytes])
@pytest.mark.parametrize("before", [None, "an older export"])
def test_a_file_that_is_not_finished_does_not_appear(tmp_path: Path, opened: Any, before: str | None) -> None:
    """After an error there is no new file, empty or cut short, and an older one is as it was."""
    out = tmp_path / "out"
    if before is not None:
        out.write_text(before)

    def half() -> None:
        with opened(out) as file:
            file.write("half" if opened is reach.opened else b"half")
            raise HouseRefuses("HISTORY_CHANGED: event 20 of this table was changed")

    with pytest.raises(HouseRefuses):
        half()
    assert [one.read_text() for one in tmp_path.iterdir()] == ([] if before is None else [before])
    with opened(out) as file:
        file.write("whole" if opened is reach.opened else b"whole")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["whole"]


@pytest.mark.parametrize(
    "arguments", [("export", "6f1b2c3d-0000-4000-8000-00000000a001"), ("export-ledger",), ("report", "turnover")]
)
def test_a_command_that_fails_leaves_no_file(pitboss: Call, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """An export or report from a folder that holds no house leaves nothing behind."""
    done = pitboss(*arguments, "--folder", tmp_path, "--out", tmp_path / "out")
    assert done.exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_the_option_for_a_format_has_one_name() -> None:
    """Every command that offers formats takes ``--format``, and every other word for it is unknown."""
    app = typer.Typer()
    commands.register(app)
    found = {path: names for path, names in _options(typer.main.get_command(app)) if "format" in "".join(names)}
    assert {"export", "export-ledger", "report", "tables", "templates"} <= set(found)
    assert set(found.values()) == {("--format",)}
    assert not [path for path, names in _options(typer.main.get_command(app)) if "--form" in names]


def _options(command: Any, path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each option of a command and its subcommands, with the path to the command."""
    for one in command.params:
        yield path, tuple(one.opts)
    for name, below in getattr(command, "commands", {}).items():
        yield from _options(below, f"{path} {name}".strip())


def test_exports_say_what_their_bounds_mean(pitboss: Call) -> None:
    """Whether the last round is in the export, and what none means, stands in the help."""
    said = " ".join(pitboss("export", "--help").output.replace("│", " ").split())
    assert "Number of the last round, included. 0: the newest" in said
    assert "Number of the first round. 0: the table's first" in said
    said = " ".join(pitboss("export-ledger", "--help").output.replace("│", " ").split())
    assert "Default: now" in said


def test_a_port_that_is_in_use_names_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``pitboss up`` says which ports are taken, and how to go on, before it starts a server or makes a folder."""
    said: list[str] = []
    for known_by in ("SETTLEMENT", "AUDIT", "DEALER"):
        monkeypatch.setattr(ports, known_by, embedded.free_port())
    house = local_house.LocalHouse(tmp_path / "var", fixed_ports=True, progress=said.append)
    for beyond in (0, ports.METRICS_BEYOND):
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            other.bind(("127.0.0.1", ports.AUDIT + beyond))
            other.listen()
            with pytest.raises(HouseError, match=rf"ports? .*\b{ports.AUDIT + beyond}\b.* in use .* --free-ports"):
                house.start()
    assert said == []
    assert list(tmp_path.iterdir()) == []


def test_the_dealers_of_a_house_elsewhere_are_known_by_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``PITBOSS_DEALER_ADDRESSES`` is where commands find a table's own dealer; a local house goes before it."""
    monkeypatch.setenv("PITBOSS_JWT_SECRET", "x" * 32)
    monkeypatch.setenv("PITBOSS_DEALER_ADDRESSES", '{"poker": "dealers:7401", "banker": "dealers:7402"}')
    found = reach.of_folder(tmp_path)
    assert found.families == {"poker": "dealers:7401", "banker": "dealers:7402"}
    assert found.dealers == ("dealers:7401", "dealers:7402")
    (tmp_path / "house.json").write_text('{"dealer": "127.0.0.1:7400"}', encoding="utf-8")
    found = reach.of_folder(tmp_path)
    assert (found.families, found.dealers) == ({}, ("127.0.0.1:7400",))
