"""A player's action at a table: what ``Act`` and ``Play`` do with one."""

from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests
from services.dealer import nicknames, table_commands
from services.dealer.admission import until_unchanged
from services.dealer.context import DealerContext
from services.rules import actions
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller


async def act(house: DealerContext, request: pb.ActRequest, caller: Caller) -> pb.ActResponse:
    """Act for the caller's own seat; actions between rounds wait until the last round is settled. Raises Refused."""
    requests.table_id(request)
    kind = request.action.WhichOneof("kind") or ""
    if actions.BY_NAME.get(kind, actions.Action).between_rounds:
        await house.admission.refresh()
        await house.settle_if_due(request.table_id)
    try:
        if kind == nicknames.KIND:
            return await _set_nickname(house, request, caller)
        return await house.run(table_commands.Act(request, caller, house.admission))
    except Refused as refusal:
        if refusal.reason is Reason.LIMIT_REACHED:
            # In a running round an exclusion acts as a limit of 0; the refusal says which of the two it is.
            await house.admission.refuse_excluded(caller.subject)
        raise


async def _set_nickname(house: DealerContext, request: pb.ActRequest, caller: Caller) -> pb.ActResponse:
    """Set a nickname; it is sealed first, among the texts that the table then holds."""

    async def once() -> pb.ActResponse:
        command = nicknames.SetNickname(request, caller, house.admission)
        await command.prepare(house)
        return await house.run(command)

    return await until_unchanged(once, "names at this table")
