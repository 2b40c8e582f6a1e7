"""Records of players' limits, and those in force at a moment. A later record of the same limit replaces it."""

from collections.abc import Sequence

from services.database.retry import Connection
from services.database.statements import rows
from services.limits import policy
from services.limits.policy import EXCLUSION, Limit
from services.registry import queries
from services.registry.records import Command, ConflictError


async def lock(conn: Connection, player: str) -> None:
    """Lock a player's limits until the caller's transaction ends: what is checked now still holds at the commit.

    The changes of the previous holder are visible at any isolation level; otherwise the transaction is aborted.
    """
    await rows(conn, queries.PLAYER_LOCK, (player,))


async def lock_limited(conn: Connection, players: Sequence[str]) -> set[str]:
    """Lock the limits of the players who have or had any, until the caller's transaction ends; return these players.

    The order is always the same, so that no two transactions wait for each other.
    """
    found = await limited(conn, players)
    for player in sorted(found):
        await lock(conn, player)
    return found


async def of_request(conn: Connection, command: Command) -> Limit | None:
    """Return the limit that a request has set; None if it set none. Raises ConflictError."""
    known = await rows(conn, queries.LIMIT_OF_REQUEST, (command.key,))
    if not known:
        return None
    if bytes(known[0][0]) != command.digest:
        raise ConflictError
    return Limit(*known[0][1:])


async def record(conn: Connection, command: Command, limit: Limit) -> Limit:
    """Record a limit in the caller's transaction, under the player's ``lock``; return it with its number."""
    made = await rows(
        conn,
        queries.RECORD_LIMIT,
        (
            limit.player,
            limit.kind,
            limit.span,
            limit.currency,
            limit.set_by,
            limit.amount,
            limit.effective_ms,
            limit.made_ms,
            limit.reason,
            limit.actor,
            command.key,
            command.digest,
        ),
    )
    return Limit(*made[0])


async def in_force(conn: Connection, player: str, now_ms: int) -> list[Limit]:
    """Return a player's limits in force at a moment, those set by the player and by the house."""
    return [Limit(*row) for row in await rows(conn, queries.LIMITS_IN_FORCE, ([player], now_ms))]


async def to_come(conn: Connection, player: str, now_ms: int) -> list[Limit]:
    """Return the limits of a player that come into force later."""
    return [Limit(*row) for row in await rows(conn, queries.LIMITS_TO_COME, (player, now_ms))]


async def limited(conn: Connection, players: Sequence[str]) -> set[str]:
    """Return the players who have or had any limit; the others need no further check."""
    return {row[0] for row in await rows(conn, queries.PLAYERS_WITH_LIMITS, (list(players),))}


async def excluded(conn: Connection, player: str, now_ms: int) -> Limit | None:
    """Return the exclusion of a player at a moment; None if the player is not excluded."""
    return (await excluded_among(conn, [player], now_ms)).get(player)


async def excluded_among(conn: Connection, players: Sequence[str], now_ms: int) -> dict[str, Limit]:
    """Return the exclusions of excluded players at a moment, in milliseconds since 1970."""
    some = await limited(conn, players)
    if not some:
        return {}
    held = [Limit(*row) for row in await rows(conn, queries.LIMITS_IN_FORCE, (sorted(some), now_ms))]
    by_player: dict[str, list[Limit]] = {}
    for one in held:
        if one.kind == EXCLUSION:
            by_player.setdefault(one.player, []).append(one)
    found = {player: policy.strictest(limits) for player, limits in by_player.items()}
    return {player: one for player, limits in found.items() for one in limits if policy.excludes(one, now_ms)}
