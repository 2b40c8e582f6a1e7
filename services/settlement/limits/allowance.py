"""Stake allowances: set for each seat with a stake limit before a round, lowered when a limit is tightened.

``ClearSeats`` records in the table's log what each such seat may stake in the coming round, under its player's lock.
What rounds at other tables may still take is subtracted, so that all tables together stay within the limit. A round
takes at most its seat's carry.

Two rounds may be about to start. An allowance is reserved for its round for ``PENDING_MS``; then another table may
release it. That changes the table's version, so that a start decided on the older version is retried. See
``docs/limits.md``.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from pitboss.v1 import settlement_pb2 as pb

from services.limits import policy
from services.limits.policy import DEPOSIT, EXCLUSION, STAKE, Limit
from services.livestate.store import LiveState, LiveStateAway
from services.registry import limits
from services.rules import chips
from services.runtime import metrics
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands, seats
from services.settlement.limits.admission import Admission
from services.settlement.money_commands import MoneyCommand
from services.table import commands, public_table
from services.table.events import Event, SeatRecord
from services.table.public_table import PublicTable

PENDING_MS: Final = 2000
"""Time for which an allowance is reserved for a round that is about to start."""

NewAllowance = Callable[[Connection, PublicTable, SeatRecord], Awaitable[int | None]]
"""Returns a seat's new allowance in chips; None leaves it unchanged."""


async def for_round(admission: Admission, conn: Connection, core: PublicTable) -> dict[int, int]:
    """Return the allowance of each seat with a stake limit in the coming round.

    The players' limits are locked until the caller's transaction ends.
    """
    found: dict[int, int] = {}
    players = await limits.lock_limited(conn, [seat.player for seat in core.seats.values()])
    for seat, held in sorted(core.seats.items()):
        left = (
            await admission.left_to_stake(conn, held.player, core.opening.currency) if held.player in players else None
        )
        if left is not None:
            found[seat] = policy.allowance(left, await _elsewhere(conn, core, held.player), held.chips)
    return found


async def release_unused(pool: Pool, table_id: str) -> None:
    """Release the allowances of a table's players for rounds elsewhere that have not started in time."""
    async with pool.connection() as conn:
        core = await money_commands.read_core(conn, table_id)
        players = [seat.player for seat in core.seats.values()] if core.phase == public_table.OPEN else []
        kept = [
            (other, player)
            for player in sorted(await limits.limited(conn, players))
            for other in await seats.tables_of(conn, player, core.opening.currency, but=table_id)
            if await _unused(conn, other, player)
        ]
    for other, player in kept:
        await _set(pool, other, player, _nothing)


async def enforce(pool: Pool, admission: Admission, live: LiveState, limit: Limit) -> None:
    """Enforce a limit that was just set at every table of its player: no further stake beyond it is accepted.

    In a running round the player's seat may stake no more than is left of a stake limit, and nothing more under an
    exclusion. A start that was decided before the limit was set is retried. Safe to repeat.
    """
    if limit.kind == DEPOSIT:
        return

    async def wanted(conn: Connection, core: PublicTable, held: SeatRecord) -> int | None:
        if core.phase == public_table.OPEN:
            return 0
        carry = (
            core.round.carry.get(held.seat) if core.round is not None and core.phase == public_table.IN_ROUND else None
        )
        if limit.kind == EXCLUSION:
            excluded = await limits.excluded(conn, held.player, admission.clock())
            return 0 if carry is not None and excluded is not None else None
        left = await admission.left_to_stake(conn, held.player, core.opening.currency)
        if limit.kind != STAKE or carry is None or left is None:
            return None
        elsewhere = await _elsewhere(conn, core, held.player)
        return policy.allowance(left, elsewhere, core.allowed.get(held.seat, carry))

    async with pool.connection() as conn:
        found = await seats.tables_of(conn, limit.player, limit.currency)
    for table_id in found:
        version = await _set(pool, table_id, limit.player, wanted)
        try:
            await live.publish(table_id, version)
        except LiveStateAway:
            metrics.REDIS_FAILURES.inc()


def most_staked(core: PublicTable, player: str) -> int:
    """Return the most that a player may stake in a table's running round, or in the coming one."""
    held = core.seat_of(player)
    if held is None:
        return 0
    round_ = core.round
    if round_ is None:
        return core.allowed.get(held.seat, 0)
    if round_.outcome is not None:
        return sum(stake.amount for stake in round_.outcome.stakes if stake.seat == held.seat)
    restakes = public_table.game_of(core).restakes and held.seat not in round_.allowed
    return chips.MOST_CHIPS if restakes and held.seat in round_.carry else round_.carry.get(held.seat, 0)


async def _elsewhere(conn: Connection, core: PublicTable, player: str) -> int:
    """Return the most that a player may stake in rounds at other tables."""
    others = await seats.tables_of(conn, player, core.opening.currency, but=core.table_id)
    return sum([most_staked(await money_commands.read_core(conn, other), player) for other in others])


async def _unused(conn: Connection, table_id: str, player: str) -> bool:
    """Return whether an allowance is reserved for a round that should have started long ago."""
    core, head = await money_commands.read(conn, table_id)
    idle = head.read_at_ms - head.changed_at_ms >= PENDING_MS
    return idle and core.phase == public_table.OPEN and most_staked(core, player) > 0


async def _nothing(_conn: Connection, core: PublicTable, _held: SeatRecord) -> int | None:
    return 0 if core.phase == public_table.OPEN else None


async def _set(pool: Pool, table_id: str, player: str, wanted: NewAllowance) -> int:
    """Record a new allowance of a player's seat; return the table's version afterwards."""
    return (await money_commands.run(pool, _AllowStakes(table_id, player, wanted), key=None)).version


class _AllowStakes(MoneyCommand[pb.ClearSeatsResponse]):
    """Records what a player's seat may stake; it moves no chips."""

    kind = "AllowStakes"
    answer_type = pb.ClearSeatsResponse

    def __init__(self, table_id: str, player: str, wanted: NewAllowance) -> None:
        super().__init__(table_id, "house", Role.SERVICE.value)
        self._player, self._wanted = player, wanted
        self._allowed: dict[int, int] = {}

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Find the allowance, while the player's limits are locked."""
        await limits.lock(conn, self._player)
        held = core.seat_of(self._player)
        most = await self._wanted(conn, core, held) if held is not None else None
        self._allowed = dict(core.allowed) if held is None or most is None else {**core.allowed, held.seat: most}

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the allowances; nothing where they are unchanged."""
        return commands.allow(table, self._allowed, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.ClearSeatsResponse:
        """Return the table's version."""
        return pb.ClearSeatsResponse(version=table.version)
