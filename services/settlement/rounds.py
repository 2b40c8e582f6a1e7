"""Ended rounds: settled when a dealer asks, or when the sweep finds one whose dealer died."""

from pitboss.v1 import settlement_pb2 as pb

from services.contract import wire_tables
from services.ledger.signatures import EntryKey
from services.livestate.store import LiveState, LiveStateAway
from services.runtime import metrics
from services.runtime.pools import Pool
from services.settlement import money_commands, significant_events
from services.settlement.money_commands import MoneyCommand
from services.table import money, public_table
from services.table.events import Event
from services.table.public_table import PublicTable


class Rounds:
    """Settles each ended round once, however often it is requested."""

    def __init__(
        self, pool: Pool, live: LiveState, key: EntryKey | None, large: significant_events.Thresholds | None = None
    ) -> None:
        self._pool = pool
        self._key = key
        self._live = live
        self._large = large or significant_events.Thresholds()

    async def settle(self, table_id: str) -> pb.SettleRoundResponse:
        """Settle a table's ended round; where no round waits, return how the last one was settled."""
        answer = await money_commands.run(
            self._pool,
            MoneyCommand(
                kind="SettleRound",
                table_id=table_id,
                actor="house",
                role="service",
                decide=_decide,
                answer=_answer,
                read_answer=pb.SettleRoundResponse.FromString,
                large=self._large,
                key=self._key,
            ),
        )
        try:
            await self._live.publish(table_id, answer.version)
        except LiveStateAway:
            metrics.REDIS_FAILURES.inc()
        return answer


def _answer(core: PublicTable, _made: list[Event]) -> pb.SettleRoundResponse:
    answer = pb.SettleRoundResponse(version=core.version)
    if core.last is not None:
        answer.result.CopyFrom(wire_tables.result(core.last, {}))
    return answer


def _decide(core: PublicTable, now_ms: int) -> list[Event]:
    return money.settle(core, now_ms) if core.phase == public_table.SETTLING else []
