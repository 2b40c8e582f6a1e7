"""Clearance of a table's seats before a round: who is paid out, and what the others may stake."""

from pitboss.v1 import settlement_pb2 as pb

from services.contract import requests
from services.ledger.signatures import EntryKey
from services.rules.refusals import Refused
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands
from services.settlement.limits import allowance
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.table import commands, events, money, public_table
from services.table.events import Event
from services.table.public_table import PublicTable


async def clear(
    pool: Pool, admission: Admission, key: EntryKey, request: pb.ClearSeatsRequest
) -> pb.ClearSeatsResponse:
    """Pay out the seats that may not play on, and set the stake allowances of the others. Raises Refused."""
    table_id = requests.table_id(request)
    await allowance.release_unused(pool, table_id)
    found = _Clearance(admission)
    job: MoneyCommand[pb.ClearSeatsResponse] = MoneyCommand(
        key=key,
        kind="ClearSeats",
        table_id=table_id,
        actor="house",
        role=Role.SERVICE.value,
        decide=found.decide,
        answer=found.answer,
        read_answer=pb.ClearSeatsResponse.FromString,
        check=found.check,
    )
    return await money_commands.run(pool, job)


class _Clearance:
    """What one attempt has found: the seats to pay out, with why, and the allowances of the others."""

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._blocked: dict[int, Refused] = {}
        self._allowances: dict[int, int] = {}

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Read limits and switches afresh; each attempt begins here."""
        self._blocked = await self._admission.blocked(conn, core)
        found = await allowance.for_round(self._admission, conn, core) if core.phase == public_table.OPEN else {}
        self._allowances = {seat: chips for seat, chips in found.items() if seat not in self._blocked}

    def decide(self, core: PublicTable, now_ms: int) -> list[Event]:
        """Return the events that pay seats out and set allowances; none while a round runs."""
        if core.phase != public_table.OPEN:
            return []
        players = [core.seats[seat].player for seat in self._blocked]
        left = [event for player in players for event in money.leave(core, player, now_ms)]
        return [*left, *commands.allow(core, self._allowances, now_ms, leaving=self._blocked)]

    def answer(self, core: PublicTable, made: list[Event]) -> pb.ClearSeatsResponse:
        """Return the seats paid out, and the allowances of the coming round."""
        cleared = [
            pb.ClearedSeat(
                seat=event.seat,
                player=event.player,
                reason=self._blocked[event.seat].reason,
                message=self._blocked[event.seat].message,
            )
            for event in made
            if isinstance(event, events.SeatLeft)
        ]
        number = core.round_number if core.phase == public_table.OPEN else None
        return pb.ClearSeatsResponse(
            version=core.version, cleared=cleared, allowed=self._allowances, round_number=number
        )
