"""What players with a stake limit may stake, and where: settled before each round, lowered when a limit is tightened.

What is left of a limit is shared out before it can be staked: ``ClearSeats`` writes into the table's log what each seat
with a stake limit may stake in the coming round, under the lock of its player. What rounds at other tables may still
take is left out, so that all tables together stay within the limit; a round takes its seat's carry at most.

Two rounds may be about to start. What was written for one is kept for it for ``PENDING_MS``, then it may be taken back:
that moves the table's version on, so that a start which was decided on the older one looks again.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from pitboss.v1 import settlement_pb2 as pb

from services.eventlog import log
from services.livestate.store import LiveState, LiveStateAway
from services.registry import limits
from services.registry.records import DEPOSIT, EXCLUSION, STAKE, Limit
from services.rules import catalogue, chips
from services.runtime import metrics
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import money_commands
from services.settlement.limits import admission
from services.settlement.limits.admission import Gatekeeper
from services.settlement.money_commands import MoneyCommand
from services.table import commands, public_table
from services.table.events import SeatRecord
from services.table.public_table import PublicTable

PENDING_MS: Final = 2000
"""So long what may be staked is kept for a round that is about to start."""

Wanted = Callable[[Connection, PublicTable, SeatRecord], Awaitable[int | None]]
"""Says what a seat may stake from now on, in chips; None: what it may stake now."""


async def of_table(gate: Gatekeeper, conn: Connection, core: PublicTable) -> dict[int, int]:
    """Return what each seat with a stake limit may stake in the coming round, in the caller's transaction.

    The players' limits are locked until it ends.
    """
    found: dict[int, int] = {}
    players = await admission.locked(conn, [seat.player for seat in core.seats.values()])
    for seat, held in sorted(core.seats.items()):
        left = await gate.left_to_stake(conn, held.player, core.opening.currency) if held.player in players else None
        if left is not None:
            found[seat] = max(0, min(left - await _elsewhere(conn, core, held.player), held.chips))
    return found


async def take_back(pool: Pool, table_id: str) -> None:
    """Take back what the players of a table may stake in rounds elsewhere that were to start and have not started."""
    async with pool.connection() as conn:
        core = await money_commands.read_core(conn, table_id)
        players = [seat.player for seat in core.seats.values()] if core.phase == public_table.OPEN else []
        kept = [
            (other, player)
            for player in sorted(await limits.limited(conn, players))
            for other in await _tables(conn, player, core.opening.currency, but=table_id)
            if await _unused(conn, other, player)
        ]
    for other, player in kept:
        await _hold(pool, other, player, _nothing)


async def tightened(pool: Pool, gate: Gatekeeper, live: LiveState, limit: Limit) -> None:
    """Hold a limit that was just set at every table of its player: from now on no stake beyond it is accepted.

    In a running round the player's seat may stake no more than is left of a stake limit, and nothing more where it is
    excluded; a start that was decided before the limit was set looks again. Safe to repeat.
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
            stands = await limits.excluded(conn, held.player, gate.clock())
            return 0 if carry is not None and stands is not None else None
        left = await gate.left_to_stake(conn, held.player, core.opening.currency)
        if limit.kind != STAKE or carry is None or left is None:
            return None
        rest = left - await _elsewhere(conn, core, held.player)
        return max(0, min(core.allowed.get(held.seat, carry), rest))

    async with pool.connection() as conn:
        found = await _tables(conn, limit.player, limit.currency)
    for table_id in found:
        version = await _hold(pool, table_id, limit.player, wanted)
        try:
            await live.publish(table_id, version)
        except LiveStateAway:
            metrics.REDIS_FAILURES.inc()


def at_most(core: PublicTable, player: str) -> int:
    """Return the most that a player may come to have staked in a table's round, the coming one if it may start."""
    held = core.seat_of(player)
    if held is None:
        return 0
    round_ = core.round
    if round_ is None:
        return core.allowed.get(held.seat, 0)
    if round_.outcome is not None:
        return sum(stake.amount for stake in round_.outcome.stakes if stake.seat == held.seat)
    restakes = catalogue.game(core.opening.game).restakes and held.seat not in round_.allowed
    return chips.MOST_CHIPS if restakes and held.seat in round_.carry else round_.carry.get(held.seat, 0)


async def _elsewhere(conn: Connection, core: PublicTable, player: str) -> int:
    """Return what a player may come to stake in rounds at other tables."""
    others = await _tables(conn, player, core.opening.currency, but=core.table_id)
    return sum([at_most(await money_commands.read_core(conn, other), player) for other in others])


async def _tables(conn: Connection, player: str, currency: str, but: str = "") -> list[str]:
    """Return the tables at which a player sits, of all currencies or of one."""
    wanted = {"seated": [{"player": player}], "closed": False} | ({"currency": currency} if currency else {})
    heads, _ = await log.list_streams(conn, wanted, size=admission.MOST_TABLES)
    return [head.stream_id for head in heads if head.stream_id != but]


async def _unused(conn: Connection, table_id: str, player: str) -> bool:
    """Whether something is kept for a coming round that could have started long ago."""
    core, head = await money_commands.read_core(conn, table_id), await log.read_head(conn, table_id)
    idle = head is not None and head.read_at_ms - head.changed_at_ms >= PENDING_MS
    return idle and core.phase == public_table.OPEN and at_most(core, player) > 0


async def _nothing(_conn: Connection, core: PublicTable, _held: SeatRecord) -> int | None:
    return 0 if core.phase == public_table.OPEN else None


async def _hold(pool: Pool, table_id: str, player: str, wanted: Wanted) -> int:
    """Write into a table's log what a player's seat may stake from now on; returns the table's version afterwards."""
    found: dict[int, int] = {}

    async def check(conn: Connection, core: PublicTable) -> None:
        await limits.lock(conn, player)
        held = core.seat_of(player)
        most = await wanted(conn, core, held) if held is not None else None
        found.clear()
        found.update(core.allowed if held is None or most is None else {**core.allowed, held.seat: most})

    job: MoneyCommand[pb.ClearSeatsResponse] = MoneyCommand(
        kind="AllowStakes",
        table_id=table_id,
        actor="house",
        role=Role.SERVICE.value,
        decide=lambda core, now_ms: commands.allow(core, found, now_ms),
        answer=lambda core, _made: pb.ClearSeatsResponse(version=core.version),
        read_answer=pb.ClearSeatsResponse.FromString,
        check=check,
        key=None,  # it moves no chips
    )
    return (await money_commands.run(pool, job)).version
