"""Opening a table: its first event."""

import uuid

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import denials, requests
from services.database import retry
from services.dealer import opening, templates
from services.dealer.context import House
from services.eventlog import log, records
from services.house.templates import Terms
from services.journal import log_rows
from services.privacy import texts
from services.registry import limits
from services.rules.text import Text
from services.runtime.errors import Problem, Reason
from services.runtime.identity import Caller, Role
from services.runtime.pools import Connection
from services.table import event_fold, events, full_table


async def create(house: House, request: pb.CreateTableRequest, caller: Caller) -> pb.CreateTableResponse:
    """Open a table once, however often the request is sent. Raises Problem.

    A player opens a bounded number of tables (setting ``tables_per_player``); they count until they are closed.
    """
    command = requests.command(caller.subject, request)
    async with house.pool.connection() as conn:
        known = await log.find_request(conn, command.key)
    if known is not None:
        if known.digest != command.digest:
            raise requests.conflict()
        return pb.CreateTableResponse.FromString(known.answer)
    made, warnings = opening.opening(request, caller, house.settings, await _terms(house, request, caller))
    if caller.role is Role.PLAYER and request.title:
        made = msgspec.structs.replace(made, title=await house.seal(caller.subject, texts.TITLE, request.title))
    await house.admission.look()
    house.admission.refuse(game=made.game, player=caller.subject)
    house.tables.refuse_family(made.family, made.game)
    table_id = str(uuid.uuid4())
    event = events.TableOpened(at_ms=house.now_ms(), opening=made, next_seed=house.vault.next_seed(table_id, 1))
    core = event_fold.opened(table_id, event)
    answer = pb.CreateTableResponse(table_id=table_id, version=1, warnings=warnings)
    one = log_rows.append(
        core, [event], house.metadata(caller, "CreateTable"), command, answer.SerializeToString(), follows=None
    )
    done = await (_append_for(house, caller, one) if caller.role is Role.PLAYER else house.appender.append(one))
    if done.outcome == records.REQUEST_CONFLICT:
        raise requests.conflict()
    if done.outcome == records.ALREADY_APPENDED:
        return pb.CreateTableResponse.FromString(done.answer)
    house.tables.changed(full_table.of_core(core))
    return answer


async def _terms(house: House, request: pb.CreateTableRequest, caller: Caller) -> Terms | None:
    """Find the template that a table is opened from; None at a test table with rules of its own. Raises Problem."""
    if not request.template_id:
        opening.game_named(request.game)
        if opening.has_rules_of_its_own(request, caller, house.settings):
            return None
    terms = await templates.wanted(house.pool, request.template_id or request.game)
    return templates.for_caller(terms, caller)


async def _append_for(house: House, caller: Caller, one: records.Append) -> records.Appended:
    """Open a player's table unless it is excluded or has enough of them open, all at one moment. Raises Problem."""
    assert one.request_key is not None, "a table is opened by a request"

    async def append(conn: Connection) -> records.Appended:
        await limits.lock(conn, caller.subject)
        if await log.find_request(conn, one.request_key or "") is None:
            await _refuse(house, conn, caller.subject)
        [done] = await log.append(conn, [one])
        return done

    return await retry.transaction(house.pool.connection, append)


async def _refuse(house: House, conn: Connection, player: str) -> None:
    """Raise Problem (``EXCLUDED``, ``LIMIT_REACHED``) where a player may open no table now."""
    excluded = await limits.excluded(conn, player, house.now_ms())
    if excluded is not None:
        raise denials.excluded(excluded.amount or 0, excluded.set_by)
    most = house.settings.tables_per_player
    open_now, _ = await log.list_streams(conn, {"opened_by": player, "closed": False}, size=max(1, most))
    if len(open_now) >= most:
        raise Problem(
            Reason.LIMIT_REACHED,
            f"you have {len(open_now)} open tables; a player has at most {most}, close one that nobody uses",
            metadata={"limit": "tables", "most": most},
            text=Text(
                f"You may have {most} open tables at most; close one that nobody uses.",
                f"每位玩家最多可開 {most} 張桌；請先關閉其中一張無人使用的桌。",
                f"每位玩家最多可开 {most} 张桌；请先关闭其中一张无人使用的桌。",
            ),
        )
