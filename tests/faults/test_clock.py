"""A process whose machine has a wrong clock: nobody's time ends early, and it says what is wrong."""

import asyncio
import json
import signal
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from services.localhouse.process import Member
from services.table import events
from tests.faults import floor, proofs
from tests.faults.breaking import Broken
from tests.faults.floor import Played
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


def healthz(member: Member) -> tuple[int, dict[str, object]]:
    """Ask a process for its health; returns the status and what it says."""
    url = member.metrics_url.replace("/metrics", "/healthz")
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def metrics_of(member: Member) -> str:
    """Return what a process tells Prometheus."""
    with urllib.request.urlopen(member.metrics_url, timeout=5) as answer:
        return str(answer.read().decode())


async def passed(house: Broken, table: Played) -> list[events.Event]:
    """Return the deadlines that passed at a table."""
    return [one for one in await house.events(table.table_id) if isinstance(one, events.DeadlinePassed)]


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
        status, told = healthz(wrong)
        if tolerance < abs(seconds):
            side = "ahead of" if seconds > 0 else "behind"
            assert status == 503
            assert told["missing"] == ["clock"]
            assert f"30.0 s {side} the database's" in str(told["reasons"])
            await refused("UNAVAILABLE", crowd.operator.at(0).table(tables[0].table_id))
        else:
            assert (status, told) == (200, {"serving": True, "missing": []})
        name = "pitboss_clock_offset_seconds "
        [offset] = [line for line in metrics_of(wrong).splitlines() if line.startswith(name)]
        assert abs(float(offset.removeprefix(name)) - seconds) < 0.5
        await asyncio.sleep(3)  # thirty times the pause in which a dealer looks for deadlines
        for table in tables:
            assert await passed(house, table) == [], f"{table.game}: somebody's time has ended early"
            await table.finish([1])
    finally:
        house.signal(wrong, signal.SIGTERM)
        await asyncio.to_thread(wrong.wait_ended, 30.0)
        house.revive(wrong)
        await house.until_up(wrong)
    await proofs.hold(house, crowd, *tables)
