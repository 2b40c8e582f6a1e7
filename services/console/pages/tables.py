"""A table as a spectator sees it, with its players' names for staff; voiding its round, and closing it."""

from pitboss.v1 import dealer_pb2, table_pb2
from starlette.responses import Response

from services.console import rulebook
from services.console.desk import Desk
from services.console.pages.floor import Row


async def table(desk: Desk) -> Response:
    """Show one table."""
    view = await desk.house.table(desk.path("table"))
    row = Row(view.table, view)
    zones: dict[int | None, list[table_pb2.Zone]] = {}
    for zone in view.round.zones:
        zones.setdefault(zone.owner if zone.HasField("owner") else None, []).append(zone)
    return desk.render(
        "table.html",
        row=row,
        view=view,
        seats={seat.seat: seat for seat in view.round.seats},
        zones=zones,
        word=rulebook.speller(view.table.game, view.table.rules_version, desk.language),
        game=rulebook.name(view.table.game, desk.language),
        state=table_pb2.TableState.Name,
        seat_state=table_pb2.SeatState.Name,
    )


async def void(desk: Desk) -> Response:
    """Void the running round, or request it where the chips at risk need a second person."""
    table_id = desk.path("table")
    request = dealer_pb2.VoidRoundRequest(request_id=desk.command(), table_id=table_id, reason=desk.text("reason"))
    answer = await desk.house.call(desk.house.dealer.VoidRound, request)
    return desk.back(f"/tables/{table_id}", "void_waits" if answer.waits_for_second_person else "voided")


async def close(desk: Desk) -> Response:
    """Close a table: its players get their chips back."""
    table_id = desk.path("table")
    request = dealer_pb2.CloseTableRequest(request_id=desk.command(), table_id=table_id, reason=desk.text("reason"))
    await desk.house.call(desk.house.dealer.CloseTable, request)
    return desk.back(f"/tables/{table_id}", "closed")
