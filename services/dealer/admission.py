"""The admission of players: who may open tables, take seats and play at this dealer.

Actions in a running round do not read the database: switches are read a few times a second (``registry.switches``).
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

import msgspec
from pitboss.v1 import settlement_pb2 as pb

from services.contract import denials
from services.dealer.cashier import Cashier
from services.registry import limits
from services.registry.records import PLAYER
from services.registry.switches import Switchboard
from services.rules.refusals import Reason, Refused
from services.runtime.clock import NowMs
from services.runtime.pools import Pool
from services.table import absence, public_table, top_up
from services.table.public_table import PublicTable


class TableChanged(Exception):
    """The table is not the one that was checked: other names, another round, or more to be checked."""


MOST_CHECKS: Final = 5
"""Checks of a table before a command; a check is repeated when somebody sat down or a limit was set meanwhile."""

Answer = TypeVar("Answer")


async def until_unchanged(once: Callable[[], Awaitable[Answer]], what: str) -> Answer:
    """Check and run a command until the table is still the one that was checked. Raises Refused.

    ``what`` names what kept changing where every try met a change (``UNAVAILABLE``).
    """
    for _attempt in range(MOST_CHECKS):
        with suppress(TableChanged):
            return await once()
    raise Refused(Reason.UNAVAILABLE, f"{what} kept changing; send the same request again")


NOT_CHECKED: Final = -1
"""The number of the last round where no seat was checked, because a round was running."""


class ClearedSeats(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check of a table's seats for the round after ``round_number``.

    ``players`` may play on; ``allowed`` is what seats with a stake limit may stake, in chips by seat. ``missing`` are
    the chips that seats lacked to their top-up level, ``away`` the seats that had been away for too long: settlement
    was asked about both. ``refusals`` are those of the players who were cashed out. ``by_settlement``: settlement
    checked, and may have appended events.
    """

    round_number: int
    players: frozenset[str]
    missing: dict[int, int] = {}
    away: frozenset[int] = frozenset()
    allowed: dict[int, int] = {}
    refusals: dict[str, Refused] = {}
    by_settlement: bool = False

    def refuse(self, player: str) -> None:
        """Raise the refusal of a player who was cashed out, if there is one."""
        if player in self.refusals:
            raise self.refusals[player]

    def require_unchanged(self, core: PublicTable, now_ms: int) -> None:
        """Raise TableChanged if another round starts than the one checked, or if there is more to be checked.

        There is more where the check did not see a player, a limit, a top-up or an absence: it may have been made on an
        older version of the table.
        """
        same = core.round_number == self.round_number and core.allowed == self.allowed
        seen = top_up.missing(core).items() <= self.missing.items() and self.away.issuperset(absence.over(core, now_ms))
        if not same or not seen or any(seat.player not in self.players for seat in core.seats.values()):
            raise TableChanged


class AdmissionPolicy:
    """The admission of players at one dealer."""

    def __init__(self, board: Switchboard, pool: Pool, cashier: Cashier, now_ms: NowMs) -> None:
        self._board = board
        self._pool = pool
        self._cashier = cashier
        self._now_ms = now_ms

    @property
    def switches_read(self) -> int:
        """The number of the last switch that was read."""
        return self._board.number

    async def refresh(self) -> None:
        """Read the switches again unless the known ones are recent. Raises psycopg.Error."""
        await self._board.fresh(self._pool.connection)

    def refuse(self, *, game: str = "", table: str = "", player: str = "") -> None:
        """Raise Refused (``SWITCHED_OFF``) if this game, table or player is switched off, or everything is."""
        off = self._board.off(game=game, table=table, player=player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    def refuse_player(self, player: str) -> None:
        """Raise Refused (``SWITCHED_OFF``) if a player is switched off; other switches do not end its round."""
        off = self._board.of(PLAYER, player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    async def refuse_excluded(self, player: str) -> None:
        """Raise Refused (``EXCLUDED``) if a player is excluded now. Raises psycopg.Error."""
        async with self._pool.connection() as conn:
            found = await limits.excluded(conn, player, self._now_ms())
        if found is not None:
            raise denials.excluded(found.amount or 0, found.set_by)

    async def barred(self, players: Sequence[str]) -> dict[str, Callable[[], Refused]]:
        """Return the players who are switched off or excluded now, each with a function that makes its refusal.

        Raises psycopg.Error.
        """
        await self.refresh()
        async with self._pool.connection() as conn:
            out = await limits.excluded_among(conn, players, self._now_ms())
        found: dict[str, Callable[[], Refused]] = {
            player: partial(denials.excluded, one.amount or 0, one.set_by) for player, one in out.items()
        }
        for player in players:
            off = self._board.of(PLAYER, player)
            if off is not None:
                found[player] = partial(denials.switched_off, off.scope, off.subject, off.reason)
        return found

    def is_off(self, *, game: str, table: str = "") -> bool:
        """Return whether a game or a table is switched off, or the whole house."""
        return self._board.off(game=game, table=table) is not None

    async def clear_seats(self, core: PublicTable) -> ClearedSeats:
        """Cash out seats that may no longer play, and record stake allowances. Usually a no-op.

        Only tables with players who are switched off, have limits, sat out for too long or are to be topped up are sent
        to settlement, which holds the money.
        """
        # Read before the first await: commands change the table meanwhile.
        number = core.round_number if core.phase == public_table.OPEN else NOT_CHECKED
        players = frozenset(seat.player for seat in core.seats.values())
        table_id, allowed = core.table_id, bool(core.allowed)
        missing, away = top_up.missing(core), frozenset(absence.over(core, self._now_ms()))
        if number == NOT_CHECKED or not players:
            return ClearedSeats(round_number=number, players=players)
        switched = any(self._board.of(PLAYER, player) is not None for player in players)
        if not switched and not allowed and not missing and not away:
            async with self._pool.connection() as conn:
                if not await limits.limited(conn, sorted(players)):
                    return ClearedSeats(round_number=number, players=players)
        answer = await self._cashier.stub.ClearSeats(pb.ClearSeatsRequest(table_id=table_id))
        return ClearedSeats(
            round_number=answer.round_number if answer.HasField("round_number") else NOT_CHECKED,
            players=players,
            missing=missing,
            away=away,
            allowed=dict(answer.allowed),
            refusals={
                seat.player: Refused(Reason(seat.reason), seat.message, metadata=dict(seat.metadata))
                for seat in answer.cleared
            },
            by_settlement=True,
        )
