"""Waiting for a seat at any table: joining and leaving the line, each once however often it is asked for."""

from typing import Any, Final

from pitboss.v1 import settlement_pb2 as pb

from services.contract import denials, requests
from services.database import retry
from services.registry import limits, seat_waits
from services.registry.records import Command, ConflictError
from services.registry.seat_waits import Wanted
from services.rules import refusals
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.settlement.seat_offers import SeatOffers
from services.table import reservations, waiting_line
from services.table.events import Event
from services.table.public_table import PublicTable

MOST_WAITING: Final = 200
"""Players who wait for tables of one game."""
MOST_TRIES: Final = 5


class OfferCame(Exception):
    """A seat was offered, or is offered no more, since the wait was read."""


class DeclineOffer(MoneyCommand[pb.LeaveAnyLineResponse]):
    """Ends the wait of a player to whom a seat is offered, and keeps the seat for it no longer."""

    kind = "StopWaiting"
    answer_type = pb.LeaveAnyLineResponse

    def __init__(self, table_id: str, player: str, command: Command) -> None:
        super().__init__(table_id, player, Role.PLAYER.value)
        self._command = command
        self._seat = -1

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """End the wait. Raises OfferCame where the seat is not offered here any more."""
        own = await seat_waits.of_player(conn, self.actor, lock=True)
        if own is None or own.table != core.table_id:
            raise OfferCame
        self._seat = own.seat
        await seat_waits.leave(conn, self.actor)
        await seat_waits.record(conn, self._command, pb.LeaveAnyLineResponse(table_id=own.table).SerializeToString())

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the end of the reservation; nothing where it is over already."""
        kept = table.kept(now_ms).get(self._seat)
        is_own = kept is not None and kept.offer and kept.player == self.actor
        return reservations.release(table, self._seat, now_ms) if is_own else []

    def reply(self, table: PublicTable, made: list[Event]) -> pb.LeaveAnyLineResponse:
        """Return the table."""
        return pb.LeaveAnyLineResponse(table_id=table.table_id)


class SeatLines:
    """Joins and leaves lines for players."""

    def __init__(self, pool: Pool, admission: Admission, offers: SeatOffers) -> None:
        self._pool, self._admission, self._offers = pool, admission, offers

    async def join(self, request: pb.JoinAnyLineRequest) -> pb.JoinAnyLineResponse:
        """Wait for a seat at any table that fits. Raises Refused."""
        player, command = _caller(request)
        wanted = Wanted(
            game=requests.game_named(request.game).id,
            stake=requests.amount(request.stake, "stake", least=0),
            currency=request.currency,
            fits=tuple(sorted(set(request.fits))),
            test=request.on_behalf.test,
        )

        async def once(conn: Connection) -> pb.JoinAnyLineResponse:
            await limits.lock(conn, player)
            if (first := await _first(conn, command)) is not None:
                return pb.JoinAnyLineResponse.FromString(first)
            await self._refuse(conn, player, wanted.game)
            answer = await self._joined(conn, player, wanted)
            await seat_waits.record(conn, command, answer.SerializeToString())
            return answer

        answer = await retry.transaction(self._pool.connection, once)
        await self._offers.in_game(wanted.game, [wanted])
        return answer

    async def leave(self, request: pb.LeaveAnyLineRequest) -> pb.LeaveAnyLineResponse:
        """Wait no longer, and give an offered seat back. Raises Refused."""
        player, command = _caller(request)

        async def once(conn: Connection) -> pb.LeaveAnyLineResponse | str:
            if (first := await _first(conn, command)) is not None:
                return pb.LeaveAnyLineResponse.FromString(first)
            own = await seat_waits.of_player(conn, player, lock=True)
            if own is not None and own.table:
                return own.table
            await seat_waits.leave(conn, player)
            await seat_waits.record(conn, command, pb.LeaveAnyLineResponse().SerializeToString())
            return pb.LeaveAnyLineResponse()

        for _try in range(MOST_TRIES):
            found = await retry.transaction(self._pool.connection, once)
            if not isinstance(found, str):
                return found
            try:
                return await money_commands.run(self._pool, DeclineOffer(found, player, command), None)
            except OfferCame:
                continue
        raise Refused(Reason.UNAVAILABLE, "offers kept changing; send the same request again")

    async def _refuse(self, conn: Connection, player: str, game: str) -> None:
        """Raise Refused (``SWITCHED_OFF``, ``EXCLUDED``) for a player who could not take a seat now."""
        await self._admission.refuse_switched_off(conn, game=game, table="", player=player)
        excluded = await limits.excluded(conn, player, self._admission.clock())
        if excluded is not None:
            raise denials.excluded(excluded.amount or 0, excluded.set_by)

    async def _joined(self, conn: Connection, player: str, wanted: Wanted) -> pb.JoinAnyLineResponse:
        """Join the line, or stay in it; an offered seat stays offered. Raises Refused (``LINE_FULL``)."""
        now_ms = self._admission.clock()
        await seat_waits.end(conn, now_ms)
        own = await seat_waits.of_player(conn, player, lock=True)
        if own is None or (own.wanted != wanted and not own.table):
            await seat_waits.leave(conn, player)
            waiting = len(await seat_waits.of_games(conn, [wanted.game], now_ms, MOST_WAITING))
            if waiting >= MOST_WAITING:
                raise Refused(
                    Reason.LINE_FULL,
                    f"{waiting} players wait for tables of {wanted.game}, as many as may; try later",
                    metadata={"waiting": waiting, "most": MOST_WAITING},
                )
            await seat_waits.join(conn, player, wanted, now_ms + waiting_line.WAIT_MS)
        else:
            await seat_waits.renew(conn, player, now_ms + waiting_line.WAIT_MS)
        own = await seat_waits.of_player(conn, player)
        assert own is not None, "who has joined waits"
        waits = await seat_waits.of_games(conn, [own.wanted.game], now_ms, MOST_WAITING)
        place, waiting = seat_waits.place(seat_waits.rivals(waits, wanted), own)
        return pb.JoinAnyLineResponse(place=place, waiting=waiting, until_ms=own.until_ms)


def _caller(request: Any) -> tuple[str, Command]:
    """Return the player and the command of a request that a dealer passes on. Raises Refused."""
    player: str = requests.caller_of(request).subject
    made = requests.command(player, request, request.request_digest)
    return player, Command(key=made.key, digest=made.digest)


async def _first(conn: Connection, command: Command) -> bytes | None:
    try:
        return await seat_waits.first_answer(conn, command)
    except ConflictError:
        raise refusals.conflict() from None
