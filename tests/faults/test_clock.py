"""A process whose machine has a wrong clock: nobody's time ends early, and it says what is wrong."""

import asyncio
import signal
from pathlib import Path

import pytest

from services.localhouse.process import Member
from services.table import events
from tests.faults import breaking, floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
from tests.support import waits
from tests.support.people import Crowd, refused

SKEW = """
import time

_wall, _wall_ns = time.time, time.time_ns
time.time = lambda: _wall() + {seconds}
time.time_ns = lambda: _wall_ns() + {seconds} * 1_000_000_000
"""
SLOW = {"turn_seconds": 20, "bet_seconds": 20, "claim_seconds": 20}


async def skew(house: Broken, member: Member, folder: Path, seconds: int, **more: str) -> None:
    """Start a process again on a machine whose clock is off by so many seconds."""
    (folder / "sitecustomize.py").write_text(SKEW.format(seconds=seconds), encoding="utf-8")
    house.signal(member, signal.SIGTERM)
    await asyncio.to_thread(member.wait_ended, 30.0)
    house.revive(member, {"PYTHONPATH": str(folder), **more})
    await house.until_up(member)


async def passed(house: Broken, table: Played) -> list[events.Event]:
    """Return the deadlines that passed at a table."""
    return [one for one in await house.events(table.table_id) if isinstance(one, events.DeadlinePassed)]


BEATS = 12
"""Beats of the event loop, four a second: three seconds of a dealer that looks for deadlines ten times a second."""


def _beats(dealer: Member) -> int:
    name = "pitboss_event_loop_lag_seconds_count "
    [count] = [line for line in breaking.metrics_of(dealer).splitlines() if line.startswith(name)]
    return int(float(count.removeprefix(name)))


@pytest.mark.parametrize("tolerance", [1, 60])
@pytest.mark.parametrize("seconds", [30, -30])
async def test_a_wrong_clock_ends_nobodys_time(
    house: Broken, crowd: Crowd, tmp_path: Path, seconds: int, tolerance: int
) -> None:
    """A dealer half a minute off passes no deadline early, and none late where it is the only one that fires.

    With the tolerance of a house it serves nothing and says why; with one of a minute it serves, and is right.
    """
    tables = [await Played.open(crowd, game, SLOW) for game in floor.CORE]
    wrong = house.dealer(0)
    await skew(house, wrong, tmp_path, seconds, PITBOSS_CLOCK_TOLERANCE_SECONDS=str(tolerance))
    try:
        for table in tables:
            await table.start([1])
        status, told = breaking.healthz(wrong)
        if tolerance < abs(seconds):
            side = "ahead of" if seconds > 0 else "behind"
            assert status == 503
            assert told["missing"] == ["clock"]
            assert f"30.0 s {side} the database's" in str(told["reasons"])
            await refused("UNAVAILABLE", crowd.operator.at(0).table(tables[0].table_id))
        else:
            assert (status, told) == (200, {"serving": True, "missing": []})
        name = "pitboss_clock_offset_seconds "
        [offset] = [line for line in breaking.metrics_of(wrong).splitlines() if line.startswith(name)]
        assert abs(float(offset.removeprefix(name)) - seconds) < 0.5
        beats = _beats(wrong)
        await waits.eventually(lambda: _beats(wrong) > beats + BEATS, "the dealer goes on", pause=0.2)
        for table in tables:
            assert await passed(house, table) == [], f"{table.game}: somebody's time has ended early"
            await table.finish([1])
    finally:
        house.signal(wrong, signal.SIGTERM)
        await asyncio.to_thread(wrong.wait_ended, 30.0)
        house.revive(wrong)
        await house.until_up(wrong)
    await proofs.hold(house, crowd, *tables)
