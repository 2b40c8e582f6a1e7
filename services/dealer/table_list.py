"""Lists of tables: filtered, in one of several orders, page by page."""

from typing import Any, Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import pages
from services.dealer import lobby_filter
from services.dealer.context import DealerContext
from services.eventlog import log
from services.eventlog.records import StreamHead
from services.journal import summaries
from services.rules import catalogue, personal
from services.runtime import context
from services.runtime.identity import Caller
from services.runtime.pools import Connection

MOST_PER_PAGE: Final = 100

Key = tuple[int, int, str]
"""What a table is ordered by, when it was opened (microseconds since 1970), and its id."""
_Kept = tuple[pages.Integer, pages.Number, pages.Id]


class Order(msgspec.Struct, frozen=True):
    """An order of tables: by a number of the summary (empty: none), then by age; ``sign`` -1: the greatest first."""

    field: str = ""
    sign: int = 1

    @property
    def first(self) -> Key:
        """The key before that of every table."""
        if self.field:
            return -(2**62), *log.OLDEST
        return (0, *log.OLDEST) if self.sign > 0 else (0, *log.NEWEST)

    def key(self, head: StreamHead) -> Key:
        """Return a table's key."""
        value = getattr(summaries.read(head.summary), self.field) if self.field else 0
        return self.sign * value, head.created_at_us, head.stream_id

    async def read(self, conn: Connection, wanted: dict[str, Any], after: Key, limit: int) -> list[StreamHead]:
        """Return the tables after a key."""
        if self.field:
            return await log.list_by(conn, wanted, self.field, self.sign, after, limit)
        read = log.list_streams if self.sign > 0 else log.list_newest
        return await read(conn, wanted, after[1:], limit, games=_of_family(wanted.get("family", "")))


def _of_family(family: str) -> list[str]:
    """Return the games of a family, none of "": the index of open tables has them by game."""
    return [entry.id for entry in catalogue.games() if entry.family == family] if family else []


ORDERS: Final = {
    "create_time": Order(),
    "create_time desc": Order(sign=-1),
    "stake": Order("stake"),
    "stake desc": Order("stake", -1),
    "seats_taken": Order("seats_taken"),
    "seats_taken desc": Order("seats_taken", -1),
}


async def listed(house: DealerContext, request: pb.ListTablesRequest, caller: Caller) -> pb.ListTablesResponse:
    """Return one page of tables. Raises Refused for an invalid token, an unknown order, game or family."""
    size, order = pages.size(request, MOST_PER_PAGE), pages.order(request, ORDERS)
    after = pages.after(request, _Kept, order.first)
    wanted = lobby_filter.wanted(request) | ({} if request.include_closed else {"closed": False})
    if not (request.mine or request.invited):
        wanted = lobby_filter.for_caller(wanted, caller)
    if request.mine:
        wanted.pop("test", None)
        wanted["seated"] = [{"player": caller.subject}]
    if request.invited:
        wanted["members"] = [{"player": caller.subject}]
    async with house.pool.connection() as conn:
        found = await order.read(conn, wanted, after, size + 1)
    page, token = pages.cut(request, found, size, order.key)
    titles = personal.sealed_within("".join(head.summary or "" for head in page))
    show = await house.names.shower(titles, context.current().language)
    await house.admission.refresh()
    tables = [
        lobby_filter.shown(head.stream_id, head.version, summaries.read(head.summary), show, house.admission.is_off)
        for head in page
    ]
    return pb.ListTablesResponse(tables=tables, next_page_token=token)
