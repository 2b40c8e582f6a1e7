"""Saves go behind the answers: at once where little happens, gathered under load, and always the newest state."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from services.dealer import save_queue
from services.dealer.save_queue import Saver
from services.livestate.store import LiveState, Save
from services.table.full_table import FullTable
from tests.dealer.conftest import Dealer, Open
from tests.support import served, waits
from tests.support.served import Connection
from tests.support.sittings import Sitting

LATER: float = 3600.0
"""A pause that a test does not outlast."""


class Trips:
    """Redis, with the versions of each round trip of saves."""

    def __init__(self, live: LiveState) -> None:
        self._live = live
        self.made: list[dict[str, int]] = []

    async def save_all(self, saves: Sequence[Save]) -> list[bool]:
        """Store the tables and count the trip."""
        stored = await self._live.save_all(saves)
        self.made.append({one.table_id: one.version for one in saves})
        return stored


async def tables_of(open_dealer: Open, conn: Connection, count: int) -> tuple[Dealer, dict[str, FullTable]]:
    """Return a dealer and so many of its tables."""
    dealer, found = open_dealer(), {}
    for _ in range(count):
        sitting = Sitting("tongbi_san_gong", table_id=served.table_id())
        sitting.sit({0: 500, 1: 500})
        await served.publish(conn, sitting, together=True)
        found[sitting.table_id] = await dealer.table(sitting.table_id)
    return dealer, found


def saver(dealer: Dealer, tables: dict[str, FullTable]) -> tuple[Saver, Trips]:
    """Return a saver of these tables and its round trips."""
    trips: Any = Trips(dealer.live)
    return Saver(trips, dealer.vault, tables.get, lambda _: None), trips


async def saved(trips: Trips, count: int) -> None:
    """Wait until so many round trips were made."""

    async def made() -> bool:
        return len(trips.made) >= count

    await waits.eventually(made, f"{count} round trips")


async def test_where_little_happens_a_table_is_saved_soon(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables that change one after the other never meet the long pause."""
    monkeypatch.setattr(save_queue, "LONG_GATHER_SECONDS", LATER)
    dealer, tables = await tables_of(open_dealer, conn, 2)
    queue, trips = saver(dealer, tables)
    for number in range(1, 6):
        for table_id in tables:
            queue.changed(table_id)
        await saved(trips, number)
    assert all(set(trip) == set(tables) for trip in trips.made)


async def test_under_load_the_newest_state_of_each_table_goes_once(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a trip of many tables the next one waits; what changes several times meanwhile is sent as it is then."""
    dealer, tables = await tables_of(open_dealer, conn, 3)
    queue, trips = saver(dealer, tables)
    begun, go = asyncio.Event(), asyncio.Event()
    pauses: list[float] = []

    async def paused(seconds: float) -> None:
        pauses.append(seconds)
        if seconds == save_queue.LONG_GATHER_SECONDS:
            begun.set()
            await go.wait()

    monkeypatch.setattr(save_queue, "pause", paused)
    for table_id in tables:
        queue.changed(table_id)
    await asyncio.wait_for(begun.wait(), waits.SECONDS)
    first = next(iter(tables))
    for _ in range(5):
        queue.changed(first)
        tables[first] = await dealer.table(first)
    assert len(trips.made) == 1
    go.set()
    await queue.settle_down(waits.SECONDS)
    assert pauses[:2] == [save_queue.GATHER_SECONDS, save_queue.LONG_GATHER_SECONDS]
    assert trips.made[1:] == [{first: tables[first].core.version}]


async def test_more_tables_than_one_trip_takes_go_without_a_pause_between(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many change at once, all are saved before the next pause begins."""
    monkeypatch.setattr(save_queue, "AT_ONCE", 2)
    monkeypatch.setattr(save_queue, "LONG_GATHER_SECONDS", LATER)
    dealer, tables = await tables_of(open_dealer, conn, 5)
    queue, trips = saver(dealer, tables)
    for table_id in tables:
        queue.changed(table_id)
    await saved(trips, 3)
    assert [len(trip) for trip in trips.made] == [2, 2, 1]


def test_the_pause_is_bounded() -> None:
    """No table waits longer than 30 ms for its save to be sent."""
    assert save_queue.GATHER_SECONDS < save_queue.LONG_GATHER_SECONDS <= 0.03
