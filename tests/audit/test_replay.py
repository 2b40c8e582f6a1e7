"""Replays in parts: equal findings for every split, by one process or several, which end with their caller."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import psutil
import psycopg_pool
import pytest

from services.audit import replay_pool, replay_service
from services.audit.replay_part import Part, Report
from services.eventlog import log
from services.eventlog.records import NewEvent
from services.journal import log_rows
from services.rules import catalogue
from services.rules.refusals import Reason, Refused
from tests.support import audit_rows, pools, sittings, waits
from tests.support.log_events import one

Pool = psycopg_pool.AsyncConnectionPool[Any]
TABLE = sittings.TABLE


@pytest.fixture
async def pool(postgres_url: str) -> AsyncIterator[Pool]:
    """Yield connections as the owner of the database."""
    async with pools.make_pool(postgres_url, None, most=2) as made:
        yield made


async def write(pool: Pool, events: list[NewEvent]) -> None:
    """Write a table's whole log."""
    async with pool.connection() as conn:
        for at, event in enumerate(events):
            await log.append(conn, [one(TABLE, at, event)])


def edited(event: NewEvent, rng: Random) -> NewEvent | None:
    """Change one number of an event that is not a time; None where it holds none."""
    data = json.loads(event.data)
    places = [
        (holder, key)
        for holder in (data, *(value for value in data.values() if isinstance(value, dict)))
        for key, value in holder.items()
        if isinstance(value, int) and not isinstance(value, bool) and not key.endswith("_ms")
    ]
    if not places:
        return None
    holder, key = rng.choice(places)
    holder[key] += 1
    return NewEvent(event.type, json.dumps(data, separators=(",", ":"), ensure_ascii=False), event.metadata)


@pytest.mark.parametrize("game", list(catalogue.FILES))
async def test_an_edit_is_found_alike_however_the_log_is_parted(pool: Pool, game: str) -> None:
    """The first finding and the counts are the same for a whole log and for one split at every round."""
    rng = Random(game)
    events = [
        log_rows.to_new(event, audit_rows.METADATA) for event in sittings.random_sitting(game, "parts", rounds=4).log
    ]
    at, changed = next(
        (at, changed)
        for at in rng.sample(range(1, len(events)), len(events) - 1)
        if (changed := edited(events[at], rng)) is not None
    )
    await write(pool, [*events[:at], changed, *events[at + 1 :]])
    whole, parted = [await replay_service.replay(pool, sittings.AUDIT, TABLE, 0, 0, part=part) for part in (10**9, 1)]
    assert whole.differences
    assert parted.differences[0] == whole.differences[0]
    assert parted.events_read == whole.events_read == len(events)


async def test_where_two_parts_meet_nothing_is_changed_unseen(pool: Pool) -> None:
    """Chips added to a seat between two rounds are found in the restated table, also at the start of a part."""
    events = [
        log_rows.to_new(event, audit_rows.METADATA) for event in sittings.random_sitting("texas_holdem", "seam").log
    ]
    at = [at for at, event in enumerate(events) if event.type.startswith("RoundStarted")][1]
    data = json.loads(events[at].data)
    data["table"]["seats"][0]["chips"] += 7
    events[at] = NewEvent(events[at].type, json.dumps(data, separators=(",", ":"), ensure_ascii=False))
    await write(pool, events)
    report = await replay_service.replay(pool, sittings.AUDIT, TABLE, 0, 0, part=1)
    assert (at + 1, "table.seats[0].chips") in {(one.version, one.field) for one in report.differences}


async def test_several_processes_find_what_one_finds(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay by several processes yields the same report as by one."""
    monkeypatch.setattr(replay_service, "LONG", 1)
    events = [
        log_rows.to_new(event, audit_rows.METADATA) for event in sittings.random_sitting("texas_holdem", "crew").log
    ]
    await write(pool, events)
    alone = await replay_service.replay(pool, sittings.AUDIT, TABLE, 0, 0, part=1)
    shared = await replay_service.replay(pool, sittings.AUDIT, TABLE, 0, 0, part=1, processes=2)
    assert shared == alone
    assert shared.rounds > 1
    assert shared.differences == []


async def parts_of(count: int) -> AsyncIterator[Part]:
    """Yield empty parts; after the first one the processes have begun."""
    for _ in range(count):
        yield Part(TABLE, [[]], [])


async def through(found: AsyncIterator[Report]) -> None:
    """Take all reports."""
    async for _ in found:
        pass


async def test_a_replay_whose_process_is_killed_says_so() -> None:
    """The caller is asked to try again; nothing counts as checked."""
    with replay_pool.gathered(sittings.AUDIT, 2) as gathered:
        found = replay_pool.reports(gathered, 2, parts_of(1000))
        await anext(found)
        for process in multiprocessing.active_children():
            os.kill(process.pid or 0, signal.SIGKILL)
        with pytest.raises(Refused) as told:
            await through(found)
    assert told.value.reason is Reason.UNAVAILABLE


ASKER = """
import asyncio, multiprocessing, signal
from services.audit import replay_pool
from tests.audit.test_replay import parts_of
from tests.support import sittings

async def ask():
    with replay_pool.gathered(sittings.AUDIT, 2) as gathered:
        async for _ in replay_pool.reports(gathered, 2, parts_of(4)):
            pass
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        signal.pause()

if __name__ == "__main__":
    asyncio.run(ask())
"""


def test_processes_end_with_the_one_that_asked() -> None:
    """An audit process that is killed leaves no process behind."""
    asker = subprocess.Popen([sys.executable, "-c", ASKER], stdout=subprocess.PIPE, text=True)
    assert asker.stdout is not None
    crews = [int(pid) for pid in asker.stdout.readline().split()]
    asker.kill()
    asker.wait(10)
    asker.stdout.close()
    assert crews
    waits.eventually_blocking(lambda: not any(psutil.pid_exists(pid) for pid in crews), f"the end of {crews}")
