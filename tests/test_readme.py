"""The examples of the README agree with each other and with the house."""

import re
from pathlib import Path

import pytest

from services.cli import operate_commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "protos" / "typescript" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEST_PLAYERS = (
    r"pitboss token (\w+)[^\n`]* --test\b",
    r"""\btoken["'], ["'](\w+)["'], ["']--test\b""",
    r"deposit (\w+) \d+ --currency XTS",
)
REAL_PLAYERS = (
    r"pitboss token (\w+)(?![^\n)]* --)",
    r"""\b(?:token|house)\(["'](\w+)["']\)""",
    r"deposit (\w+) \d+(?! --currency XTS)\b",
    r"""\bfor (?:const )?\w+ (?:in|of) [(\[]["'](\w+)["'], ["'](\w+)["'][)\]]""",
)


def players(text: str, patterns: tuple[str, ...]) -> set[str]:
    """Return the names that any of the patterns finds."""
    found = (match.groups() for pattern in patterns for match in re.finditer(pattern, text))
    return {name for names in found for name in names}


def test_no_player_of_the_examples_is_a_test_player_and_a_real_one() -> None:
    """All examples of the pages can be run at one house in any order, for the kind of a player never changes."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    tests, real = players(text, TEST_PLAYERS), players(text, REAL_PLAYERS)
    assert {"ann", "bob"} <= real
    assert tests
    assert not tests & real


@pytest.mark.parametrize(
    "page", [*PAGES[:2], ROOT / "docs" / "README.md"], ids=lambda page: str(page.relative_to(ROOT))
)
def test_no_page_counts_the_games(page: Path) -> None:
    """A number of games would be wrong with the next one."""
    assert re.findall(r"\b\d+ games\b", page.read_text(encoding="utf-8")) == []


def test_the_prefix_of_house_players_is_quoted_in_the_help() -> None:
    """The dot of the prefix does not read as the end of the sentence."""
    source = Path(operate_commands.__file__).read_text(encoding="utf-8")
    assert re.findall(r"(?<!')house-player\.", source) == []
    assert "'house-player.'" in source
