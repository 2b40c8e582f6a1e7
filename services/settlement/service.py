"""Settlement's methods for dealers: chips between wallets and seats, ended, voided and closed."""

from typing import Any, TypeVar

from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2 as pb
from pitboss.v1 import settlement_pb2_grpc

from services.contract import requests
from services.ledger.signatures import EntryKey
from services.privacy.keys import PlayerKeys
from services.runtime.identity import Role
from services.runtime.pools import Pool
from services.runtime.settings import Settings
from services.settlement import line_commands, money_commands, seat_commands, significant_events, voids
from services.settlement.limits import clearance
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.settlement.rounds import Rounds
from services.settlement.seat_lines import SeatLines
from services.settlement.seat_offers import SeatOffers, SeatsOwed

Answer = TypeVar("Answer", bound=Message)


class SettlementService(settlement_pb2_grpc.SettlementServiceServicer):
    """See ``protos/pitboss/v1/settlement.proto``."""

    def __init__(
        self,
        pool: Pool,
        rounds: Rounds,
        settings: Settings,
        admission: Admission,
        keys: PlayerKeys,
        key: EntryKey,
        offers: SeatOffers,
    ) -> None:
        self._pool = pool
        self._rounds = rounds
        self._settings = settings
        self._admission = admission
        self._keys = keys
        self._key = key
        self._offers, self._lines = offers, SeatLines(pool, admission, offers)

    async def SettleRound(self, request: pb.SettleRoundRequest, _: Any) -> pb.SettleRoundResponse:
        """Settle an ended round."""
        return await self._rounds.settle(requests.table_id(request))

    async def BuyIn(self, request: pb.BuyInRequest, _: Any) -> pb.BuyInResponse:
        """Take a seat with chips from the wallet."""
        try:
            return await self._run(seat_commands.BuyIn(request, self._admission, self._keys))
        except SeatsOwed:
            await self._offers.at_table(request.table_id)
            return await self._run(seat_commands.BuyIn(request, self._admission, self._keys, offers_made=True))

    async def TopUp(self, request: pb.TopUpRequest, _: Any) -> pb.TopUpResponse:
        """Add chips to a seat."""
        return await self._run(seat_commands.TopUp(request, self._admission))

    async def JoinLine(self, request: pb.JoinLineRequest, _: Any) -> pb.JoinLineResponse:
        """Wait for a seat."""
        return await self._run(line_commands.JoinLine(request, self._admission))

    async def JoinAnyLine(self, request: pb.JoinAnyLineRequest, _: Any) -> pb.JoinAnyLineResponse:
        """Wait for a seat at any table that fits."""
        return await self._lines.join(request)

    async def LeaveAnyLine(self, request: pb.LeaveAnyLineRequest, _: Any) -> pb.LeaveAnyLineResponse:
        """Wait no longer for a seat at any table."""
        return await self._lines.leave(request)

    async def CashOut(self, request: pb.CashOutRequest, _: Any) -> pb.CashOutResponse:
        """Pay a seat out, or record that it leaves when the round is settled."""
        return await self._run(seat_commands.CashOut(request))

    async def VoidOut(self, request: pb.VoidOutRequest, _: Any) -> pb.VoidOutResponse:
        """Void the open round, or record that the void waits for a second person."""
        command = voids.VoidRound(request, self._settings.void_alone_chips)
        answer = await self._run(command)
        command.committed()
        return answer

    async def DecideVoidOut(self, request: pb.DecideVoidOutRequest, _: Any) -> pb.DecideVoidOutResponse:
        """Decide a void that another person requested."""
        command = voids.DecideVoid(request)
        answer = await self._run(command)
        command.committed()
        return answer

    async def CloseOut(self, request: pb.CloseOutRequest, _: Any) -> pb.CloseOutResponse:
        """Pay every seat out and close the table, on request or because nobody uses it."""
        if request.if_idle:
            return await self._run(seat_commands.CloseIdle(request))
        return await self._run(seat_commands.CloseOut(request, self._keys))

    async def MoveOut(self, request: pb.MoveOutRequest, _: Any) -> pb.MoveOutResponse:
        """Move a table to another version of its rules."""
        return await self._run(seat_commands.MoveOut(request))

    async def ClearSeats(self, request: pb.ClearSeatsRequest, _: Any) -> pb.ClearSeatsResponse:
        """Pay out the seats that may not play on, and set the stake allowances of the others."""
        return await clearance.clear(self._pool, self._admission, self._key, request)

    async def FundPot(self, request: pb.FundPotRequest, _: Any) -> pb.FundPotResponse:
        """Put the house's chips into the carried pool of a test table."""
        return await self._run(seat_commands.FundPot(request, scripted_decks=self._settings.scripted_decks))

    async def _run(self, command: MoneyCommand[Answer]) -> Answer:
        return await money_commands.run(self._pool, command, self._key, significant_events.thresholds(self._settings))


ACCESS: dict[str, tuple[Role, ...]] = dict.fromkeys(
    (
        "SettleRound",
        "BuyIn",
        "TopUp",
        "JoinLine",
        "JoinAnyLine",
        "LeaveAnyLine",
        "CashOut",
        "VoidOut",
        "DecideVoidOut",
        "CloseOut",
        "MoveOut",
        "ClearSeats",
        "FundPot",
    ),
    (Role.SERVICE,),
)
