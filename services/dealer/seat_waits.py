"""Waiting for a seat at any table of a game and stake: joining and leaving the line."""

from collections.abc import Sequence

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.contract import requests, wire_line
from services.dealer import cashier, lobby_filter, templates
from services.dealer.context import DealerContext
from services.house.templates import Terms, sort_key
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller
from services.runtime.settings import TEST_CURRENCY, Settings


async def join(house: DealerContext, request: pb.WaitForAnySeatRequest, caller: Caller) -> pb.WaitForAnySeatResponse:
    """Wait for a seat at any table of a game and stake. Raises Refused."""
    game = requests.game_named(request.game)
    house.tables.refuse_family(game.family, request.game)
    templates.refuse_too_many(request.template_ids)
    found = [terms async for terms in templates.named(house.pool, request.game, request.template_ids)]
    answer = await house.cashier.stub.JoinAnyLine(
        cashier_pb.JoinAnyLineRequest(
            request_id=request.request_id,
            game=request.game,
            stake=request.stake,
            currency=_currency(request.currency, house.settings, found, test=caller.test),
            fits=[sort_key(terms.template_id, terms.version, terms.rules) for terms in found],
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


def _currency(asked: str, settings: Settings, templates_: Sequence[Terms], *, test: bool) -> str:
    """Return the currency that a player waits for: any for "", and test money for a test player.

    Raises Refused (``WRONG_CURRENCY``) for one that no table of these templates has, or that the player does not have.
    """
    if test:
        known = [TEST_CURRENCY]
    else:
        real = [one for one in settings.all_currencies() if one != TEST_CURRENCY]
        known = [one for one in real if any(not terms.currencies or one in terms.currencies for terms in templates_)]
    if asked and asked not in known:
        message = (
            f"{asked[: lobby_filter.LONGEST]!r}; the tables that you may wait for have {', '.join(known) or 'none'}"
        )
        raise Refused(
            Reason.WRONG_CURRENCY,
            message,
            fields=[("currency", message)],
            metadata={"currency_choices": ",".join(known)} if known else None,
        )
    return TEST_CURRENCY if test else asked
