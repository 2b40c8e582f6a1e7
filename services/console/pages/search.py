"""One box that takes any id: a table, a round, a player, or a number of a checkpoint."""

import re
from typing import Final

from pitboss.client import Refused
from pitboss.v1 import audit_pb2
from starlette.responses import RedirectResponse, Response

from services.console import subjects
from services.console.desk import Desk
from services.runtime.identity import SUBJECT

_ROUND: Final = re.compile(r"([0-9a-f-]{32,36}|[A-Za-z0-9_-]{8,64})\s*(?:[/#:]|\s)\s*(\d{1,12})")


async def search(desk: Desk) -> Response:
    """Lead to what an id names; where it names nothing, say so and what would be found."""
    wanted = desk.query("q")
    if not wanted:
        return RedirectResponse("/floor", 303)
    if (found := _ROUND.fullmatch(wanted)) is not None and await _is_table(desk, found[1]):
        return RedirectResponse(f"/rounds/{found[1]}/{found[2]}", 303)
    if await _is_table(desk, wanted):
        return RedirectResponse(f"/tables/{wanted}", 303)
    if wanted.isdigit() and await _is_checkpoint(desk, int(wanted)):
        return RedirectResponse(f"/operation#checkpoint-{wanted}", 303)
    if where := subjects.address(wanted) or (subjects.address(f"player {wanted}") if SUBJECT.fullmatch(wanted) else ""):
        return RedirectResponse(where, 303)
    return desk.render("search.html", 404, wanted=wanted)


async def _is_table(desk: Desk, table_id: str) -> bool:
    try:
        await desk.house.table(table_id)
    except Refused as refused:
        if refused.reason in ("TABLE_NOT_FOUND", "INVALID_ARGUMENT", "MALFORMED_REQUEST"):
            return False
        raise
    return True


async def _is_checkpoint(desk: Desk, number: int) -> bool:
    if not 0 < number < 1 << 62:
        return False
    request = audit_pb2.ListCheckpointsRequest(number=number)
    return bool((await desk.house.call(desk.house.audit.ListCheckpoints, request)).checkpoints)
