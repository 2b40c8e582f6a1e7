"""Opening a table: its first event."""

import time
import uuid

from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests, stored
from services.dealer import opening
from services.dealer.house import House
from services.eventlog import log, records
from services.runtime.identity import Caller
from services.table import events, folding, live


async def create(house: House, request: pb.CreateTableRequest, caller: Caller) -> pb.CreateTableResponse:
    """Open a table once, however often the request is sent. Raises Problem."""
    command = requests.command(caller.subject, request)
    async with house.pool.connection() as conn:
        known = await log.find_request(conn, command.key)
    if known is not None:
        if known.digest != command.digest:
            raise requests.conflict()
        return pb.CreateTableResponse.FromString(known.answer)
    made, warnings = opening.opening(request, caller, house.settings)
    await house.doors.look()
    house.doors.refuse(game=made.game, player=caller.subject)
    house.tables.refuse_family(made.family, made.game)
    table_id = str(uuid.uuid4())
    event = events.TableOpened(
        at_ms=time.time_ns() // 1_000_000, opening=made, next_seed=house.vault.next_seed(table_id, 1)
    )
    core = folding.opened(table_id, event)
    answer = pb.CreateTableResponse(table_id=table_id, version=1, warnings=warnings)
    done = await house.appender.append(
        stored.append(core, [event], house.metadata(caller, "CreateTable"), command, answer.SerializeToString())
    )
    if done.outcome == records.REQUEST_CONFLICT:
        raise requests.conflict()
    if done.outcome == records.ALREADY_APPENDED:
        return pb.CreateTableResponse.FromString(done.answer)
    house.tables.changed(live.of_core(core))
    return answer
