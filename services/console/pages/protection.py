"""What is done to a player: a freeze, an exclusion, and a change of the wallet that a second person decides."""

import datetime as dt
from typing import Final

from pitboss.v1 import back_office_pb2 as pb
from starlette.responses import Response

from services.console.desk import Desk, WrongForm

_TEXT: Final = "%Y-%m-%d"


async def freeze(desk: Desk) -> Response:
    """Switch a player off, or on again."""
    off = desk.form.get("off", "1") == "1"
    request = pb.SetSwitchRequest(
        request_id=desk.command(),
        scope=pb.SWITCH_SCOPE_PLAYER,
        subject=desk.path("player"),
        off=off,
        reason=desk.text("reason"),
    )
    await desk.house.call(desk.house.office.SetSwitch, request)
    return desk.back(f"/players/{desk.path('player')}", "frozen" if off else "thawed")


async def exclude(desk: Desk) -> Response:
    """Exclude a player until the end of a day (UTC)."""
    request = pb.SetLimitRequest(
        request_id=desk.command(),
        player=desk.path("player"),
        kind=pb.LIMIT_KIND_EXCLUSION,
        reason=desk.text("reason"),
    )
    request.until_time.FromDatetime(_end_of(desk.form.get("until", "")))
    await desk.house.call(desk.house.office.SetLimit, request)
    return desk.back(f"/players/{desk.path('player')}", "excluded")


async def adjust(desk: Desk) -> Response:
    """Request a change of the wallet."""
    request = pb.RequestAdjustmentRequest(
        request_id=desk.command(),
        player=desk.path("player"),
        currency=desk.form.get("currency", ""),
        amount=desk.number("amount"),
        reason=desk.text("reason"),
    )
    await desk.house.call(desk.house.office.RequestAdjustment, request)
    return desk.back(f"/players/{desk.path('player')}", "requested")


def _end_of(day: str) -> dt.datetime:
    try:
        found = dt.datetime.strptime(day.strip(), _TEXT).replace(tzinfo=dt.UTC) + dt.timedelta(days=1)
    except (ValueError, OverflowError):
        raise WrongForm("wrong.date") from None
    if found <= dt.datetime.now(dt.UTC):
        raise WrongForm("wrong.date")
    return found
