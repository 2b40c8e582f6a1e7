"""Old shapes are read as today's: one golden file for each shape that a stored log may hold."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from services.eventlog import upcast

GOLDEN = Path(__file__).parent / "golden"
SHAPES = sorted(GOLDEN.glob("*.v*.json"))


def _name_of_player(data: dict[str, Any]) -> dict[str, Any]:
    return {**{key: value for key, value in data.items() if key != "name"}, "player": data["name"]}


STEPS: dict[tuple[str, int], upcast.Step] = {
    ("SeatTaken", 1): _name_of_player,
    ("SeatTaken", 2): lambda data: {**data, "currency": "CHIP"},
}


@pytest.mark.parametrize("path", SHAPES, ids=lambda path: path.stem)
def test_every_stored_shape_becomes_todays(path: Path) -> None:
    """An event of each earlier shape is read as the newest one; what was given is left as it was."""
    stored = json.loads(path.read_text())
    before = copy.deepcopy(stored)
    newest = json.loads((GOLDEN / "SeatTaken.v3.json").read_text())
    assert upcast.Upcasts(STEPS).upcast(stored["type"], stored["data"]) == (newest["type"], newest["data"])
    assert stored == before


def test_every_shape_has_a_golden_file() -> None:
    """No version on the way to today's is without a stored example."""
    assert [path.stem for path in SHAPES] == ["SeatTaken.v1", "SeatTaken.v2", "SeatTaken.v3"]
    assert upcast.Upcasts(STEPS).newest("SeatTaken") == "SeatTaken.v3"


def test_an_event_without_steps_is_as_it_is() -> None:
    """A type that never changed is at version 1 and passes unharmed."""
    upcasts = upcast.Upcasts(STEPS)
    assert upcasts.newest("RoundStarted") == "RoundStarted.v1"
    assert upcasts.upcast("RoundStarted.v1", {"a": 1}) == ("RoundStarted.v1", {"a": 1})


@pytest.mark.parametrize("type_", ["SeatTaken", "SeatTaken.v0", "SeatTaken.v", ".v1", "SeatTaken.v01", "SeatTaken.vx"])
def test_a_type_without_a_version_is_refused(type_: str) -> None:
    """What is not a name and a version is said to be none."""
    with pytest.raises(upcast.ShapeError, match="name and a version"):
        upcast.Upcasts(STEPS).upcast(type_, {})


def test_a_newer_shape_is_refused() -> None:
    """An event of a newer house is not guessed at."""
    with pytest.raises(upcast.ShapeError, match="newer version"):
        upcast.Upcasts(STEPS).upcast("SeatTaken.v4", {})


def test_steps_without_a_hole() -> None:
    """A missing step is found when the steps are put together, not when an old event is met."""
    with pytest.raises(upcast.ShapeError, match=r"SeatTaken: no step from version \[1\]"):
        upcast.Upcasts({("SeatTaken", 2): lambda data: data})
