"""Case files and recorded hands against a running house, as laboratories play them."""

import os
from pathlib import Path

import pytest

from services.cli import reach
from services.cli.certify import running
from services.cli.certify.running import Result

ROOT = Path(__file__).resolve().parents[2]
OURS = ROOT / "tests" / "cases"
SHEETS = ROOT.parent / "shared" / "cases"
HANDS = ROOT.parent / "shared" / "hands"
EVERY = int(os.environ.get("PITBOSS_HANDS_EVERY", "60"))


async def test_our_cases_pass_over_grpc(reached: reach.Reach) -> None:
    """Every case of ours comes out over gRPC as it does on the rules alone."""
    assert await _failed([OURS], reached) == []


@pytest.mark.skipif(not SHEETS.is_dir(), reason="the rule sheets' cases do not lie beside this checkout")
async def test_the_sheets_cases_pass_over_grpc(reached: reach.Reach) -> None:
    """Every worked example of the rule sheets comes out over gRPC."""
    assert await _failed([SHEETS], reached) == []


@pytest.mark.skipif(not HANDS.is_dir(), reason="the recorded hands do not lie beside this checkout")
async def test_a_sample_of_recorded_hands_is_reproduced_over_grpc(reached: reach.Reach) -> None:
    """Recorded hands end over gRPC with the recorded stacks, to the chip (PITBOSS_HANDS_EVERY=1 plays them all)."""
    entries = [entry for at, entry in enumerate(running.load([HANDS])) if at % EVERY == 0]
    results: list[Result] = []
    await running.on_house(entries, reached, results.append)
    assert [one for one in results if not one.passed] == []
    assert len(results) == len(entries) > 0


async def _failed(paths: list[Path], reached: reach.Reach) -> list[Result]:
    results: list[Result] = []
    await running.on_house(running.load(paths), reached, results.append)
    assert results, f"there is nothing to play in {paths}"
    return [one for one in results if not one.passed]
