"""Case files and recorded hands against a running house, as a laboratory plays them."""

import os
from pathlib import Path

import pytest
from pitboss import client

from services.cli import reach
from services.cli.certify import runner
from services.cli.certify.runner import Result
from services.cli.command_group import HouseRefuses
from services.localhouse import local_house
from services.runtime.identity import Role

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
HANDS = ROOT / "tests" / "hands"
EVERY = int(os.environ.get("PITBOSS_HANDS_EVERY", "60"))


async def test_every_case_passes_over_grpc(reached: reach.Reach) -> None:
    """Every case has the same result over gRPC as on the rules alone."""
    assert await _failed([CASES], reached) == []


async def test_a_sample_of_recorded_hands_is_reproduced_over_grpc(reached: reach.Reach) -> None:
    """Recorded hands end over gRPC with the recorded stacks, to the chip (PITBOSS_HANDS_EVERY=1 plays them all)."""
    entries = [entry for at, entry in enumerate(runner.load([HANDS])) if at % EVERY == 0]
    results: list[Result] = []
    await runner.on_house(entries, reached, results.append)
    assert [one for one in results if not one.passed or one.left_open] == []
    assert len(results) == len(entries) > 0


WRONG = """
case: {name}
game: tongbi_san_gong
seats: [{{player: ann, chips: 500}}, {{player: bob, chips: 500}}]
deck: "Kd Kc  6h 5s  3s 4s"
play: [{play}]
{expect}
"""


async def test_no_case_leaves_a_table_open(reached: reach.Reach, tmp_path: Path) -> None:
    """The table of a case is closed after it, also if it fails, is refused or stops in mid-round."""
    told = {
        "wrong": ("{timeout: true}", "expect: {net: {ann: 1}}"),
        "unfinished": ("", "expect: {net: {ann: 1}}"),
        "in mid-round": ("", "expect_state: {}"),
        "refused": ("{seat: 0, do: fold}", "expect: {}"),
        "strange": ("{seat: 0, do: no_such_word}", "expect: {}"),
    }
    for name, (play, expect) in told.items():
        (tmp_path / f"{name}.yaml").write_text(WRONG.format(name=name, play=play, expect=expect), encoding="utf-8")
    deck = WRONG.replace("Kd Kc", "Kd Kd").format(name="deck", play="", expect="expect: {}")
    (tmp_path / "deck.yaml").write_text(deck, encoding="utf-8")
    dealt: list[Result] = []
    before = await _open(reached)
    await runner.on_house(runner.load([tmp_path]), reached, dealt.append)
    assert {one.name for one in dealt if one.passed} == {"in mid-round"}
    assert len(dealt) == len(told) + 1
    assert {one.left_open for one in dealt} == {""}
    assert await _open(reached) <= before


async def test_a_house_without_scripted_decks_says_so_once(tmp_path: Path, postgres_url: str, redis_url: str) -> None:
    """There is one refusal before the first case: no result for each case, and no table is left behind."""
    (tmp_path / "a.yaml").write_text(WRONG.format(name="a", play="", expect="expect: {}"), encoding="utf-8")
    with local_house.LocalHouse(tmp_path / "house", database_url=postgres_url, redis_url=redis_url) as plain:
        plain.write_down()
        reached = reach.of_folder(plain.folder)
        before = await _open(reached)
        told: list[Result] = []
        with pytest.raises(HouseRefuses, match=r"SCRIPTED_DECKS_OFF.*--scripted-decks"):
            await runner.on_house(runner.load([tmp_path / "a.yaml"] * 3), reached, told.append)
        assert told == []
        assert await _open(reached) <= before


async def _open(reached: reach.Reach) -> set[str]:
    """Return the ids of all tables that are open."""
    async with client.connect(reached.dealers[0], reached.token("boss", Role.OPERATOR)) as operator:
        return {table.table_id for table in await operator.tables(include_test=True)}


async def _failed(paths: list[Path], reached: reach.Reach) -> list[Result]:
    results: list[Result] = []
    await runner.on_house(runner.load(paths), reached, results.append)
    assert results, f"there is nothing to play in {paths}"
    return [one for one in results if not one.passed or one.left_open]
