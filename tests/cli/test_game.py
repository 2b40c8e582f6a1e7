"""``pitboss game``: rules, house rules and payouts of each game in three languages."""

import pytest
import typer
from typer.testing import CliRunner

from services.cli import game_command
from services.rules import catalogue
from services.runtime.reasons import LANGUAGES
from tests.support import aged

app = typer.Typer()
game_command.register(app)


def printed(*arguments: str) -> str:
    """Return what the command prints."""
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", catalogue.FILES)
def test_a_game_is_described_in_each_language(game_id: str, language: str) -> None:
    """Its name and rules, every house rule with label and meaning, every payout, the greatest win."""
    game = catalogue.game(game_id)
    text = printed(game_id, "--language", language)
    rules = game.rules_type()
    assert game.summary.within(language) in text
    assert game.greatest_win(rules).within(language) in text
    for field in game.fields(rules):
        assert f"\n{field.key} " in text
        assert field.rule.label.within(language) in text
        assert field.rule.help.within(language) in text
    assert all(payout.wins.within(language) in text for payout in game.payouts(rules))


def test_a_version_of_a_game_is_described(aged_house: aged.House) -> None:
    """The newest without a choice, a former one by its number, and those that are kept with each."""
    aged_house(aged.TODAY)
    assert "Version of the rules: 2 (kept: 1, 2)" in printed(aged.SHOWDOWN)
    assert "Version of the rules: 1 (kept: 1, 2)" in printed(aged.SHOWDOWN, "--rules-version", "1")
    done = CliRunner().invoke(app, [aged.SHOWDOWN, "--rules-version", "3"])
    assert done.exit_code == 2
    assert "is not in this house" in done.output


def test_all_games_are_listed() -> None:
    """Without a game its ids and names are listed."""
    lines = printed().splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(catalogue.FILES)


@pytest.mark.parametrize(("arguments", "says"), [(["chess"], "there is no game"), (["war", "--language", "fr"], "fr")])
def test_mistakes_are_named(arguments: list[str], says: str) -> None:
    """An unknown game or language is refused with what would be right."""
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert says in done.output
