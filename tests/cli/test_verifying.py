"""``pitboss verify`` and ``verify-deck``: exports checked offline."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.support import audit_rows, sittings


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Return exported rounds."""
    sitting = sittings.random_sitting("tongbi_san_gong", "cli", rounds=2)
    return [json.dumps(document) for document in audit_rows.exported(sitting)]


@pytest.mark.parametrize("command", ["verify", "verify-deck"])
def test_an_honest_export_holds(pitboss: Call, tmp_path: Path, lines: list[str], command: str) -> None:
    """One line a round, a count at the end, exit 0; also from standard input."""
    file = tmp_path / "rounds.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for done in (pitboss(command, file), pitboss(command, "-", given="\n".join(lines))):
        assert done.exit_code == 0, done.output
        assert done.stdout.count("ok    ") == len(lines)
        assert done.stdout.splitlines()[-1] == f"{len(lines)} passed, 0 failed"


@pytest.mark.parametrize(
    ("command", "change"),
    [
        ("verify", ('"seed\\":', '"seen\\":')),
        ("verify", ("bet_multiple", "bet_multiplf")),
        ("verify-deck", ('"house_seed": "', '"house_seed": "00')),
        ("verify", ('"house_commitment": "', '"house_commitment": "0')),
        ("verify-deck", ('"position": 0', '"position": 99')),
    ],
)
def test_a_changed_export_fails_and_is_named(
    pitboss: Call, tmp_path: Path, lines: list[str], command: str, change: tuple[str, str]
) -> None:
    """The round is named with what does not hold; exit 1."""
    text = lines[0].replace(*change)
    if text == lines[0]:
        return
    file = tmp_path / "rounds.jsonl"
    file.write_text(text, encoding="utf-8")
    done = pitboss(command, file)
    assert done.exit_code == 1
    assert "FAIL" in done.stdout
    assert "round 1" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", ["verify", "verify-deck"])
@pytest.mark.parametrize(
    ("text", "exit_code", "says"),
    [
        ("not json", 2, "line 1 is not JSON"),
        ("[1]", 2, "is not an exported round"),
        ("", 2, "is empty; expected exported rounds"),
        ("\n\n", 2, "is empty; expected exported rounds"),
        ('{"a": 1}', 1, "FAIL"),
    ],
)
def test_what_is_no_export_is_said_in_words(
    pitboss: Call, tmp_path: Path, command: str, text: str, exit_code: int, says: str
) -> None:
    """Another file is refused with its line, or found wrong; never with a traceback."""
    file = tmp_path / "odd.jsonl"
    file.write_text(text, encoding="utf-8")
    done = pitboss(command, file)
    assert (done.exit_code, says in done.output) == (exit_code, True), done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_a_missing_file_is_named(pitboss: Call, tmp_path: Path) -> None:
    """Exit 2, with the path."""
    done = pitboss("verify", tmp_path / "none.jsonl")
    assert done.exit_code == 2
    assert "none.jsonl" in done.output


@pytest.mark.parametrize("command", ["verify", "verify-deck"])
def test_an_empty_file_does_not_pass_beside_another(
    pitboss: Call, tmp_path: Path, lines: list[str], command: str
) -> None:
    """What holds in one file says nothing of one that holds nothing."""
    full, empty = tmp_path / "rounds.jsonl", tmp_path / "empty.jsonl"
    full.write_text("\n".join(lines), encoding="utf-8")
    empty.write_text("", encoding="utf-8")
    done = pitboss(command, full, empty)
    assert done.exit_code == 2
    assert "empty.jsonl" in done.output
