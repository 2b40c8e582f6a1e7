"""Players who wait for a seat at any table of a game and stake: one line for each player, in the order of joining.

A row is offered at most one seat: it is locked first, and passed by where another transaction has locked it. The offer
and the table's event are of one transaction.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence

import msgspec

from services.database.retry import Connection
from services.database.statements import execute, rows
from services.registry import queries
from services.registry.records import Command, ConflictError


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The tables that a player waits for: ``stake`` 0 and ``currency`` "" are any; ``fits``: keys of templates.

    A table is compared as what a player would want who waits for those like it: with its own key alone.
    """

    game: str
    stake: int
    currency: str
    fits: tuple[str, ...]
    test: bool

    def overlaps(self, other: "Wanted") -> bool:
        """Return whether a table may fit both."""
        return (
            (self.game, self.test) == (other.game, other.test)
            and (not self.stake or not other.stake or self.stake == other.stake)
            and (not self.currency or not other.currency or self.currency == other.currency)
            and not set(self.fits).isdisjoint(other.fits)
        )


class SeatWait(msgspec.Struct, frozen=True, kw_only=True):
    """A player who waits until ``until_ms``, or may take the offered seat until then; ``table`` "": none is offered."""

    player: str
    number: int
    wanted: Wanted
    until_ms: int
    table: str = ""
    seat: int = 0


async def of_player(conn: Connection, player: str, *, lock: bool = False) -> SeatWait | None:
    """Return a player's wait; ``lock`` it until the caller's transaction ends."""
    found = await rows(conn, queries.LOCK_SEAT_WAIT if lock else queries.SEAT_WAIT, (player,))
    return _wait(found[0]) if found else None


async def of_players(conn: Connection, players: Collection[str], now_ms: int) -> list[SeatWait]:
    """Return the waits of these players that are not over."""
    return [_wait(row) for row in await rows(conn, queries.SEAT_WAITS_OF_PLAYERS, (list(players), now_ms))]


async def of_games(conn: Connection, games: Collection[str], now_ms: int, limit: int) -> list[SeatWait]:
    """Return those who wait for tables of some games, in their order, by game."""
    return [_wait(row) for row in await rows(conn, queries.SEAT_WAITS_OF_GAMES, (sorted(games), now_ms, limit))]


async def join(conn: Connection, player: str, wanted: Wanted, until_ms: int) -> None:
    """Put a player at the end of the line. Raises psycopg.errors.UniqueViolation where another one was faster."""
    fields = (player, wanted.game, wanted.stake, wanted.currency, list(wanted.fits), wanted.test, until_ms)
    await execute(conn, queries.JOIN_SEAT_WAITS, fields)


async def renew(conn: Connection, player: str, until_ms: int) -> None:
    """Let a wait without an offer last until a moment."""
    await execute(conn, queries.RENEW_SEAT_WAIT, (until_ms, player))


async def leave(conn: Connection, player: str) -> None:
    """End a player's wait."""
    await execute(conn, queries.LEAVE_SEAT_WAITS, (player,))


async def is_awaited(conn: Connection, table: Wanted, now_ms: int) -> bool:
    """Return whether somebody without an offer waits for a table like this."""
    return bool(await rows(conn, queries.FITTING_WAIT, _fields(table, now_ms)))


async def lock_first(conn: Connection, table: Wanted, now_ms: int, but: Iterable[str]) -> SeatWait | None:
    """Lock the first who waits for a table like this until the caller's transaction ends, none of ``but``."""
    found = await rows(conn, queries.LOCK_FITTING_WAIT, (*_fields(table, now_ms), list(but)))
    return _wait(found[0]) if found else None


async def offer(conn: Connection, player: str, table_id: str, seat: int, until_ms: int) -> None:
    """Offer a seat to a player whose row is locked; the wait ends with the offer."""
    await execute(conn, queries.OFFER_SEAT, (table_id, seat, until_ms, player))


async def use(conn: Connection, player: str, table_id: str) -> None:
    """End the wait of a player who takes the seat that it was offered at a table."""
    await execute(conn, queries.USE_OFFER, (player, table_id))


async def withdraw(conn: Connection, table_id: str, until_ms: int) -> None:
    """Take the offers of a table back; their players keep their places and wait until a moment."""
    await execute(conn, queries.WITHDRAW_OFFERS, (until_ms, table_id))


async def end(conn: Connection, now_ms: int) -> int:
    """End the waits and offers that are over; return their number."""
    return await execute(conn, queries.END_SEAT_WAITS, (now_ms,))


async def offering(conn: Connection, limit: int) -> list[str]:
    """Return the tables at which a seat is offered."""
    return [str(row[0]) for row in await rows(conn, queries.OFFERING_TABLES, (limit,))]


async def awaited(conn: Connection, now_ms: int, limit: int) -> list[Wanted]:
    """Return what players without an offer wait for, each once."""
    return [_wanted(row) for row in await rows(conn, queries.OPEN_SEAT_WAITS, (now_ms, limit))]


async def first_answer(conn: Connection, command: Command) -> bytes | None:
    """Return the answer that a request got; None where it is new. Raises ConflictError."""
    known = await rows(conn, queries.SEAT_WAIT_OF_REQUEST, (command.key,))
    if not known:
        return None
    if bytes(known[0][0]) != command.digest:
        raise ConflictError
    return bytes(known[0][1])


async def record(conn: Connection, command: Command, answer: bytes) -> None:
    """Record a request with its answer in the caller's transaction."""
    await execute(conn, queries.RECORD_SEAT_WAIT_REQUEST, (command.key, command.digest, answer))


def rivals(waits: Iterable[SeatWait], wanted: Wanted) -> list[int]:
    """Return the numbers of those who wait without an offer for tables that may fit as well, in order."""
    return sorted(one.number for one in waits if not one.table and one.wanted.overlaps(wanted))


def place(line: Sequence[int], own: SeatWait) -> tuple[int, int]:
    """Return a place in a line of rivals, counted from 1, and the length of the line.

    The place is 0 for a player to whom a seat is offered.
    """
    return (0 if own.table else bisect_right(line, own.number)), len(line)


def _fields(table: Wanted, now_ms: int) -> tuple[object, ...]:
    (key,) = table.fits
    return table.game, table.test, now_ms, table.stake, table.currency, key


def _wanted(row: Sequence[object]) -> Wanted:
    game, stake, currency, fits, test = row
    return msgspec.convert({"game": game, "stake": stake, "currency": currency, "fits": fits, "test": test}, Wanted)


def _wait(row: Sequence[object]) -> SeatWait:
    player, number, game, stake, currency, fits, test, until_ms, table, seat = row
    wanted = _wanted((game, stake, currency, fits, test))
    plain = {"player": player, "number": number, "until_ms": until_ms, "table": table, "seat": seat}
    return SeatWait(wanted=wanted, **plain)  # type: ignore[arg-type]  # as the query says
