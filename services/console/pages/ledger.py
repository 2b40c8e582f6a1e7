"""The lines of the ledger that a number is made of, and the money of a span as a file."""

import asyncio
from typing import Final

from pitboss.v1 import back_office_pb2 as pb
from starlette.responses import RedirectResponse, Response

from services.console import money_sheets, rulebook, spans
from services.console.desk import ROWS, Desk
from services.console.pages import money
from services.rules import catalogue

ACCOUNTS: Final = ("wallet", "seat", "pot", "house", "fees", "cashier")


async def lines(desk: Desk) -> Response:
    """Show a page of lines, newest first, with the sum of all."""
    span, account, game = spans.of_lines(desk), desk.query("account"), desk.query("game")
    if not desk.query("to"):  # until now: an address that keeps its meaning, also on its further pages
        where = span.lines(account, desk.query("kind"), game, currency=desk.query("currency"))
        return RedirectResponse(where, 303)
    request = pb.ListLedgerLinesRequest(
        currency=desk.query("currency"),
        from_time=span.from_time,
        to_time=span.to_time,
        account_kind=account,
        entry_kind=desk.query("kind"),
        game=game,
        page_size=ROWS,
    )
    first = await desk.house.call(desk.house.office.ListLedgerLines, request)
    found = first
    if token := desk.query("page"):
        request.page_token = token
        found = await desk.house.call(desk.house.office.ListLedgerLines, request)
    return desk.render(
        "ledger.html",
        span=span,
        account=account,
        entry_kind=desk.query("kind"),
        game=rulebook.name(game, desk.language) if game else "",
        total=first.total,
        found=found,
    )


async def export(desk: Desk) -> Response:
    """Return the money of a span as CSV or XLSX."""
    found = await money.read(desk)
    names = {one.id: one.name.within(desk.language) for one in catalogue.games()}
    rows = money_sheets.rows(found, names, desk.t)
    currency, day = found.held.header.currency, found.span.to_time.ToDatetime().strftime("%Y-%m-%d")
    if desk.query("format") == "xlsx":
        body, kind, ending = await asyncio.to_thread(money_sheets.workbook, rows), money_sheets.XLSX, "xlsx"
    else:
        body, kind, ending = money_sheets.text(rows), money_sheets.CSV, "csv"
    headers = {"content-disposition": f'attachment; filename="money-{currency}-{day}.{ending}"'}
    return Response(body, 200, headers | {"cache-control": "no-store"}, kind)
