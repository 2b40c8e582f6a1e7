"""Any open seat of a game and stake."""

from typing import Any, Final

import grpc
from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import settlement_pb2 as cashier_pb

from services.commands import runner
from services.contract import requests
from services.dealer import cashier, lobby_filter, templates
from services.dealer.context import DealerContext
from services.eventlog import log
from services.eventlog.records import StreamHead
from services.house.templates import Terms, sizes_and_times
from services.journal import summaries
from services.journal.log_rows import Command
from services.rules import chips
from services.rules.refusals import Reason, Refused
from services.runtime import errors
from services.runtime.identity import Caller

MOST_PER_PAGE: Final = 100
"""Tables among which a quick seat is looked for."""
MOST_TRIED: Final = 20
"""Maximum tables that a quick seat tries before it is refused."""

_NEXT_TABLE: Final = {
    Reason.TABLE_FULL,
    Reason.SEAT_HELD,
    Reason.SEAT_RESERVED,
    Reason.SEAT_TAKEN,
    Reason.MATCH_IN_PROGRESS,
    Reason.TABLE_CLOSED,
    Reason.ALREADY_SEATED,
    Reason.AMOUNT_OUT_OF_RANGE,
}


async def take_any_seat(house: DealerContext, request: pb.TakeAnySeatRequest, caller: Caller) -> pb.TakeAnySeatResponse:
    """Take an open seat of a game and stake; a repeated request returns the same seat. Raises Refused."""
    command = requests.command(caller.subject, request)
    if (seated := await _seated(house, command)) is not None:
        return seated
    check(request)
    house.tables.refuse_family(requests.game_named(request.game).family, request.game)
    await house.admission.refresh()
    house.admission.refuse(game=request.game, player=caller.subject)
    for table_id in await _candidates(house, request, caller):
        try:
            await house.cashier.stub.BuyIn(
                cashier_pb.BuyInRequest(
                    request_id=request.request_id,
                    table_id=table_id,
                    amount=request.buy_in,
                    on_behalf=cashier.on_behalf(caller),
                    request_digest=command.digest,
                )
            )
        except grpc.aio.AioRpcError as error:
            refusal = errors.from_upstream(error)
            if refusal is None or refusal.reason not in _NEXT_TABLE:
                raise
            continue
        # The same request, sent twice at once, may have got its seat at another table.
        seated = await _seated(house, command)
        assert seated is not None, "a buy-in is in the log"
        await house.refresh(seated.table_id)
        return seated
    message = f"no open seat of {request.game} at this stake takes {request.buy_in} chips now; open a table or wait"
    raise Refused(Reason.TABLE_FULL, message, metadata={"buy_in": request.buy_in})


def check(request: pb.TakeAnySeatRequest) -> None:
    """Check what is wrong at every table. Raises Refused (``AMOUNT_OUT_OF_RANGE``, ``INVALID_ARGUMENT``)."""
    if not 1 <= request.buy_in <= chips.MOST_CHIPS:
        message = f"{request.buy_in} chips; a buy-in is 1 to {chips.MOST_CHIPS}"
        bounds = {"least": 1, "greatest": chips.MOST_CHIPS}
        raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata=bounds, fields=[("buy_in", message)])
    requests.amount(request.stake, "stake", least=0)
    templates.refuse_too_many(request.template_ids)


async def _seated(house: DealerContext, command: Command) -> pb.TakeAnySeatResponse | None:
    """Return the seat that a request has taken already. Raises Refused (``REQUEST_CONFLICT``)."""
    known = await runner.known_request(command, house.pool.connection())
    if known is None:
        return None
    answer = cashier_pb.BuyInResponse.FromString(known.answer)
    return pb.TakeAnySeatResponse(table_id=known.stream_id, seat=answer.seat, version=answer.version)


async def _candidates(house: DealerContext, request: pb.TakeAnySeatRequest, caller: Caller) -> list[str]:
    """List the tables to try: public ones of the wanted templates as they are in force now. Raises Refused.

    A table whose seats or times were varied is not among them.
    """
    page: list[StreamHead] = []
    async for terms in templates.named(house.pool, request.game, request.template_ids):
        page += await _open_tables(house, request, caller, terms)
    # The fullest tables first: a game needs players.
    by_seats = sorted(page, key=lambda head: -summaries.read(head.summary).seats_taken)
    open_to_all = [head for head in by_seats if not house.admission.is_off(game=request.game, table=head.stream_id)]
    return [head.stream_id for head in open_to_all[:MOST_TRIED]]


async def _open_tables(
    house: DealerContext, request: pb.TakeAnySeatRequest, caller: Caller, terms: Terms
) -> list[StreamHead]:
    wanted: dict[str, Any] = {
        "game": request.game,
        "open_seats": True,
        "closed": False,
        "test": caller.test,
        "private": False,
        "template_id": terms.template_id,
        "template_version": terms.version,
        # The opener of a table may have made it wait for an hour, or for more seats than ever come.
        "sizes_and_times": sizes_and_times(terms.rules),
    }
    if request.stake:
        wanted["stake"] = request.stake
    if request.currency:
        wanted["currency"] = requests.text(request.currency, "currency", lobby_filter.LONGEST)
    async with house.pool.connection() as conn:
        return await log.list_streams(conn, wanted, limit=MOST_PER_PAGE)
