"""Ended rounds: settled when a dealer asks, or when the sweep finds one whose dealer died."""

from pitboss.v1 import settlement_pb2 as pb

from services.contract import wire_tables
from services.ledger.signatures import EntryKey
from services.livestate.store import LiveState, LiveStateAway
from services.runtime import metrics
from services.runtime.identity import Role
from services.runtime.pools import Pool
from services.settlement import money_commands, significant_events
from services.settlement.money_commands import MoneyCommand
from services.table import money, public_table
from services.table.events import Event
from services.table.public_table import PublicTable


class SettleRound(MoneyCommand[pb.SettleRoundResponse]):
    """Settles the ended round of a table."""

    kind = "SettleRound"
    answer_type = pb.SettleRoundResponse

    def __init__(self, table_id: str) -> None:
        super().__init__(table_id, "house", Role.SERVICE.value)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the settlement; nothing where no round waits for it."""
        return money.settle(table, now_ms) if table.phase == public_table.SETTLING else []

    def reply(self, table: PublicTable, made: list[Event]) -> pb.SettleRoundResponse:
        """Return how the last round was settled."""
        answer = pb.SettleRoundResponse(version=table.version)
        if table.last is not None:
            answer.result.CopyFrom(wire_tables.result(table.last, table.opening.family, {}))
        return answer


class Rounds:
    """Settles each ended round once, also when it is requested repeatedly."""

    def __init__(
        self, pool: Pool, live: LiveState, key: EntryKey | None, large: significant_events.Thresholds | None = None
    ) -> None:
        self._pool = pool
        self._key = key
        self._live = live
        self._large = large or significant_events.Thresholds()

    async def settle(self, table_id: str) -> pb.SettleRoundResponse:
        """Settle a table's ended round; where no round waits, return how the last one was settled."""
        answer = await money_commands.run(self._pool, SettleRound(table_id), self._key, self._large)
        try:
            await self._live.publish(table_id, answer.version)
        except LiveStateAway:
            metrics.REDIS_FAILURES.inc()
        return answer
