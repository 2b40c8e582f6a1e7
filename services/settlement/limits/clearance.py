"""Clearance of a table's seats before a round: the seats that are paid out, and the allowances of the others."""

from pitboss.v1 import settlement_pb2 as pb

from services.contract import requests
from services.ledger.signatures import EntryKey
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands, top_ups
from services.settlement.limits import allowance
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.table import absence, commands, events, money, public_table, top_up
from services.table.events import Event
from services.table.public_table import PublicTable


async def clear(
    pool: Pool, admission: Admission, key: EntryKey, request: pb.ClearSeatsRequest
) -> pb.ClearSeatsResponse:
    """Pay out the seats that may not play on, and set the stake allowances of the others. Raises Refused."""
    table_id = requests.table_id(request)
    await allowance.release_unused(pool, table_id)
    try:
        return await money_commands.run(pool, ClearSeats(table_id, admission), key)
    except Refused as refusal:
        if refusal.reason is not Reason.INSUFFICIENT_FUNDS:
            raise
    # A wallet was emptied between the check of a top-up and its posting: the second check sees that.
    return await money_commands.run(pool, ClearSeats(table_id, admission), key)


class ClearSeats(MoneyCommand[pb.ClearSeatsResponse]):
    """Pays seats out, each with a reason, tops others up, and sets the allowances of those that stay."""

    kind = "ClearSeats"
    answer_type = pb.ClearSeatsResponse

    def __init__(self, table_id: str, admission: Admission) -> None:
        super().__init__(table_id, "house", Role.SERVICE.value)
        self._admission = admission
        self._blocked: dict[int, Refused] = {}
        self._allowances: dict[int, int] = {}
        self._top_ups = top_ups.TopUps()

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Read limits and switches afresh."""
        self._blocked = await self._admission.blocked(conn, core)
        self._top_ups = await top_ups.due(conn, self._admission, core, set(self._blocked))
        after = top_ups.raised(core, self._top_ups.added)
        found = await allowance.for_round(self._admission, conn, after) if core.phase == public_table.OPEN else {}
        self._allowances = {seat: chips for seat, chips in found.items() if seat not in self._blocked}

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the events that pay seats out and set allowances; none while a round runs."""
        if table.phase != public_table.OPEN:
            return []
        players = [table.seats[seat].player for seat in self._blocked]
        left = [event for player in players for event in money.leave(table, player, now_ms)]
        away = [seat for seat in absence.over(table, now_ms) if seat not in self._blocked]
        left += [event for seat in away for event in money.remove(table, seat, now_ms)]
        self._allowances = {seat: chips for seat, chips in self._allowances.items() if seat not in away}
        left += top_up.made(table, self._top_ups.added, self._top_ups.failed, now_ms)
        return [*left, *commands.allow(table, self._allowances, now_ms, leaving={*self._blocked, *away})]

    def reply(self, table: PublicTable, made: list[Event]) -> pb.ClearSeatsResponse:
        """Return the seats paid out, and the allowances of the coming round."""
        cleared = [
            pb.ClearedSeat(
                seat=event.seat,
                player=event.player,
                reason=self._blocked[event.seat].reason,
                message=self._blocked[event.seat].message,
                metadata=self._blocked[event.seat].metadata,
            )
            for event in made
            if isinstance(event, events.SeatLeft)
        ]
        number = table.round_number if table.phase == public_table.OPEN else None
        return pb.ClearSeatsResponse(
            version=table.version, cleared=cleared, allowed=self._allowances, round_number=number
        )
