"""The operation of the house: what is switched off, what was significant, and the newest checkpoints."""

import asyncio
from typing import Final

from pitboss.v1 import audit_pb2
from pitboss.v1 import back_office_pb2 as pb
from starlette.responses import Response

from services.console import subjects
from services.console.desk import ROWS, Desk
from services.rules import catalogue

SCOPES: Final = {"house": pb.SWITCH_SCOPE_HOUSE, "game": pb.SWITCH_SCOPE_GAME}
"""What is switched from this page; tables and players are switched from their own."""


async def operation(desk: Desk) -> Response:
    """Show switches, significant events and checkpoints."""
    house, office = desk.house, desk.house.office
    switches, events, checkpoints = await asyncio.gather(
        house.call(office.ListSwitches, pb.ListSwitchesRequest(page_size=100)),
        house.call(
            office.ListSignificantEvents,
            pb.ListSignificantEventsRequest(
                kind=desk.query("kind"), page_size=ROWS, page_token=desk.query("events"), order_by="event_time desc"
            ),
        ),
        house.call(house.audit.ListCheckpoints, audit_pb2.ListCheckpointsRequest(page_size=5)),
    )
    return desk.render(
        "operation.html",
        switches=switches.switches,
        events=events,
        checkpoints=checkpoints,
        games=[(one.id, one.name.within(desk.language)) for one in catalogue.games()],
        scope=pb.SwitchScope.Name,
        address=subjects.address,
        actor_address=subjects.actor_address,
    )


async def switch(desk: Desk) -> Response:
    """Switch a game, or the whole house, off or on."""
    what, off = desk.form.get("scope", "game"), desk.form.get("off", "1") == "1"
    scope = next((one for name, one in SCOPES.items() if name == what), pb.SWITCH_SCOPE_GAME)
    request = pb.SetSwitchRequest(
        request_id=desk.command(),
        scope=scope,
        subject="" if scope == pb.SWITCH_SCOPE_HOUSE else desk.form.get("subject", ""),
        off=off,
        reason=desk.text("reason"),
    )
    await desk.house.call(desk.house.office.SetSwitch, request)
    return desk.back("/operation", "switched_off" if off else "switched_on")
