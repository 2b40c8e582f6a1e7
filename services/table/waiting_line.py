"""The waiting line of a table: who waits for a seat, and for whom a seat that came up is held.

The line is part of the table's log, so the command that takes a seat and the one that frees it are decided on the same
version as the line: one seat never goes to two people. Holds follow from the log alone. An event after which a seat
is free gives it to the first in line without one, from that event's moment on. Whose hold has lapsed, or who has waited
too long, is out of the line with the next event, whatever it is; a dealer appends one where no other comes.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from services.rules.refusals import Reason, Refused
from services.table import events, persons, public_table
from services.table.events import Event, Waiter
from services.table.public_table import PublicTable

MOST_WAITING: Final = 50
"""Maximum length of a table's line."""
MOST_LINES: Final = 5
"""Maximum number of lines in which one player waits."""
WAIT_MS: Final = 60 * 60 * 1000
"""How long somebody waits at most; joining again begins anew, at the same place."""

Line = Sequence[Waiter]


def free_seats(core: PublicTable, at_ms: int) -> int:
    """Return how many seats anybody can take at a moment: none while a match keeps others away."""
    free = core.places - len(core.seats) - len(core.kept(at_ms))
    if free <= 0 or core.phase == public_table.CLOSED:
        return 0
    game, rules = public_table.game_and_rules(core)
    match = game.closed_match(rules, core.for_rules(), in_round=core.round is not None)
    return free if match is None else 0


def assigned(core: PublicTable, line: Line, at_ms: int) -> tuple[Waiter, ...]:
    """Return a line in which the first hold the free seats; a hold that is new begins at ``at_ms``."""
    if not line:
        return ()
    free = free_seats(core, at_ms)
    until_ms = at_ms + 1000 * public_table.game_and_rules(core)[1].seat_hold_s
    found: list[Waiter] = []
    for place, one in enumerate(line):
        held = (one.held_until_ms or until_ms) if place < free else 0
        found.append(one if held == one.held_until_ms else msgspec.structs.replace(one, held_until_ms=held))
    return tuple(found)


def standing(core: PublicTable, now_ms: int) -> tuple[Waiter, ...]:
    """Return the line as it stands at a moment: without those whose hold has lapsed or whose wait has ended.

    A seat whose reservation has lapsed by then is free.
    """
    left = [one for one in core.line if not _is_over(one, now_ms)]
    is_same = len(left) == len(core.line) and len(core.kept(now_ms)) == len(core.reserved)
    return core.line if is_same else assigned(core, left, now_ms)


def ended(core: PublicTable, now_ms: int) -> list[Event]:
    """Return the event that removes those whose hold has lapsed or whose wait has ended; none where nobody is."""
    over = tuple(one.player for one in core.line if _is_over(one, now_ms))
    return [events.WaitingEnded(at_ms=now_ms, players=over)] if over else []


def place_of(line: Line, player: str) -> int:
    """Return a player's place in line, counted from 1; 0 where it does not wait."""
    return next((place for place, one in enumerate(line, start=1) if one.player == player), 0)


def of_player(line: Line, player: str) -> Waiter | None:
    """Return a player's entry in a line."""
    return next((one for one in line if one.player == player), None)


def join(core: PublicTable, player: str, now_ms: int, until_ms: int) -> list[Event]:
    """Wait for a seat until a moment; who waits already keeps its place, and its wait begins anew.

    Raises Refused (``TABLE_CLOSED``, ``ALREADY_SEATED``, ``INVITATION_NEEDED``, ``LINE_FULL``).
    """
    public_table.require_not_closed(core)
    if core.seat_of(player) is not None:
        raise Refused(Reason.ALREADY_SEATED, "you have a seat at this table; the line is for those who have none")
    persons.refuse_stranger(core, player)
    line = standing(core, now_ms)
    if not place_of(line, player) and len(line) >= MOST_WAITING:
        raise Refused(
            Reason.LINE_FULL,
            f"{len(line)} players wait at this table already; at most {MOST_WAITING} do",
            metadata={"waiting": len(line), "most": MOST_WAITING},
        )
    return [events.WaitingJoined(at_ms=now_ms, player=player, until_ms=until_ms)]


def leave(core: PublicTable, player: str, now_ms: int) -> list[Event]:
    """Leave the line; nothing where the player does not wait."""
    waits = place_of(standing(core, now_ms), player)
    return [events.WaitingLeft(at_ms=now_ms, player=player)] if waits else []


def refuse_held(core: PublicTable, player: str, free: int, now_ms: int) -> None:
    """Raise Refused (``SEAT_HELD``) where every free seat is held for somebody else."""
    if not core.line:
        return
    line = standing(core, now_ms)
    own = place_of(line, player)
    held = [one for one in line if one.held_until_ms]
    if len(held) < free or any(one.player == player for one in held):
        return
    until_ms = min((one.held_until_ms for one in held), default=0)
    seconds = -(-max(0, until_ms - now_ms) // 1000)
    raise Refused(
        Reason.SEAT_HELD,
        f"each free seat is held for a player who waits, the next for {seconds} more seconds; join the line",
        metadata={"until_ms": until_ms, "left_ms": max(0, until_ms - now_ms), "place": own, "waiting": len(line)},
    )


# -- the fold


def advance(core: PublicTable, at_ms: int) -> None:
    """Remove those whose wait or reservation was over when the event happened that is folded next."""
    if core.line:
        core.line = standing(core, at_ms)
    if core.reserved:
        core.reserved = core.kept(at_ms)


def hold(core: PublicTable, at_ms: int) -> None:
    """Hold the free seats after an event of ``at_ms`` for the first in line."""
    core.line = assigned(core, core.line, at_ms)


def remove(core: PublicTable, *players: str) -> None:
    """Take players out of the line."""
    core.line = tuple(one for one in core.line if one.player not in players)


def joined(core: PublicTable, event: events.WaitingJoined) -> None:
    """Fold a wish to wait."""
    if not place_of(core.line, event.player):
        core.line = (*core.line, Waiter(player=event.player, until_ms=0))
    core.line = tuple(
        msgspec.structs.replace(one, until_ms=event.until_ms) if one.player == event.player else one
        for one in core.line
    )


def left(core: PublicTable, event: events.WaitingLeft) -> None:
    """Fold the end of a wait by the player's own wish."""
    remove(core, event.player)


def over(core: PublicTable, event: events.WaitingEnded) -> None:
    """Fold the end of waits that the house ended."""
    remove(core, *event.players)


def _is_over(one: Waiter, now_ms: int) -> bool:
    return one.until_ms <= now_ms or 0 < one.held_until_ms <= now_ms
