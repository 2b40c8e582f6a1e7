"""Who may open, sit and play: switches as this dealer knows them, and seats that are paid out before a round starts.

Play itself asks nothing of the database: what is off is read a few times a second (``registry.switches``).
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import msgspec
from pitboss.v1 import settlement_pb2 as pb

from services.contract import denials
from services.dealer.cashier import Cashier
from services.registry import limits
from services.registry.records import PLAYER
from services.registry.switches import Switchboard
from services.runtime.clock import NowMs
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Pool
from services.table import public_table as cores
from services.table.public_table import Core


class LookAgain(Exception):
    """The seats were looked through for another round, or somebody sat down or a limit was set since."""


NOBODY: Final = -1
"""Stands for the number of the last round where nobody was looked at, for a round ran."""


class Cleared(msgspec.Struct, frozen=True, kw_only=True):
    """What was found when a table's seats were looked through for the round after ``round_number``.

    ``players`` may play on, those with a stake limit for what ``allowed`` says by seat; those paid out are in ``why``.
    ``asked``: settlement looked, and may have appended to the table's log.
    """

    round_number: int
    players: frozenset[str]
    allowed: dict[int, int] = {}
    why: dict[str, Problem] = {}
    asked: bool = False

    def refuse(self, player: str) -> None:
        """Raise Problem where this player was paid out."""
        if player in self.why:
            raise self.why[player]

    def holds(self, core: Core) -> None:
        """Raise LookAgain where another round is to start than the one looked at, or on other players and limits."""
        same = core.round_number == self.round_number and core.allowed == self.allowed
        if not same or any(seat.player not in self.players for seat in core.seats.values()):
            raise LookAgain


class Admission:
    """The admission of players at one dealer."""

    def __init__(self, board: Switchboard, pool: Pool, cashier: Cashier, now_ms: NowMs) -> None:
        self._board = board
        self._pool = pool
        self._cashier = cashier
        self._now_ms = now_ms

    async def look(self) -> None:
        """See to it that what is known of the switches is new enough. Raises psycopg.Error."""
        await self._board.fresh(self._pool.connection)

    def refuse(self, *, game: str = "", table: str = "", player: str = "") -> None:
        """Raise Problem (``SWITCHED_OFF``) where a switch stands against this, or against everything."""
        off = self._board.off(game=game, table=table, player=player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    def refuse_player(self, player: str) -> None:
        """Raise Problem (``SWITCHED_OFF``) where a player is switched off; other switches let its round go on."""
        off = self._board.of(PLAYER, player)
        if off is not None:
            raise denials.switched_off(off.scope, off.subject, off.reason)

    async def refuse_excluded(self, player: str) -> None:
        """Raise Problem (``EXCLUDED``) where a player is excluded at this moment. Raises psycopg.Error."""
        async with self._pool.connection() as conn:
            found = await limits.excluded(conn, player, self._now_ms())
        if found is not None:
            raise denials.excluded(found.amount or 0, found.set_by)

    async def barred(self, players: Sequence[str]) -> dict[str, Callable[[], Problem]]:
        """Return those of the players who are switched off or excluded now, each with what makes the refusal.

        Raises psycopg.Error.
        """
        await self.look()
        async with self._pool.connection() as conn:
            out = await limits.excluded_among(conn, players, self._now_ms())
        found: dict[str, Callable[[], Problem]] = {
            player: partial(denials.excluded, one.amount or 0, one.set_by) for player, one in out.items()
        }
        for player in players:
            off = self._board.of(PLAYER, player)
            if off is not None:
                found[player] = partial(denials.switched_off, off.scope, off.subject, off.reason)
        return found

    def is_off(self, *, game: str, table: str) -> bool:
        """Whether a switch stands against a game or a table."""
        return self._board.off(game=game, table=table) is not None

    async def clear(self, core: Core) -> Cleared:
        """Have the seats paid out that may not play on, and what may be staked written down; nearly always nothing.

        Only players with limits, or switched off, need a closer look; settlement takes it, for it holds the money.
        """
        # Taken before anything is waited for: commands change the table meanwhile.
        number = core.round_number if core.phase == cores.OPEN else NOBODY
        players = frozenset(seat.player for seat in core.seats.values())
        table_id, allowed = core.table_id, bool(core.allowed)
        if number == NOBODY or not players:
            return Cleared(round_number=number, players=players)
        switched = any(self._board.of(PLAYER, player) is not None for player in players)
        if not switched and not allowed:
            async with self._pool.connection() as conn:
                if not await limits.limited(conn, sorted(players)):
                    return Cleared(round_number=number, players=players)
        answer = await self._cashier.stub.ClearSeats(pb.ClearSeatsRequest(table_id=table_id))
        return Cleared(
            round_number=answer.round_number if answer.HasField("round_number") else NOBODY,
            players=players,
            allowed=dict(answer.allowed),
            why={seat.player: Problem(Reason(seat.reason), seat.message) for seat in answer.cleared},
            asked=True,
        )
