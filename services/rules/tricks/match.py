"""A match: rounds that are played for one carried pool by the same seats [honeymoon Play 1, D4, D6]."""

import enum
from typing import Final

from services.rules import game
from services.rules.outcomes import Match
from services.rules.tricks import game as tricks_game

MATCH_ROUND: Final = "match_round"
"""Memory: the number that the next round has in the match."""

OVER: Final = "match_over"
"""Memory: a seat has left, so that the match is over although a win cap kept chips in the pool."""


class Standing(enum.Enum):
    """How a table stands between two rounds."""

    NEW = "the next round starts a match"
    RUNNING = "the next round belongs to the running match"
    BROKEN = "a seat of the running match has left between two rounds"


def standing(table: game.Table) -> Standing:
    """Return the state of the match; one starts when the pool is empty or all seats of the last one are gone."""
    if table.pot == 0 or table.memory.get(OVER):
        return Standing.NEW
    seats = stayed(table)
    if not seats:
        return Standing.NEW
    return Standing.RUNNING if len(seats) == len(table.memory.get(tricks_game.LAST_SEATS, seats)) else Standing.BROKEN


def stayed(table: game.Table) -> list[int]:
    """List the seats of the match that are still there; a table that remembers none plays with all that are taken."""
    seats = table.memory.get(tricks_game.LAST_SEATS)
    if seats is None:
        return list(table.chips)
    return [seat for seat, name in seats if tricks_game.still_there(table, seat, name)]


def round_number(table: game.Table) -> int:
    """Return the next round's number in its match, counting from 1."""
    begins_anew = standing(table) is Standing.NEW and tricks_game.LAST_SEATS in table.memory
    number: int = 1 if begins_anew else table.memory.get(MATCH_ROUND, 1)
    return number


def closed(table: game.Table, most_rounds: int, *, in_round: bool) -> Match | None:
    """Return the match that nobody may join now, which a new one is from its first round on; None where none runs."""
    if standing(table) is Standing.NEW and not in_round:
        return None
    return Match(round_number(table), most_rounds)
