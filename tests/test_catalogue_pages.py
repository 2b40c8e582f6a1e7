"""The pages that list the games of the house agree with the catalogue."""

import re
from pathlib import Path

from services.rules import catalogue

ROOT = Path(__file__).resolve().parents[1]


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
