"""Waiting for a seat at any table of a game and stake: joining and leaving the line."""

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.contract import requests, wire_line
from services.dealer import cashier, lobby, lobby_filter, templates
from services.dealer.context import DealerContext
from services.house.templates import sort_key
from services.rules.refusals import invalid
from services.runtime.identity import Caller


async def join(house: DealerContext, request: pb.WaitForAnySeatRequest, caller: Caller) -> pb.WaitForAnySeatResponse:
    """Wait for a seat at any table of a game and stake. Raises Refused."""
    game = requests.game_named(request.game)
    house.tables.refuse_family(game.family, request.game)
    if len(request.template_ids) > lobby.MOST_TEMPLATES:
        message = f"{len(request.template_ids)} are named; name at most {lobby.MOST_TEMPLATES}"
        raise invalid("template_ids", message)
    if request.currency:
        requests.text(request.currency, "currency", lobby_filter.LONGEST)
    fits = []
    for name in list(dict.fromkeys(request.template_ids)) or [request.game]:
        terms = await templates.wanted(house.pool, name)
        if terms.game != request.game:
            raise invalid("template_ids", f"{name!r} is a template of {terms.game}, not of {request.game}")
        fits.append(sort_key(terms.template_id, terms.version, terms.rules))
    answer = await house.cashier.stub.JoinAnyLine(
        cashier_pb.JoinAnyLineRequest(
            request_id=request.request_id,
            game=request.game,
            stake=request.stake,
            currency=request.currency,
            fits=fits,
            on_behalf=cashier.on_behalf(caller),
            request_digest=requests.content_digest(request),
        )
    )
    return pb.WaitForAnySeatResponse(
        place=answer.place, waiting=answer.waiting, expire_time=wire_line.moment(answer.until_ms)
    )


async def stop(house: DealerContext, request: pb.StopWaitingRequest, caller: Caller) -> pb.StopWaitingResponse:
    """Wait no longer for a seat at any table. Raises Refused."""
    await house.cashier.stub.LeaveAnyLine(
        cashier_pb.LeaveAnyLineRequest(
            request_id=request.request_id,
            on_behalf=cashier.on_behalf(caller),
            request_digest=requests.content_digest(request),
        )
    )
    return pb.StopWaitingResponse()
