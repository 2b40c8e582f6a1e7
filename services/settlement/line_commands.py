"""Commands of the waiting line that are decided with the registry: no chips move, but a player's lines are counted."""

from pitboss.v1 import settlement_pb2 as pb

from services.eventlog import log
from services.registry import limits
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.runtime.pools import Connection
from services.settlement.limits.admission import Admission
from services.settlement.seat_commands import CallersCommand
from services.table import events, persons, waiting_line
from services.table.events import Event
from services.table.public_table import PublicTable


class JoinLine(CallersCommand[pb.JoinLineResponse]):
    """Waits for a seat; a player waits in a bounded number of lines."""

    kind = "JoinWaitingList"
    answer_type = pb.JoinLineResponse

    def __init__(self, request: pb.JoinLineRequest, admission: Admission) -> None:
        super().__init__(request, request.request_digest)
        self._admission = admission

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Check switches and limits, and count the player's lines under its lock. Raises Refused."""
        await limits.lock(conn, self.actor)
        await self._admission.bring(conn, core, self.actor, 0)
        wanted = {"line": [{"player": self.actor}], "closed": False}
        heads = await log.list_streams(conn, wanted, limit=waiting_line.MOST_LINES + 1)
        if sum(head.stream_id != self.table_id for head in heads) >= waiting_line.MOST_LINES:
            raise _too_many(len(heads))

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the place that is taken."""
        persons.refuse_kind_of_money(table, self.actor, test=self.who.test)
        return waiting_line.join(table, self.actor, now_ms, now_ms + waiting_line.WAIT_MS)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.JoinLineResponse:
        """Return the place, and until when a seat is held for the player, if one is."""
        [joined] = made
        assert isinstance(joined, events.WaitingJoined), "who joins the line waits"
        entry = waiting_line.of_player(table.line, joined.player)
        assert entry is not None, "who has joined the line stands in it"
        return pb.JoinLineResponse(
            version=table.version,
            place=waiting_line.place_of(table.line, joined.player),
            waiting=len(table.line),
            held_until_ms=entry.held_until_ms,
            until_ms=entry.until_ms,
        )


def _too_many(lines: int) -> Refused:
    most = waiting_line.MOST_LINES
    return Refused(
        Reason.LIMIT_REACHED,
        f"you wait at {lines} tables; a player waits at {most} at most, leave another line first",
        metadata={"limit": "lines", "most": most},
        text=Text(
            f"You may wait at {most} tables at most; leave another waiting list first.",
            f"最多可在 {most} 張桌候補；請先退出其中一個候補名單。",
            f"最多可在 {most} 张桌候补；请先退出其中一个候补名单。",
        ),
    )
