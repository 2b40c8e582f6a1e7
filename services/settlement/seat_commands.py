"""The commands that bring chips to a table and take them away, one class for each: what it decides and replies."""

from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2 as pb

from services.contract import requests
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.privacy.texts import PlayerKey
from services.registry import seat_waits
from services.rules import chips
from services.rules.refusals import Reason, Refused
from services.runtime.identity import LONGEST_NAME, Role
from services.runtime.pools import Connection
from services.settlement import seat_offers, wallet_bounds
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.table import commands, events, idle, money, persons, rules_move
from services.table.events import Event
from services.table.public_table import PublicTable

Answer = TypeVar("Answer", bound=Message)


class CallersCommand(MoneyCommand[Answer]):
    """A money command that a dealer passes on for a caller."""

    def __init__(self, request: Any, digest: bytes = b"") -> None:
        """Return the caller and the table of a command. Raises Refused (``INVALID_ARGUMENT``, ``TABLE_NOT_FOUND``)."""
        self.who = requests.caller_of(request)
        super().__init__(
            requests.table_id(request),
            self.who.subject,
            self.who.role,
            requests.command(self.who.subject, request, digest),
            requests.expected_version(request),
        )


async def _require_bring(conn: Connection, core: PublicTable, admission: Admission, player: str, amount: int) -> None:
    """Check that a player may bring chips to this table now. Raises Refused."""
    await wallet_bounds.see_bank(conn, core.opening.currency)
    await admission.bring(conn, core, player, amount)


class BuyIn(CallersCommand[pb.BuyInResponse]):
    """Takes a seat with chips from the wallet."""

    kind = "TakeSeat"
    answer_type = pb.BuyInResponse

    def __init__(
        self, request: pb.BuyInRequest, admission: Admission, keys: PlayerKeys, *, offers_made: bool = False
    ) -> None:
        super().__init__(request, request.request_digest)
        self._offers_made = offers_made
        self._amount = requests.amount(request.amount, "buy_in", least=0)
        self._seat = request.seat if request.HasField("seat") else None
        self._shown = requests.text(self.who.name, "on_behalf.name", LONGEST_NAME) or self.who.subject
        self._avatar = self.who.avatar if persons.is_avatar(self.who.avatar) else ""
        self._admission, self._keys = admission, keys
        self._key: PlayerKey | None = None

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Check limits, switches and those who wait, and read the player's key. Raises SeatsOwed, Refused."""
        await seat_waits.use(conn, self.actor, core.table_id)
        if not self._offers_made:
            await seat_offers.refuse_owed(conn, core, self.actor, self._admission.clock())
        await _require_bring(conn, core, self._admission, self.actor, self._amount)
        self._key = await self._keys.of_player(conn, self.actor)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the seat that is taken, under the sealed name."""
        assert self._key is not None, "the key is read before anything is decided"
        name = texts.seal_text(self._key, texts.NAME, self._shown)
        chosen = money.choose_seat(
            table,
            player=self.actor,
            name=name,
            test=self.who.test,
            seat=self._seat,
            buy_in=self._amount,
            avatar=texts.seal_text(self._key, texts.AVATAR, self._avatar) if self._avatar else "",
            at_ms=now_ms,
        )
        return [events.SeatTaken(at_ms=now_ms, seat=chosen)]

    def reply(self, table: PublicTable, made: list[Event]) -> pb.BuyInResponse:
        """Return the seat."""
        taken = made[0]
        assert isinstance(taken, events.SeatTaken), "a buy-in takes a seat"
        return pb.BuyInResponse(seat=taken.seat.seat, version=table.version)


class TopUp(CallersCommand[pb.TopUpResponse]):
    """Adds chips to a seat."""

    kind = "AddChips"
    answer_type = pb.TopUpResponse

    def __init__(self, request: pb.TopUpRequest, admission: Admission) -> None:
        super().__init__(request)
        self._amount = requests.amount(request.amount, "amount")
        self._admission = admission

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Check limits and switches."""
        await _require_bring(conn, core, self._admission, self.actor, self._amount)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the chips added."""
        return money.add_chips(table, self.actor, self._amount, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.TopUpResponse:
        """Return the table's version."""
        return pb.TopUpResponse(version=table.version)


class CashOut(CallersCommand[pb.CashOutResponse]):
    """Pays a seat out, or records that it leaves when the round is settled."""

    kind = "LeaveSeat"
    answer_type = pb.CashOutResponse

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return that the seat is left, or that this was asked for; nothing where it was asked for before."""
        return money.leave(table, self.actor, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.CashOutResponse:
        """Return whether the seat is left when the round is settled."""
        return pb.CashOutResponse(version=table.version, after_round=table.seat_of(self.actor) is not None)


class CloseOut(CallersCommand[pb.CloseOutResponse]):
    """Pays every seat out and closes the table; a player may close only an unused table that it opened."""

    kind = "CloseTable"
    answer_type = pb.CloseOutResponse

    def __init__(self, request: pb.CloseOutRequest, keys: PlayerKeys) -> None:
        super().__init__(request)
        self._reason = requests.text(request.reason, "reason", commands.LONGEST_REASON, least=1)
        self._keys = keys
        self._key: PlayerKey | None = None

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Read the key of a player, whose reason is sealed."""
        if self.role == Role.PLAYER:
            self._key = await self._keys.of_player(conn, self.actor)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the close, with what each seat is paid."""
        unused = not table.seats and not table.pot
        if self.role == Role.PLAYER and not (unused and table.opening.opened_by == self.actor):
            message = "a player may close only a table that it has opened, while nobody sits there"
            raise Refused(Reason.PERMISSION_DENIED, message)
        if self.role != Role.PLAYER:
            persons.refuse_seated(table, self.actor)
        reason = self._reason if self._key is None else texts.seal_text(self._key, texts.REASON, self._reason)
        return money.close(table, reason, self.actor, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.CloseOutResponse:
        """Return the table's version."""
        return pb.CloseOutResponse(version=table.version)


class MoveOut(CallersCommand[pb.MoveOutResponse]):
    """Moves a table to another version of its game's rules; does nothing where it has that version."""

    kind = "MoveRules"
    answer_type = pb.MoveOutResponse

    def __init__(self, request: pb.MoveOutRequest) -> None:
        super().__init__(request)
        self._version = request.rules_version
        self._reason = requests.text(request.reason, "reason", commands.LONGEST_REASON, least=1)
        self._was = 0

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the move."""
        persons.refuse_seated(table, self.actor)
        self._was = table.opening.version
        return rules_move.move(
            table,
            self._version,
            moved_by=self.actor,
            reason=self._reason,
            at_ms=now_ms,
            least_return=rules_move.least_return(table, self._version),
        )

    def reply(self, table: PublicTable, made: list[Event]) -> pb.MoveOutResponse:
        """Return the table's version, and that of the rules before."""
        return pb.MoveOutResponse(version=table.version, rules_version_before=self._was)


class CloseIdle(MoneyCommand[pb.CloseOutResponse]):
    """Pays every seat out and closes a table that nobody has used for too long; does nothing where somebody has."""

    kind = "CloseTable"
    answer_type = pb.CloseOutResponse

    def __init__(self, request: pb.CloseOutRequest) -> None:
        super().__init__(requests.table_id(request), idle.CLOSED_BY, Role.SERVICE.value)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the close, with what each seat is paid; nothing where the table is not idle any more."""
        return money.close_idle(table, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.CloseOutResponse:
        """Return the table's version."""
        return pb.CloseOutResponse(version=table.version)


class FundPot(CallersCommand[pb.FundPotResponse]):
    """Puts the house's chips into the carried pool of a test table."""

    kind = "FundPot"
    answer_type = pb.FundPotResponse

    def __init__(self, request: pb.FundPotRequest, *, scripted_decks: bool) -> None:
        super().__init__(request)
        self._amount = requests.amount(request.amount, "pot")
        self._scripted_decks = scripted_decks

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the chips put into the pool."""
        commands.require_open(table)
        persons.refuse_seated(table, self.actor)
        room = max(0, chips.MOST_CHIPS - table.pot)
        if self._amount > room:
            message = f"{self._amount} chips; this pool has room for {room} more"
            raise Refused(Reason.AMOUNT_OUT_OF_RANGE, message, metadata={"greatest": room})
        if not (self._scripted_decks and table.opening.scripted and table.opening.test):
            message = "only test tables can be funded, in a house that permits scripted decks"
            raise Refused(Reason.SCRIPTED_DECKS_OFF, message)
        return [events.PotFunded(at_ms=now_ms, chips=self._amount)]

    def reply(self, table: PublicTable, made: list[Event]) -> pb.FundPotResponse:
        """Return the table's version."""
        return pb.FundPotResponse(version=table.version)
