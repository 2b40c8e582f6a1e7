"""The watch over the ledger: balances every few seconds, and the whole ledger in passes of many small parts.

They are separate tasks: an imbalance is reported even while a pass is slow or fails. A part that takes too long is
read again in smaller parts; earlier parts of the pass keep their results.
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
"""The pause after a part, as a multiple of its duration: a pass uses at most half of one connection's time."""

trace = logs.get("ledger")


async def look(pool: Pool) -> None:
    """Check every few seconds whether all balances add up, until cancelled."""
    while True:
        await look_once(pool)
        await asyncio.sleep(LOOK_SECONDS)


async def look_once(pool: Pool) -> None:
    """Check the balances once and publish the imbalance, including what the last pass found."""
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
    """Runs passes over the whole ledger, one after another; a failed part is read again."""

    def __init__(self, pool: Pool, now_ms: NowMs) -> None:
        self._pool = pool
        self._now_ms = now_ms
        self._pass: Pass | None = None
        self._began_ms = 0
        self._size = checks.MOST_PART

    async def serve(self) -> None:
        """Run a pass whenever one is due, until cancelled."""
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
            trace.warning("a part of the ledger took too long; it is read again in smaller parts", rows=self._size)
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
            trace.error("a pass over the ledger found an imbalance", chips=done.off)
        trace.info("the whole ledger was checked", accounts=done.accounts, legs=done.legs)
