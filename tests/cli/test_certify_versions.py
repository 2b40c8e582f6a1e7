"""Cases that name a version of the rules are played by that version."""

from pathlib import Path

import pytest

from services.cli.certify import cases, rules_only
from services.cli.certify.rules_only import Failed
from tests.support import aged

CASE = """
case: aged
game: aged_san_gong
about: bob's nine points beat ann's none, or lose to them, by version
{version}seats: [{{player: ann, chips: 1000}}, {{player: bob, chips: 1000}}]
button: 1
house_rules: {{fee_bps: 0}}
deck: "Ks 9s  Qd Td  Th Jc"
play:
  - {{timeout: true}}
  - {{timeout: true}}
expect: {{winner: [{winner}]}}
"""


@pytest.fixture(autouse=True)
def _today(aged_house: aged.House) -> None:
    """Certify in a house that keeps both versions."""
    aged_house(aged.TODAY)


def play(tmp_path: Path, version: str, winner: str) -> None:
    """Play the case on the rules alone."""
    file = tmp_path / "aged.yaml"
    file.write_text(CASE.format(version=version, winner=winner), encoding="utf-8")
    [case] = cases.load([file])
    rules_only.play(case)


def test_a_case_is_of_the_version_that_it_names(tmp_path: Path) -> None:
    """Without one it is of the newest; the other result of the other version is a difference."""
    play(tmp_path, "rules_version: 1\n", "bob")
    play(tmp_path, "rules_version: 2\n", "ann")
    play(tmp_path, "", "ann")
    with pytest.raises(Failed, match="winner"):
        play(tmp_path, "rules_version: 1\n", "ann")


def test_a_case_of_a_version_that_is_not_kept_fails(tmp_path: Path) -> None:
    """The failure names the version and those that are kept."""
    with pytest.raises(Failed, match="version 3 of 'aged_san_gong' is not in this house; it knows 1, 2"):
        play(tmp_path, "rules_version: 3\n", "ann")
