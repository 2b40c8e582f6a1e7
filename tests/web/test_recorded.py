"""The recorded views from which the table's pictures and tests in a browser are made."""

import pytest

from services.rules import catalogue
from tests.web import recorded


@pytest.mark.parametrize("game", [entry.id for entry in catalogue.games()])
def test_a_recorded_round_has_a_turn_of_the_viewer_and_an_end(game: str) -> None:
    """Every game is recorded with a moment at which the viewer has options, and with a settled end."""
    steps = recorded.recorded(catalogue.game(game))
    rounds = [step["view"].get("round", {}) for step in steps]
    assert any(found.get("options") for found in rounds) or not any(found.get("waitingFor") for found in rounds)
    assert any(
        found.get("state") == "ROUND_STATE_ENDED" and "lastResult" in step["view"]
        for found, step in zip(rounds, steps, strict=True)
    )
