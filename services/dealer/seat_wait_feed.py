"""The stream of a player's wait for a seat at any table: one look at all watched waits at a time.

The wait concerns no single table and is the caller's alone. So it is neither in a table's view nor in a lobby, which is
one for all who use the same filter, but in a stream of its own.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import Final

import psycopg
from pitboss.v1 import dealer_pb2 as pb

from services.contract import wire_line
from services.registry import seat_waits
from services.registry.seat_waits import SeatWait, Wanted
from services.rules.refusals import Reason, Refused
from services.runtime import logs, streams
from services.runtime.clock import NowMs
from services.runtime.identity import Caller
from services.runtime.pools import Pool

LOOK_SECONDS: Final = 0.5
"""Interval at which the waits of all watchers are read, all at once."""
MOST_READ: Final = 10_000
MOST_PER_CALLER: Final = 4
MOST_FAILURES: Final = 3
"""Failed looks in a row before the watchers are notified."""
RETRY_SECONDS: Final = 5.0

trace = logs.get("seat waits")


class SeatWaits:
    """Serves the watchers of waits in one process."""

    def __init__(self, pool: Pool, now_ms: NowMs) -> None:
        self._pool, self._now_ms = pool, now_ms
        self._watched: dict[str, int] = {}
        self._shown: dict[str, pb.WatchSeatWaitResponse] = {}
        self._failure: Refused | None = None
        self._changed = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._callers = streams.PerCaller(
            MOST_PER_CALLER,
            f"you watch your wait {MOST_PER_CALLER} times here, as often as one caller may; end one",
            {"most": MOST_PER_CALLER},
        )

    async def watch(self, caller: Caller) -> AsyncGenerator[pb.WatchSeatWaitResponse, None]:
        """Yield a player's wait as it is, then each change. Raises Refused."""
        player, sent = caller.subject, None
        with self._callers.hold(caller):
            self._watched[player] = self._watched.get(player, 0) + 1
            try:
                await self._look()
                if self._looking is None or self._looking.done():
                    self._looking = asyncio.create_task(self._look_on(), name="seat waits")
                while True:
                    changed = self._changed
                    if self._failure is not None:
                        raise Refused(self._failure.reason, self._failure.message, retry_seconds=RETRY_SECONDS)
                    now = self._shown.get(player)
                    if now is not None and now != sent:
                        yield now
                        sent = now
                    await changed.wait()
            finally:
                self._watched[player] -= 1
                if not self._watched[player]:
                    del self._watched[player]

    async def close(self) -> None:
        """Stop looking."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    async def _look_on(self) -> None:
        """Look again and again while anybody watches."""
        failures = 0
        while self._watched:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._look()
                failures = 0
            except (psycopg.Error, Refused) as error:
                failures += 1
                trace.warning("waits cannot be read", cause=type(error).__name__, failures=failures)
                if failures >= MOST_FAILURES:
                    self._failure = Refused(Reason.UNAVAILABLE, "waits cannot be read now; watch again")
                    self._wake()

    async def _look(self) -> None:
        """Read the waits of all watchers, and wake those watchers if one has changed. Raises psycopg.Error."""
        now_ms = self._now_ms()
        players = sorted(self._watched)
        async with self._pool.connection() as conn:
            own = {one.player: one for one in await seat_waits.of_players(conn, players, now_ms)}
            games = {one.wanted.game for one in own.values()}
            waits = await seat_waits.of_games(conn, games, now_ms, MOST_READ) if games else []
        # Many want the same: a line is put together once for all of them.
        lines = {wanted: seat_waits.rivals(waits, wanted) for wanted in {one.wanted for one in own.values()}}
        shown = {player: _shown(own.get(player), lines) for player in players}
        if shown != self._shown or self._failure is not None:
            self._shown, self._failure = shown, None
            self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _shown(own: SeatWait | None, lines: Mapping[Wanted, list[int]]) -> pb.WatchSeatWaitResponse:
    if own is None:
        return pb.WatchSeatWaitResponse()
    place, waiting = seat_waits.place(lines[own.wanted], own)
    wait = pb.SeatWait(
        game=own.wanted.game,
        stake=own.wanted.stake,
        currency=own.wanted.currency,
        place=place,
        waiting=waiting,
        expire_time=wire_line.moment(own.until_ms),
        offer=pb.SeatOffer(table_id=own.table, seat=own.seat) if own.table else None,
    )
    return pb.WatchSeatWaitResponse(wait=wait)
