"""What settlement counts is what it committed: a round that many settle at once is one round."""

import asyncio
from random import Random

from pitboss.v1 import settlement_pb2 as pb

from services.runtime import metrics
from services.table import events
from tests.settlement.test_money import seated
from tests.support import served
from tests.support.served import Connection, Served, on_behalf, request_id

GAME = "tongbi_san_gong"


def counted(end: str) -> float:
    """Return how many rounds have been counted by this process."""
    return metrics.REGISTRY.get_sample_value("pitboss_rounds_total", {"game": GAME, "end": end}) or 0.0


def lags() -> float:
    """Return how many settlements have been timed by this process."""
    return metrics.REGISTRY.get_sample_value("pitboss_settlement_lag_seconds_count") or 0.0


async def test_a_round_that_many_settle_at_once_is_counted_once(settlement: Served, conn: Connection) -> None:
    """The loser of the race to settle rolls back and counts nothing."""
    for seed in range(3):
        sitting = await seated(settlement, conn, GAME)
        sitting.start()
        sitting.finish(Random(seed), lapses=0.0)
        before = counted("settled"), lags()
        await served.publish(conn, sitting, together=True)
        asked = pb.SettleRoundRequest(table_id=sitting.table_id)
        await asyncio.gather(*(settlement.call(settlement.money.SettleRound, asked) for _ in range(6)))
        assert (counted("settled"), lags()) == (before[0] + 1, before[1] + 1)


async def test_a_round_that_many_void_at_once_is_counted_once(settlement: Served, conn: Connection) -> None:
    """The same for a voided round: one event in the log, one in the metric."""
    sitting = await seated(settlement, conn, GAME)
    sitting.start()
    await served.publish(conn, sitting)
    before = counted("voided")
    asked = [
        pb.VoidOutRequest(
            request_id=request_id(),
            table_id=sitting.table_id,
            reason="a torn card",
            reveal=sitting.reveal(1),
            round_number=1,
            on_behalf=on_behalf("boss", "operator"),
        )
        for _ in range(6)
    ]
    calls = (settlement.call(settlement.money.VoidOut, one) for one in asked)
    await asyncio.gather(*calls, return_exceptions=True)
    assert [type(event) for event in await served.catch_up(conn, sitting)] == [events.RoundVoided]
    assert counted("voided") == before + 1
