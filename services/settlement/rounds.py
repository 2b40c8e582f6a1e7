"""Ended rounds: settled when a dealer asks, or found by the sweep when its dealer died."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from pitboss.v1 import settlement_pb2 as pb

from services.contract import stored, wire_tables
from services.eventlog import log
from services.livestate.store import LiveState, LiveStateAway
from services.runtime import logs, metrics
from services.runtime.errors import Problem
from services.runtime.pools import Pool
from services.settlement import ledgering, noting
from services.settlement.ledgering import MoneyJob
from services.table import core as cores
from services.table import money
from services.table.core import Core
from services.table.events import Event

SWEEP_SECONDS: Final = 0.5
"""So often the log's marks are looked through: a round whose dealer died is settled well within two seconds."""
AT_ONCE: Final = 100

trace = logs.get("rounds")
Settled = Callable[[str, int], Awaitable[None]]


class Rounds:
    """Settles rounds; each once, whoever asks and however often."""

    def __init__(self, pool: Pool, live: LiveState, large: noting.Thresholds | None = None) -> None:
        self._pool = pool
        self._live = live
        self._large = large or noting.Thresholds()

    async def settle(self, table_id: str) -> pb.SettleRoundResponse:
        """Settle a table's ended round; where none waits the answer says how the last one was settled."""
        answer = await ledgering.run(
            self._pool,
            MoneyJob(
                kind="SettleRound", table_id=table_id, actor="house", role="service", decide=_decide, answer=_answer,
                read_answer=pb.SettleRoundResponse.FromString, large=self._large,
            ),
        )  # fmt: skip
        try:
            await self._live.tell(table_id, answer.version)
        except LiveStateAway:
            metrics.REDIS_FAILURES.inc()
        return answer

    async def sweep(self) -> None:
        """Find ended rounds that nobody settled, again and again, until cancelled."""
        while True:
            await self._sweep_once()
            await asyncio.sleep(SWEEP_SECONDS)

    async def _sweep_once(self) -> None:
        async with self._pool.connection() as conn:
            waiting = await log.streams_marked(conn, stored.UNSETTLED, AT_ONCE)
        now_ms = time.time_ns() // 1_000_000
        metrics.UNSETTLED.set(len(waiting))
        oldest = max((now_ms - head.changed_at_ms for head in waiting), default=0)
        metrics.UNSETTLED_AGE.set(max(0, oldest) / 1000)
        for head in waiting:
            try:
                await self.settle(head.stream_id)
            except Exception as error:  # noqa: BLE001 - one table's fault must not keep all others waiting
                reason = error.reason.value if isinstance(error, Problem) else ""
                trace.warning(
                    "a round could not be settled yet", table=head.stream_id, cause=type(error).__name__, reason=reason
                )


def _answer(core: Core, _made: list[Event]) -> pb.SettleRoundResponse:
    answer = pb.SettleRoundResponse(version=core.version)
    if core.last is not None:
        answer.result.CopyFrom(wire_tables.result(core.last, core.last_names))
    return answer


def _decide(core: Core, now_ms: int) -> list[Event]:
    return money.settle(core, now_ms) if core.phase == cores.SETTLING else []
