"""The pages that list or count the games of the house agree with the catalogue."""

import re
from pathlib import Path

import pytest

from services.rules import catalogue

ROOT = Path(__file__).resolve().parents[1]
COUNTED = {
    "README.md": r"It plays (\d+) games in (\w+) families",
    "docs/README.md": r"how each of the (\d+) games plays",
}
FAMILIES = {6: "six", 7: "seven"}


@pytest.mark.parametrize("page", list(COUNTED))
def test_the_number_of_games_is_that_of_the_catalogue(page: str) -> None:
    """Where a page says how many games there are, it says how many the catalogue has."""
    found = re.search(COUNTED[page], (ROOT / page).read_text(encoding="utf-8"))
    assert found is not None, f"{page} does not count the games"
    assert int(found[1]) == len(catalogue.FILES)
    if len(found.groups()) > 1:
        assert found[2] == FAMILIES[len(catalogue.families())]


def test_the_table_of_families_lists_every_game_once() -> None:
    """Each row of the table in the README holds the games of its family."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"(?m)^\| (\w+) \| ((?:`\w+` ?)+)\|$", text))
    wanted: dict[str, list[str]] = {family: [] for family in catalogue.families()}
    for game in catalogue.games():
        wanted[game.family].append(game.id)
    listed = {family: sorted(re.findall(r"`(\w+)`", row)) for family, row in rows.items() if family in wanted}
    assert listed == {family: sorted(games) for family, games in wanted.items()}


def test_every_game_has_a_section_and_cases() -> None:
    """A sheet has a section for each game, and there are worked cases of it."""
    sheets = "\n".join(sheet.read_text(encoding="utf-8") for sheet in (ROOT / "docs" / "rules").glob("*.md"))
    cases = {path.stem for path in (ROOT / "tests" / "cases").rglob("*.yaml")}
    assert [game for game in catalogue.FILES if f"\n## `{game}` —" not in sheets] == []
    assert [game for game in catalogue.FILES if game not in cases] == []
