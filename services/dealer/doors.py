"""Who may open, sit and play: switches as this dealer knows them, and seats that are paid out before a round starts.

Play itself asks nothing of the database: what is off is read a few times a second (``registry.switches``).
"""

import msgspec
from pitboss.v1 import settlement_pb2 as pb

from services.dealer.cashier import Cashier
from services.registry import limits
from services.registry.records import PLAYER
from services.registry.switches import Switchboard
from services.runtime.errors import Problem, Reason
from services.runtime.pools import Pool
from services.table import core as cores
from services.table.core import Core


class Cleared(msgspec.Struct, frozen=True):
    """Players whose seats were paid out before a round, each with why."""

    why: dict[str, Problem] = {}

    def refuse(self, player: str) -> None:
        """Raise Problem where this player was one of them."""
        if player in self.why:
            raise self.why[player]


class Doors:
    """The doors of one dealer."""

    def __init__(self, board: Switchboard, pool: Pool, cashier: Cashier) -> None:
        self._board = board
        self._pool = pool
        self._cashier = cashier

    async def look(self) -> None:
        """See to it that what is known of the switches is new enough. Raises psycopg.Error."""
        await self._board.fresh(self._pool.connection)

    def refuse(self, *, game: str = "", table: str = "", player: str = "") -> None:
        """Raise Problem (``SWITCHED_OFF``) where a switch stands against this, or against everything."""
        off = self._board.off(game=game, table=table, player=player)
        if off is not None:
            raise _switched_off(off.scope, off.subject, off.reason)

    def refuse_player(self, player: str) -> None:
        """Raise Problem (``SWITCHED_OFF``) where a player is switched off; other switches let its round go on."""
        off = self._board.of(PLAYER, player)
        if off is not None:
            raise _switched_off(off.scope, off.subject, off.reason)

    def is_off(self, *, game: str, table: str) -> bool:
        """Whether a switch stands against a game or a table."""
        return self._board.off(game=game, table=table) is not None

    async def clear(self, core: Core) -> Cleared | None:
        """Have the seats paid out that may not play on; None where all may, which is nearly always.

        Only players with limits, or switched off, need a closer look; settlement takes it, for it holds the money.
        """
        players = [seat.player for seat in core.seats.values()]
        if core.phase != cores.OPEN or not players:
            return None
        switched = any(self._board.of(PLAYER, player) is not None for player in players)
        if not switched:
            async with self._pool.connection() as conn:
                if not await limits.limited(conn, players):
                    return None
        answer = await self._cashier.stub.ClearSeats(pb.ClearSeatsRequest(table_id=core.table_id))
        return Cleared({seat.player: Problem(Reason(seat.reason), seat.message) for seat in answer.cleared})


def _switched_off(scope: str, subject: str, reason: str) -> Problem:
    what = f"the {scope} {subject}" if subject else "the house"
    return Problem(Reason.SWITCHED_OFF, f"{what} is switched off: {reason}", metadata={"scope": scope})
