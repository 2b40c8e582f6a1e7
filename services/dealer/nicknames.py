"""Nicknames: checked by the rules in clear text, then sealed for the log."""

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import wire_actions, wire_tables
from services.dealer import table_commands
from services.dealer.admission import TableChanged
from services.dealer.commands import TableCommand
from services.dealer.context import DealerContext
from services.privacy import texts
from services.rules import actions, personal
from services.rules.personal import Show
from services.runtime.identity import Caller
from services.table import public_table
from services.table.events import Event
from services.table.full_table import FullTable

KIND = "set_nickname"


async def job(house: DealerContext, request: pb.ActRequest, caller: Caller) -> TableCommand[pb.ActResponse]:
    """Return the command that sets a nickname. Raises Refused, psycopg.Error.

    The command raises TableChanged if the table holds other texts than those that were opened for it.
    """
    plain = table_commands.acting(request)
    assert isinstance(plain, actions.SetNickname), "only a nickname is sealed"
    sealed = await house.seal(caller.subject, texts.NICKNAME, plain.name_)
    async with house.tables.checkout(request.table_id) as table:
        opened = wire_tables.texts_in(table.core)
    show = await house.names.shower(opened)

    def decide(at: FullTable, now_ms: int) -> list[Event]:
        if wire_tables.texts_in(at.core) != opened:
            raise TableChanged
        _require_free(at, caller, plain, show)
        return decided(at, now_ms)

    written = pb.ActRequest()
    written.CopyFrom(request)
    written.action.CopyFrom(wire_actions.to_wire(actions.SetNickname(name_=sealed or plain.name_)))
    inner = table_commands.act(written, caller, house.admission)
    decided = inner.decide
    return msgspec.structs.replace(
        inner, decide=decide, command=table_commands.act(request, caller, house.admission).command
    )


def _require_free(table: FullTable, caller: Caller, plain: actions.SetNickname, show: Show) -> None:
    """Check a nickname against the rules and the other nicknames. Raises Refused (``ILLEGAL_ACTION``)."""
    seat = table.core.seat_of(caller.subject)
    if seat is None or table.core.phase != public_table.OPEN:
        return
    found = table.core.for_rules()
    opened = msgspec.structs.replace(
        found, names=personal.shown_in(found.names, show), memory=personal.shown_in(found.memory, show)
    )
    table.game.between(table.rules, opened, seat.seat, plain)
