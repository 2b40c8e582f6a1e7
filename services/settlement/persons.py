"""Staff and what is their own: nobody moves its own money, nor acts as staff on a table at which it plays."""

import json
from collections.abc import Iterable

from services.eventlog import log
from services.registry.paging import Connection
from services.registry.records import GAME, HOUSE, PLAYER, TABLE
from services.runtime import context
from services.runtime.errors import Problem, Reason
from services.table import persons
from services.table.persons import same

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
