"""docs/adding-a-game.md and the code agree: on what has to be registered, on one game of each family, on a new game.

The game that the page adds is a game: in the catalogue, played, certified by its case, replayed.
"""

import functools
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.cli.certify import cases, rules_only
from services.rules import catalogue
from services.rules.game import Game
from services.table.replay import Replay
from tests.support import sittings

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
LOOKED_THROUGH = ("services", "docs", "deploy", "protos")
"""Folders in which no file but those that the page names lists the games of a family."""
ID = "high_three"
MODULE = f"services.rules.showdown.{ID}"


def block(language: str) -> str:
    """Return the page's block of a language."""
    [found] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """Put the game into the catalogue for one test, by the line that the page gives."""
    module = types.ModuleType(MODULE)
    monkeypatch.setitem(sys.modules, MODULE, module)
    exec(compile(block("python"), f"{ID}.py", "exec"), module.__dict__)
    [line] = re.findall(rf'^    "({ID})": "(.*)",$', PAGE, re.MULTILINE)
    monkeypatch.setitem(catalogue.FILES, *line)
    catalogue.game.cache_clear()
    yield catalogue.game(ID)
    catalogue.game.cache_clear()


def test_the_case_comes_out_as_written(added: Game, tmp_path: Path) -> None:
    """The page's case is played on the page's rules."""
    file = tmp_path / f"{ID}.yaml"
    file.write_text(block("yaml"), encoding="utf-8")
    [case] = cases.load([file])
    assert case.game == added.id
    rules_only.play(case)


def test_its_rules_are_sound_and_told_in_three_languages(added: Game) -> None:
    """House rules without faults, a payout for each category, texts in English and both Chinese scripts."""
    rules = added.rules_type()
    assert added.faults(rules) == []
    assert [payout.bet for payout in added.payouts(rules)] == ["triple", "pair", "high"]
    texts = [term.text for term in catalogue.vocabulary(added)]
    for text in (added.name, added.summary, *texts, *(payout.wins for payout in added.payouts(rules))):
        assert all((text.en, text.zh_hant, text.zh_hans))


def test_its_rounds_are_decided_again_to_the_byte(added: Game) -> None:
    """Rounds played by chance at a table, replayed from their log without a difference."""
    sitting = sittings.random_sitting(added.id, "added", rounds=2)
    again = Replay(sitting.table_id, sitting.opener, compare=True)
    for version, (event, text) in enumerate(zip(sitting.log, sittings.texts(sitting.log), strict=True), start=1):
        again.take(version, event, text)
    assert again.differences == []
    assert again.rounds >= 1


def section(title: str) -> str:
    """Return the page's text below a heading of the second level."""
    [found] = re.findall(rf"^## {title}\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def rows(title: str) -> list[list[str]]:
    """Return the cells of each row of the table below a heading, its head left out."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def of_family(family: str) -> set[str]:
    """Return the ids of a family's games."""
    return {game.id for game in catalogue.games() if game.family == family}


@functools.cache
def read_files(pattern: str) -> dict[Path, str]:
    """Return the texts of the files whose paths match a pattern."""
    return {path: path.read_text(encoding="utf-8") for path in ROOT.glob(pattern)}


def listing() -> dict[str, set[str]]:
    """Return the files that name every game of a family, or of all families, with what they name so."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "README.md", *(file for folder in LOOKED_THROUGH for file in (ROOT / folder).rglob("*"))):
        if path.suffix not in {".py", ".md", ".yml", ".yaml", ".toml", ".proto", ".ts"} or "node_modules" in path.parts:
            continue
        words = set(re.findall(r"(?<![\w./])[a-z]\w*(?![\w/])", path.read_text(encoding="utf-8")))
        named = {family for family in catalogue.families() if of_family(family) <= words}
        if named:
            found[path.relative_to(ROOT).as_posix()] = named
    return found


def test_the_page_names_every_list_of_games() -> None:
    """Whatever names all games of a family stands in the page's table, and what stands there names all games."""
    told = {place.strip("`"): names for place, names, _ in rows("Where a game is named")}
    sheets = told.pop("docs/rules/FAMILY.md")
    assert sheets == "the games of a family"
    assert set(told.values()) == {"every game"}
    found = {place: named for place, named in listing().items() if not place.startswith("docs/rules/")}
    assert found == {place: set(catalogue.families()) for place in told}


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_a_game_is_wherever_the_page_says(game: str) -> None:
    """Each game has its file, a section in a sheet, and worked cases in a file of its name."""
    assert (ROOT / f"services/rules/{catalogue.FILES[game].replace('.', '/')}.py").is_file()
    assert any(f"\n## `{game}` —" in sheet for sheet in read_files("docs/rules/*.md").values())
    worked = read_files("tests/cases/**/*.yaml")
    assert any(re.search(rf"^game: {game}$", text, re.MULTILINE) for text in worked.values())
    assert game in {path.stem for path in worked}


@pytest.mark.parametrize("family", catalogue.families())
def test_the_readme_lists_the_games_of_a_family(family: str) -> None:
    """One row of its table has each game of the family once, and nothing else."""
    [row] = re.findall(rf"^\| {family} \| (.*) \|$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(row.split()) == sorted(f"`{game}`" for game in of_family(family))


def test_every_place_of_the_order_of_work_exists() -> None:
    """Each path in the steps exists, for the game of each family that the page goes through."""
    games = {family.strip("`"): game.strip("`") for family, game, _ in rows("One game of each family")}
    paths = {
        path for _, *cells in rows("The order of work") for cell in cells for path in re.findall(r"`(\S+/\S*)`", cell)
    }
    assert len(paths) > 10
    for family, game in games.items():
        missing = [path for path in paths if not (ROOT / path.replace("FAMILY", family).replace("ID", game)).exists()]
        assert missing == [], f"{family}: {missing}"


def test_one_game_of_each_family_has_the_phases_that_the_page_prints() -> None:
    """The page goes through one game of each family, and the row of phases that it prints is in the game's file."""
    walked = rows("One game of each family")
    assert [row[0].strip("`") for row in walked] == ["poker", "showdown", "banker", "tricks", "climbing", "survival"]
    for family, game, phases in walked:
        entry = catalogue.game(game.strip("`"))
        assert entry.family == family.strip("`")
        source = (ROOT / f"services/rules/{catalogue.FILES[entry.id].replace('.', '/')}.py").read_text(encoding="utf-8")
        assert "".join(phases.strip("`").split()) in "".join(source.split()), f"{entry.id} is another row of phases"
