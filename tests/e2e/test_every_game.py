"""A round of every game over gRPC, and its replay by the auditor."""

import io

import pytest
from rich.console import Console

from services.cli import demo, reach
from services.rules import catalogue


@pytest.mark.parametrize("game", list(catalogue.FILES))
async def test_a_round_of_every_game_is_played_and_replayed(game: str, reached: reach.Reach) -> None:
    """Players who choose at random among their options end a round, and the auditor replays it byte for byte."""
    said = io.StringIO()
    show = demo.Demo(reached, Console(file=said, width=200))
    try:
        shown = await show.play_all((game,))
    finally:
        await show.close()
    assert [one.fault for one in shown] == [""], said.getvalue()
    assert shown[0].events > 0
    assert said.getvalue().count("\n") == 1


@pytest.mark.parametrize("fault", ["", "it was not paid"])
def test_the_columns_of_the_demo_hold_every_game(fault: str) -> None:
    """What follows the id stands in the same column for all games."""
    lines = [demo.line(demo.Shown(game, "table", fault)) for game in catalogue.FILES]
    assert len({line.index(fault or "played") for line in lines}) == 1


async def test_rounds_are_told_in_words_on_request(reached: reach.Reach) -> None:
    """With ``verbose`` the round stands above its line, as the auditor reads it, in the language that was asked for."""
    said = io.StringIO()
    show = demo.Demo(reached, Console(file=said, width=200), "zh-Hant", verbose=True)
    try:
        await show.play_all(("tongbi_san_gong",))
    finally:
        await show.close()
    lines = said.getvalue().splitlines()
    assert len(lines) > 10
    assert "✓ tongbi_san_gong" in lines[-1]
    assert "通比三公" in said.getvalue() or "局" in said.getvalue()
