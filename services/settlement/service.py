"""Settlement's methods for dealers: chips between wallets and seats, ended, voided and closed."""

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2 as pb
from pitboss.v1 import settlement_pb2_grpc

from services.contract import requests
from services.eventlog import log
from services.ledger.signatures import EntryKey
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.privacy.texts import PlayerKey
from services.registry.records import GAME, HOUSE, PLAYER, TABLE
from services.rules import chips
from services.runtime import context
from services.runtime.errors import Problem, Reason, invalid
from services.runtime.identity import LONGEST_NAME, Role
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import money_commands, significant_events, voids, wallet_bounds
from services.settlement.limits import admission, allowance
from services.settlement.limits.admission import Gatekeeper
from services.settlement.money_commands import MoneyCommand
from services.settlement.rounds import Rounds
from services.table import commands, events, money, persons, public_table
from services.table.events import Event
from services.table.persons import same
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
        self, pool: Pool, rounds: Rounds, settings: Settings, gate: Gatekeeper, keys: PlayerKeys, key: EntryKey
    ) -> None:
        self._pool = pool
        self._rounds = rounds
        self._settings = settings
        self._gate = gate
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
                raise Problem(Reason.PERMISSION_DENIED, message)
            if who.role != Role.PLAYER:
                persons.refuse_seated(core, who.subject)
            reason = request.reason if held.key is None else held.seal(texts.REASON, request.reason)
            return money.close(core, reason, who.subject, now_ms)

        return await self._run(
            "CloseTable", request, decide, lambda core, _made: pb.CloseOutResponse(version=core.version), check=check
        )

    async def ClearSeats(self, request: pb.ClearSeatsRequest, _: Any) -> pb.ClearSeatsResponse:
        """Pay out the seats that may not play on, and set the stake allowances of the others."""
        await allowance.take_back(self._pool, requests.table_id(request))
        found: dict[int, Problem] = {}
        allowed: dict[int, int] = {}

        async def check(conn: Connection, core: PublicTable) -> None:
            found.clear()
            allowed.clear()
            found.update(await admission.blocked(self._gate, conn, core))
            if core.phase == public_table.OPEN:
                most = await allowance.of_table(self._gate, conn, core)
                allowed.update({seat: chips for seat, chips in most.items() if seat not in found})

        def decide(core: PublicTable, now_ms: int) -> list[Event]:
            if core.phase != public_table.OPEN:
                return []
            players = [core.seats[seat].player for seat in found]
            left = [event for player in players for event in money.leave(core, player, now_ms)]
            return [*left, *commands.allow(core, allowed, now_ms, leaving=found)]

        def answer(core: PublicTable, made: list[Event]) -> pb.ClearSeatsResponse:
            cleared = [
                pb.ClearedSeat(
                    seat=event.seat,
                    player=event.player,
                    reason=found[event.seat].reason,
                    message=found[event.seat].message,
                )
                for event in made
                if isinstance(event, events.SeatLeft)
            ]
            looked_at = core.round_number if core.phase == public_table.OPEN else None
            return pb.ClearSeatsResponse(version=core.version, cleared=cleared, allowed=allowed, round_number=looked_at)

        job: MoneyCommand[pb.ClearSeatsResponse] = MoneyCommand(
            kind="ClearSeats",
            table_id=requests.table_id(request),
            actor="house",
            role=Role.SERVICE.value,
            decide=decide,
            answer=answer,
            read_answer=pb.ClearSeatsResponse.FromString,
            check=check,
            key=self._key,
        )
        return await money_commands.run(self._pool, job)

    async def FundPot(self, request: pb.FundPotRequest, _: Any) -> pb.FundPotResponse:
        """Put the house's chips into the carried pool of a test table."""
        amount = requests.amount(request.amount, "pot")

        def decide(core: PublicTable, now_ms: int) -> list[Event]:
            commands.require_open(core)
            persons.refuse_seated(core, request.on_behalf.subject)
            room = max(0, chips.MOST_CHIPS - core.pot)
            if amount > room:
                raise Problem(Reason.AMOUNT_OUT_OF_RANGE, f"{amount} chips; this pool has room for {room} more")
            if not (self._settings.scripted_decks and core.opening.scripted and core.opening.test):
                message = "only test tables can be funded, in a house that permits scripted decks"
                raise Problem(Reason.SCRIPTED_DECKS_OFF, message)
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
            await self._gate.bring(conn, core, player, amount)

        return check


def _on_behalf(request: Command) -> Command:
    """Return a request that names the caller on whose behalf it is made. Raises Problem."""
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


__all__ = ["refuse_own", "refuse_playing", "refuse_seat_mate", "same"]

MOST_TABLES = 1000
"""Tables of one person that are looked through."""


def refuse_own(player: str) -> None:
    """Raise Problem (``SECOND_PERSON_NEEDED``) where the caller's name is that of the wallet's owner."""
    caller = context.caller().subject
    if same(caller, player):
        message = f"{player} is {caller}'s own account; another person must do this"
        raise Problem(Reason.SECOND_PERSON_NEEDED, message)


async def refuse_playing(conn: Connection, scope: str, subject: str) -> None:
    """Raise Problem (``SECOND_PERSON_NEEDED``) where a switch of this scope bears on a table of the caller."""
    for table, summary in await _tables_of(conn, context.caller().subject):
        held = (subject == "", subject == summary.get("game"), subject == table, subject in _players(summary))
        if dict(zip((HOUSE, GAME, TABLE, PLAYER), held, strict=True))[scope]:
            raise _playing(table)


async def refuse_seat_mate(conn: Connection, player: str) -> None:
    """Raise Problem (``SECOND_PERSON_NEEDED``) where the caller plays at a table of this player, or is it."""
    refuse_own(player)
    await refuse_playing(conn, PLAYER, player)


async def _tables_of(conn: Connection, name: str) -> list[tuple[str, dict[str, object]]]:
    """Return the open tables at which a person sits under any spelling of its name, with their summaries."""
    found: dict[str, dict[str, object]] = {}
    # The exact name finds tables that were written down before persons were.
    for seated in ({"person": persons.folded(name)}, {"player": name}):
        heads, _ = await log.list_streams(conn, {"seated": [seated], "closed": False}, size=MOST_TABLES)
        found |= {head.stream_id: json.loads(head.summary or "{}") for head in heads}
    return list(found.items())


def _players(summary: dict[str, object]) -> Iterable[str]:
    seated = summary.get("seated")
    return [str(seat["player"]) for seat in seated] if isinstance(seated, list) else []


def _playing(table: str) -> Problem:
    caller = context.caller().subject
    message = f"{caller} plays at table {table}, which this bears on; another person must do this"
    return Problem(Reason.SECOND_PERSON_NEEDED, message)
