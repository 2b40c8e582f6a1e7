"""The lines of the ledger behind a number of a report, with their sum."""

from typing import Final

from pitboss.v1 import back_office_pb2 as pb

from services.contract import pages, wire_sums, wire_tables
from services.database import retry
from services.ledger import choice
from services.ledger.choice import Choice, ChosenLeg
from services.rules import catalogue
from services.rules.refusals import invalid
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement.backoffice import request_fields

Key = tuple[pages.Number, pages.Id, pages.Number]
_MILLISECOND: Final = 1000


async def listed(pool: Pool, settings: Settings, request: pb.ListLedgerLinesRequest) -> pb.ListLedgerLinesResponse:
    """Return one page of lines, and with the first one the sum of all. Raises Refused."""
    within, size = request_fields.span(request), request_fields.page_size(request)
    chosen = Choice(
        request_fields.real_currency(request, settings),
        within.from_ms,
        within.to_ms,
        _one_of(request.account_kind, "account_kind", choice.ACCOUNT_KINDS),
        _one_of(request.entry_kind, "entry_kind", choice.ENTRY_KINDS),
        request.game,
    )
    if request.game and request.game not in catalogue.FILES:
        raise invalid("game", f"there is no game {request.game[:64]!r}; ListGames shows all")
    after = pages.after(request, Key, choice.FIRST)

    async def read(conn: Connection) -> tuple[list[ChosenLeg], int]:
        found = await choice.page(conn, chosen, after, size + 1)
        return found, 0 if request.page_token else await choice.total(conn, chosen)

    found, total = await retry.at_one_moment(pool.connection, read)
    shown, token = pages.cut(request, found, size, lambda one: one.place)
    empty = not found and not request.page_token
    return pb.ListLedgerLinesResponse(
        header=request_fields.header(
            settings, "Lines of the ledger", chosen.currency, within, empty=empty, sums_shown=(total,)
        ),
        lines=[_wire(one) for one in shown],
        next_page_token=token,
        total=wire_sums.fitting(total),
    )


def _one_of(asked: str, field: str, known: tuple[str, ...]) -> str:
    if asked and asked not in known:
        raise invalid(field, f"one of {', '.join(known)}, or none for all", choices=list(known))
    return asked


def _wire(one: ChosenLeg) -> pb.LedgerLine:
    return pb.LedgerLine(
        entry_id=one.entry_id,
        number=one.number,
        entry_time=wire_tables.timestamp(one.at_us // _MILLISECOND),
        kind=one.kind,
        account=one.account,
        amount=one.amount,
        balance_after=one.balance_after,
        reason=one.reason,
        table_id=one.table or "",
        round_number=one.round or 0,
        actor=one.actor,
    )
