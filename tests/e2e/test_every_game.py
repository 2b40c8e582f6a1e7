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
    assert "replayed byte for byte" in said.getvalue()
