"""The watch over the ledger: balances every few seconds, and the whole ledger in passes of many small parts.

The two are tasks of their own: a pass that is slow, or fails, keeps nobody from seeing that balances are off. A part
that takes too long is read again in smaller steps; what was read before it counts.
"""

import asyncio
import time
from typing import Final

import psycopg

from services.database import retry
from services.ledger import checks
from services.ledger.checks import Pass
from services.runtime import logs, metrics
from services.runtime.clock import NowMs
from services.runtime.pools import Connection, Pool

LOOK_SECONDS: Final = 10.0
PASS_SECONDS: Final = 3600.0
"""Time from the end of a pass to the beginning of the next one."""
PART_SECONDS: Final = 5.0
"""Bound on the statement that reads one part; parts are made to take far less."""
QUICK_SECONDS: Final = 0.5
"""A part that took less lets the next one be larger."""
REST: Final = 1.0
"""So many times as long as a part took the pass rests after it: it takes half of one connection's time at most."""

trace = logs.get("ledger")


async def look(pool: Pool) -> None:
    """Look whether all balances add up, again and again, until cancelled."""
    while True:
        await look_once(pool)
        await asyncio.sleep(LOOK_SECONDS)


async def look_once(pool: Pool) -> None:
    """Look once, and show what is off beside what the last pass found."""
    held = await retry.at_one_moment(pool.connection, checks.totals)
    async with pool.connection() as conn:
        passed = await checks.last(conn)
    off = checks.imbalance_of(held)
    if passed is not None:
        off += passed.off
        metrics.LEDGER_PASSED.set(passed.ended_ms / 1000)
    metrics.LEDGER_IMBALANCE.set(off)
    metrics.LEDGER_CHECKED.set(time.time())
    if off:
        trace.error("the ledger does not add up", chips=off)


class Passes:
    """Makes passes over the whole ledger, one after another; goes on where a part has failed."""

    def __init__(self, pool: Pool, now_ms: NowMs) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._pass: Pass | None = None
        self._began_ms = 0
        self._size = checks.MOST_PART

    async def serve(self) -> None:
        """Make a pass whenever one is due, until cancelled."""
        while True:
            if self._pass is None:
                await asyncio.sleep(await self._due_in())
                self._pass, self._began_ms = Pass(), self._now_ms()
            while not await self.step():
                pass

    async def _due_in(self) -> float:
        """Return the seconds until the next pass is due, another process's passes counted."""
        async with self._pool.connection() as conn:
            passed = await checks.last(conn)
        return 0.0 if passed is None else max(0.0, (passed.ended_ms - self._now_ms()) / 1000 + PASS_SECONDS)

    async def step(self) -> bool:
        """Read one part and rest; return whether the pass has come to its end and is recorded."""
        running = self._pass = self._pass or Pass()
        began = time.monotonic()
        try:
            async with self._pool.connection() as conn, retry.bounded(conn, PART_SECONDS):
                await running.step(conn, self._size)
        except psycopg.errors.QueryCanceled:
            if self._size == checks.LEAST_PART:
                raise
            self._size = max(checks.LEAST_PART, self._size // 4)
            trace.warning("a part of the ledger took too long; it is read in smaller ones", rows=self._size)
            return False
        took = time.monotonic() - began
        if took < QUICK_SECONDS:
            self._size = min(checks.MOST_PART, self._size * 2)
        if running.done:
            await self._end(running)
            return True
        await asyncio.sleep(took * REST)
        return False

    async def _end(self, done: Pass) -> None:
        async def record(conn: Connection) -> None:
            await checks.record(conn, self._began_ms, done)

        await retry.transaction(self._pool.connection, record)
        self._pass = None
        metrics.LEDGER_PASSED.set(time.time())
        if done.off:
            trace.error("a pass found what does not add up", chips=done.off)
        trace.info("the whole ledger was looked through", accounts=done.accounts, legs=done.legs)
