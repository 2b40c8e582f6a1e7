"""Settlement's methods for dealers: chips between wallets and seats, ended, voided and closed."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2 as pb
from pitboss.v1 import settlement_pb2_grpc

from services.contract import requests
from services.ledger.signatures import EntryKey
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.privacy.texts import PlayerKey
from services.rules import chips
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.identity import LONGEST_NAME, Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import money_commands, significant_events, voids, wallet_bounds
from services.settlement.limits import clearance
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.settlement.rounds import Rounds
from services.table import commands, events, money, persons
from services.table.events import Event
from services.table.public_table import PublicTable

Answer = TypeVar("Answer", bound=Message)
Command = TypeVar("Command", bound=Message)
MoneyRequest = pb.BuyInRequest | pb.TopUpRequest | pb.CashOutRequest | pb.CloseOutRequest | pb.FundPotRequest


class _Held:
    """The key of the calling player, once the transaction has read it."""

    key: PlayerKey | None = None

    def seal(self, field: str, text: str) -> str:
        """Return a text sealed under the player's key."""
        assert self.key is not None, "the key is looked up before anything is decided"
        return texts.seal_text(self.key, field, text)


class SettlementService(settlement_pb2_grpc.SettlementServiceServicer):
    """See ``protos/pitboss/v1/settlement.proto``."""

    def __init__(
        self, pool: Pool, rounds: Rounds, settings: Settings, admission: Admission, keys: PlayerKeys, key: EntryKey
    ) -> None:
        self._pool = pool
        self._rounds = rounds
        self._settings = settings
        self._admission = admission
        self._keys = keys
        self._key = key

    async def SettleRound(self, request: pb.SettleRoundRequest, _: Any) -> pb.SettleRoundResponse:
        """Settle an ended round."""
        return await self._rounds.settle(requests.table_id(request))

    async def BuyIn(self, request: pb.BuyInRequest, _: Any) -> pb.BuyInResponse:
        """Take a seat with chips from the wallet."""
        who = request.on_behalf
        amount = requests.amount(request.amount, "buy_in", least=0)
        shown = requests.text(who.name, "on_behalf.name", LONGEST_NAME) or who.subject
        bring, held = self._bring(who.subject, amount), _Held()

        async def check(conn: Connection, core: PublicTable) -> None:
            await bring(conn, core)
            held.key = await self._keys.of_player(conn, who.subject)

        def decide(core: PublicTable, now_ms: int) -> list[Event]:
            seat = request.seat if request.HasField("seat") else None
            name = held.seal(texts.NAME, shown)
            chosen = money.choose_seat(core, player=who.subject, name=name, test=who.test, seat=seat, buy_in=amount)
            return [events.SeatTaken(at_ms=now_ms, seat=chosen)]

        def answer(core: PublicTable, made: list[Event]) -> pb.BuyInResponse:
            taken = made[0]
            assert isinstance(taken, events.SeatTaken), "a buy-in takes a seat"
            return pb.BuyInResponse(seat=taken.seat.seat, version=core.version)

        return await self._run("TakeSeat", request, decide, answer, digest=request.request_digest, check=check)

    async def TopUp(self, request: pb.TopUpRequest, _: Any) -> pb.TopUpResponse:
        """Add chips to a seat."""
        amount = requests.amount(request.amount, "amount")
        return await self._run(
            "AddChips",
            request,
            lambda core, now_ms: money.add_chips(core, request.on_behalf.subject, amount, now_ms),
            lambda core, _made: pb.TopUpResponse(version=core.version),
            check=self._bring(request.on_behalf.subject, amount),
        )

    async def CashOut(self, request: pb.CashOutRequest, _: Any) -> pb.CashOutResponse:
        """Pay a seat out, or record that it leaves when the round is settled."""
        return await self._run(
            "LeaveSeat",
            request,
            lambda core, now_ms: money.leave(core, request.on_behalf.subject, now_ms),
            lambda core, _made: pb.CashOutResponse(
                version=core.version, after_round=core.seat_of(request.on_behalf.subject) is not None
            ),
        )

    async def VoidOut(self, request: pb.VoidOutRequest, _: Any) -> pb.VoidOutResponse:
        """Void the open round, or record that the void waits for a second person."""
        return await voids.void(self._pool, self._settings, self._key, _on_behalf(request))

    async def DecideVoidOut(self, request: pb.DecideVoidOutRequest, _: Any) -> pb.DecideVoidOutResponse:
        """Decide a void that another person requested."""
        return await voids.decide(self._pool, self._key, _on_behalf(request))

    async def CloseOut(self, request: pb.CloseOutRequest, _: Any) -> pb.CloseOutResponse:
        """Pay every seat out and close the table; a player may close only an unused table that it opened."""
        requests.text(request.reason, "reason", commands.LONGEST_REASON, least=1)
        who, held = request.on_behalf, _Held()

        async def check(conn: Connection, _core: PublicTable) -> None:
            if who.role == Role.PLAYER:
                held.key = await self._keys.of_player(conn, who.subject)

        def decide(core: PublicTable, now_ms: int) -> list[Event]:
            unused = not core.seats and not core.pot
            if who.role == Role.PLAYER and not (unused and core.opening.opened_by == who.subject):
                message = "a player may close only a table that it has opened, while nobody sits there"
                raise Refused(Reason.PERMISSION_DENIED, message)
            if who.role != Role.PLAYER:
                persons.refuse_seated(core, who.subject)
            reason = request.reason if held.key is None else held.seal(texts.REASON, request.reason)
            return money.close(core, reason, who.subject, now_ms)

        return await self._run(
            "CloseTable", request, decide, lambda core, _made: pb.CloseOutResponse(version=core.version), check=check
        )

    async def ClearSeats(self, request: pb.ClearSeatsRequest, _: Any) -> pb.ClearSeatsResponse:
        """Pay out the seats that may not play on, and set the stake allowances of the others."""
        return await clearance.clear(self._pool, self._admission, self._key, request)

    async def FundPot(self, request: pb.FundPotRequest, _: Any) -> pb.FundPotResponse:
        """Put the house's chips into the carried pool of a test table."""
        amount = requests.amount(request.amount, "pot")

        def decide(core: PublicTable, now_ms: int) -> list[Event]:
            commands.require_open(core)
            persons.refuse_seated(core, request.on_behalf.subject)
            room = max(0, chips.MOST_CHIPS - core.pot)
            if amount > room:
                raise Refused(Reason.AMOUNT_OUT_OF_RANGE, f"{amount} chips; this pool has room for {room} more")
            if not (self._settings.scripted_decks and core.opening.scripted and core.opening.test):
                message = "only test tables can be funded, in a house that permits scripted decks"
                raise Refused(Reason.SCRIPTED_DECKS_OFF, message)
            return [events.PotFunded(at_ms=now_ms, chips=amount)]

        return await self._run("FundPot", request, decide, lambda core, _made: pb.FundPotResponse(version=core.version))

    async def _run(
        self,
        kind: str,
        request: MoneyRequest,
        decide: Callable[[PublicTable, int], list[Event]],
        answer: Callable[[PublicTable, list[Event]], Answer],
        digest: bytes = b"",
        check: Callable[[Connection, PublicTable], Awaitable[None]] | None = None,
    ) -> Answer:
        who = _on_behalf(request).on_behalf
        has_version = "expected_version" in request.DESCRIPTOR.fields_by_name
        job: MoneyCommand[Answer] = MoneyCommand(
            kind=kind,
            table_id=requests.table_id(request),
            actor=who.subject,
            role=who.role,
            decide=decide,
            answer=answer,
            read_answer=_ANSWERS[kind].FromString,
            command=requests.command(who.subject, request, digest),
            expected_version=money_commands.expected(request) if has_version else None,
            check=check,
            key=self._key,
            large=significant_events.thresholds(self._settings),
        )
        return await money_commands.run(self._pool, job)

    def _bring(self, player: str, amount: int) -> Callable[[Connection, PublicTable], Awaitable[None]]:
        async def check(conn: Connection, core: PublicTable) -> None:
            await wallet_bounds.see_bank(conn, core.opening.currency)
            await self._admission.bring(conn, core, player, amount)

        return check


def _on_behalf(request: Command) -> Command:
    """Return a request that names the caller on whose behalf it is made. Raises Refused."""
    if not request.on_behalf.subject:  # type: ignore[attr-defined]  # every command has one
        raise invalid("on_behalf", "name the caller on whose behalf the command is sent")
    return request


_ANSWERS: dict[str, Any] = {
    "TakeSeat": pb.BuyInResponse,
    "AddChips": pb.TopUpResponse,
    "LeaveSeat": pb.CashOutResponse,
    "CloseTable": pb.CloseOutResponse,
    "FundPot": pb.FundPotResponse,
}


ACCESS: dict[str, tuple[Role, ...]] = dict.fromkeys(
    ("SettleRound", "BuyIn", "TopUp", "CashOut", "VoidOut", "DecideVoidOut", "CloseOut", "ClearSeats", "FundPot"),
    (Role.SERVICE,),
)
