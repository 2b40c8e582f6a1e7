"""The game that docs/adding-a-game.md adds is a game: in the catalogue, played, certified by its case, replayed."""

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

PAGE = (Path(__file__).parents[1] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
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
