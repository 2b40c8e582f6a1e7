"""Nicknames: checked by the rules in clear text, then sealed for the log."""

from collections.abc import Collection

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.contract import wire_tables
from services.dealer.admission import AdmissionPolicy, TableChanged
from services.dealer.context import DealerContext
from services.dealer.table_commands import Act
from services.privacy import texts
from services.rules import actions, personal
from services.rules.personal import Show
from services.runtime.identity import Caller
from services.table import public_table
from services.table.events import Event
from services.table.full_table import FullTable

KIND = "set_nickname"


class SetNickname(Act):
    """Sets a nickname: the rules see the clear texts of the table, the log gets the sealed one.

    It raises TableChanged where the table holds other texts than those that were opened for it.
    """

    def __init__(self, request: pb.ActRequest, caller: Caller, admission: AdmissionPolicy) -> None:
        super().__init__(request, caller, admission)
        assert isinstance(self.action, actions.SetNickname), "only a nickname is sealed"
        self._plain = self.action
        self._opened: Collection[str] = ()
        self._show: Show | None = None

    async def prepare(self, house: DealerContext) -> None:
        """Seal the nickname, and open the texts that the table holds now. Raises Refused, psycopg.Error."""
        sealed = await house.seal(self.actor, texts.NICKNAME, self._plain.name_)
        self.action = actions.SetNickname(name_=sealed or self._plain.name_)
        async with house.tables.checkout(self.table_id) as held:
            self._opened = wire_tables.texts_in(held.table.core)
        self._show = await house.names.shower(self._opened)

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the sealed nickname, where the rules and the other nicknames allow it."""
        if wire_tables.texts_in(table.core) != self._opened:
            raise TableChanged
        assert self._show is not None, "the table's texts were opened"
        self._require_free(table, self._show)
        return super().decide(table, now_ms)

    def _require_free(self, table: FullTable, show: Show) -> None:
        """Check a nickname against the rules and the other nicknames. Raises Refused (``ILLEGAL_ACTION``)."""
        seat = table.core.seat_of(self.actor)
        if seat is None or table.core.phase != public_table.OPEN:
            return
        found = table.core.for_rules()
        opened = msgspec.structs.replace(
            found, names=personal.shown_in(found.names, show), memory=personal.shown_in(found.memory, show)
        )
        table.game.between(table.rules, opened, seat.seat, self._plain)
