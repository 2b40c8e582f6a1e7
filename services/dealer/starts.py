"""The start of a round, asked for by a person or due by the house: the last one settled, all seats checked, then begun.

A start is decided on a version of the table. Of two dealers that start at once one appends; the other one retries
and finds the round running.
"""

import uuid
from collections.abc import Callable
from typing import Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb

from services.commands.runner import Command
from services.dealer.admission import AdmissionPolicy, ClearedSeats, until_unchanged
from services.dealer.context import DealerContext
from services.dealer.table_commands import TableCommand
from services.dealer.vault import Vault
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.runtime.identity import Caller, Role
from services.table import absence, commands, events, idle, public_table, schedule, stake_allowance
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.public_table import PublicTable

THE_HOUSE: Final = Caller(subject="house", role=Role.SERVICE)

Start = Command[FullTable, pb.StartRoundResponse]


class StartRound(TableCommand[pb.StartRoundResponse]):
    """Starts a round: a seated player, an operator or a service asks for it.

    It raises TableChanged if the table is not the one whose seats were checked.
    """

    kind = "StartRound"
    answer_type = pb.StartRoundResponse

    def __init__(
        self,
        request: pb.StartRoundRequest,
        caller: Caller,
        vault: Vault,
        admission: AdmissionPolicy,
        cleared: ClearedSeats,
    ) -> None:
        super().__init__(request, caller)
        self._vault, self._admission, self._cleared = vault, admission, cleared

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the start of the round, sealed, with all that it deals."""
        core, who = table.core, self._caller
        self._admission.refuse(game=core.opening.game, table=core.table_id)
        self._cleared.refuse(who.subject)
        seat = self.seat(table) if who.role is Role.PLAYER else None
        commands.require_open(core)
        self._cleared.require_unchanged(core, now_ms)
        if seat is not None:
            _refuse_player(core, seat, now_ms)
        return _begun(self._vault, table, who.subject, now_ms)

    def reply(self, table: FullTable, made: list[Event]) -> pb.StartRoundResponse:
        """Return the round's id and number."""
        return _reply(table, made)


class HouseStart(Start):
    """Starts the round that the house is to start by ``due_ms``; it does nothing where none is due any more.

    It raises TableChanged if the table is not the one whose seats were checked.
    """

    kind = "StartRound"
    answer_type = pb.StartRoundResponse

    def __init__(
        self,
        table_id: str,
        due_ms: int,
        vault: Vault,
        admission: AdmissionPolicy,
        cleared: ClearedSeats,
        *,
        unwatched: bool = False,
    ) -> None:
        super().__init__(table_id, THE_HOUSE.subject, THE_HOUSE.role.value)
        self._due_ms, self._unwatched = due_ms, unwatched
        self._vault, self._admission, self._cleared = vault, admission, cleared

    def decide(self, table: FullTable, now_ms: int) -> list[Event]:
        """Return the start of the round, sealed, with all that it deals."""
        core = table.core
        if not _is_due(core, self._due_ms, now_ms):
            return []
        self._admission.refuse(game=core.opening.game, table=core.table_id)
        self._cleared.require_unchanged(core, now_ms)
        return _begun(self._vault, table, self.actor, now_ms, unwatched=self._unwatched)

    def reply(self, table: FullTable, made: list[Event]) -> pb.StartRoundResponse:
        """Return the round's id and number; only the table's version where none was started."""
        return _reply(table, made)


async def by_person(
    house: DealerContext, request: pb.StartRoundRequest, caller: Caller
) -> tuple[pb.StartRoundResponse, list[Event]]:
    """Start a round on request. Raises Refused."""
    return await _checked(
        house, request.table_id, lambda cleared: StartRound(request, caller, house.vault, house.admission, cleared)
    )


async def by_house(house: DealerContext, table_id: str, due_ms: int) -> list[Event]:
    """Do what the house is to do between rounds by ``due_ms``: pay out seats, start a round, or close an idle table.

    Return the events of a start, none where none is due any more. Raises Refused where it cannot be done yet.
    """
    async with house.tables.checkout(table_id) as held:
        core, now_ms = held.table.core, max(due_ms, house.now_ms())
        starts, away = _is_due(core, due_ms, now_ms), core.phase == public_table.OPEN and absence.over(core, now_ms)
        is_idle = idle.is_over(core, now_ms)
    if not starts:
        if away:
            await house.clear_seats(table_id)
        elif is_idle:
            await house.close_idle(table_id)
        return []
    # Only a table that closes when it is idle asks who watches.
    unwatched = core.idle_ms > 0 and await house.presence.is_unwatched(core)

    def start(cleared: ClearedSeats) -> Start:
        return HouseStart(table_id, due_ms, house.vault, house.admission, cleared, unwatched=unwatched)

    _, made = await _checked(house, table_id, start)
    return made


async def _checked(
    house: DealerContext, table_id: str, command: Callable[[ClearedSeats], Start]
) -> tuple[pb.StartRoundResponse, list[Event]]:
    """Run a start on seats that were just checked, again if they have changed meanwhile. Raises Refused."""

    async def once() -> tuple[pb.StartRoundResponse, list[Event]]:
        # The table in memory serves: if it is old, the append fails, and the start is run again on the new version.
        await house.settle_if_due(table_id, fresh=False)
        try:
            return await house.commands.run(command(await house.clear_seats(table_id)))
        except Refused as refusal:
            # Refused on the log's state, which is now in memory: another dealer has ended the round.
            if refusal.reason is not Reason.ROUND_IN_PROGRESS or not await house.settle_if_due(table_id, fresh=False):
                raise
        return await house.commands.run(command(await house.clear_seats(table_id)))

    await house.admission.refresh()
    return await until_unchanged(once, "seats or limits")


def _is_due(core: PublicTable, due_ms: int, now_ms: int) -> bool:
    return core.phase == public_table.OPEN and 0 < core.start_ms <= max(due_ms, now_ms)


def _begun(vault: Vault, table: FullTable, started_by: str, now_ms: int, *, unwatched: bool = False) -> list[Event]:
    start = vault.start(table.core, str(uuid.uuid4()), started_by)
    return commands.start_round(table, msgspec.structs.replace(start, unwatched=unwatched), now_ms)


def _reply(table: FullTable, made: list[Event]) -> pb.StartRoundResponse:
    if not made:
        return pb.StartRoundResponse(version=table.core.version)
    begun = made[0]
    assert isinstance(begun, events.RoundStarted), "the first event of a start is RoundStarted"
    return pb.StartRoundResponse(version=table.core.version, round_id=begun.round_id, round_number=begun.round_number)


def _refuse_player(core: PublicTable, seat: int, now_ms: int) -> None:
    """Raise Refused where a player may not start a round: its limit is used up, or the house will start it."""
    if core.seats[seat].chips and core.allowed.get(seat) == 0:
        raise stake_allowance.refused(0)
    if not schedule.is_automatic(core):
        return
    ready = schedule.ready(core)
    if set(ready.seats) - {seat}:
        raise _house_starts(core, ready, now_ms)


def _house_starts(core: PublicTable, ready: schedule.Ready, now_ms: int) -> Refused:
    """Return the refusal that says when the house starts the round, or how many players must be ready."""
    metadata: dict[str, str | int] = {"ready": len(ready.seats), "needed": ready.needed}
    if not core.start_ms:
        return Refused(
            Reason.HOUSE_STARTS,
            f"the house starts a round here once {ready.needed} seats are ready; {len(ready.seats)} are",
            metadata=metadata,
            text=Text(
                f"The house starts a round once {ready.needed} players are ready; {len(ready.seats)} are.",
                f"{ready.needed} 位玩家就緒後自動開局，目前 {len(ready.seats)} 位。",
                f"{ready.needed} 位玩家就绪后自动开局，目前 {len(ready.seats)} 位。",
            ),
        )
    left_ms = max(0, core.start_ms - now_ms)
    seconds = -(-left_ms // 1000)
    return Refused(
        Reason.HOUSE_STARTS,
        f"the house starts the next round here, in {seconds} seconds; wait for it",
        metadata={**metadata, "start_ms": core.start_ms, "left_ms": left_ms},
        text=Text(
            f"The house starts the next round in {seconds} seconds.",
            f"下一局將在 {seconds} 秒後自動開始。",
            f"下一局将在 {seconds} 秒后自动开始。",
        ),
    )
