"""Samples for a laboratory, as the command writes them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from services.cli import main, samples_command
from services.fairness import samples
from services.rules import cards

SEED = "5a" * 32


@pytest.fixture(scope="module", autouse=True)
def _registered() -> None:
    """Run the command from the command line."""
    if not any(
        one.name == "samples" or one.callback is samples_command.samples for one in main.app.registered_commands
    ):
        samples_command.register(main.app)


def written(out: Path, *arguments: str) -> bytes:
    """Run the command and read its file."""
    done = CliRunner().invoke(main.app, ["samples", *arguments, "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out.read_bytes()


def test_files_hold_what_the_dealing_functions_give(tmp_path: Path) -> None:
    """Raw bytes, shuffles, numbers and dice of a given seed are those of the functions that deal."""
    seed, out = bytes.fromhex(SEED), tmp_path / "sample"
    assert written(out, "raw", "100000", "--seed", SEED) == b"".join(samples.raw(seed, 100_000))
    shuffles = written(out, "shuffles", "20", "--pack", "54", "--seed", SEED).decode().splitlines()
    assert shuffles == list(samples.shuffles(seed, cards.PACK_54, 20))
    numbers = written(out, "numbers", "10", "--bound", "9", "--each", "7", "--seed", SEED).decode().splitlines()
    assert numbers == list(samples.numbers(seed, 9, 10, 7))
    dice = written(out, "dice", "10", "--each", "3", "--seed", SEED).decode().splitlines()
    assert dice == list(samples.throws(seed, 3, 10))


def test_without_a_seed_each_sample_is_another_one(tmp_path: Path) -> None:
    """The random seed is printed, differs each time, and repeats its sample when it is passed in."""
    out = tmp_path / "sample"
    done = CliRunner().invoke(main.app, ["samples", "raw", "64", "--out", str(out)])
    told = next(line.split()[1] for line in done.output.splitlines() if line.startswith("seed "))
    first = out.read_bytes()
    assert written(out, "raw", "64", "--seed", told) == first
    assert written(out, "raw", "64") != first


def test_a_wrong_seed_is_refused_in_words(tmp_path: Path) -> None:
    """A seed that is too short or no hexadecimal text."""
    for wrong in ("5a", "xyz"):
        done = CliRunner().invoke(main.app, ["samples", "raw", "64", "--seed", wrong, "--out", str(tmp_path / "x")])
        assert (done.exit_code, "64 hexadecimal digits" in done.output) == (2, True)
