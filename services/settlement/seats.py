"""The seats of a player at all tables, and the chips there."""

from typing import Final

from services.eventlog import log
from services.journal import summaries
from services.ledger import accounts, books
from services.runtime.pools import Connection

MOST_TABLES: Final = 1000
"""Maximum number of tables of one player that are read."""


async def tables_of(conn: Connection, player: str, currency: str = "", but: str = "") -> list[str]:
    """Return the open tables at which a player sits, of one currency or of all, without the table ``but``."""
    return [head_id for head_id, _ in await _seated(conn, player, currency) if head_id != but]


async def of_player(conn: Connection, player: str, currency: str) -> list[tuple[str, int, int]]:
    """Return table, seat and chips of every seat of a player."""
    held = [
        (table_id, seat.seat)
        for table_id, summary in await _seated(conn, player, currency)
        for seat in summaries.read(summary).seated
        if seat.player == player
    ]
    heads = await books.heads(conn, [accounts.seat(*one) for one in held]) if held else {}
    return [(table_id, seat, heads.get(accounts.seat(table_id, seat), (0, 0))[0]) for table_id, seat in held]


async def chips_at_tables(conn: Connection, player: str, currency: str) -> int:
    """Return the chips of a player at tables, including those in running rounds."""
    return sum(chips for _, _, chips in await of_player(conn, player, currency))


async def _seated(conn: Connection, player: str, currency: str) -> list[tuple[str, str | None]]:
    wanted = {"seated": [{"player": player}], "closed": False} | ({"currency": currency} if currency else {})
    heads = await log.list_streams(conn, wanted, limit=MOST_TABLES)
    return [(head.stream_id, head.summary) for head in heads]
