"""Who is dealt in, and where button and blinds are: waiting seats and the dead button [poker 0.13, 0.14]."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from services.rules.chips import to_the_left
from services.rules.poker import blind_keys, keys
from services.rules.poker.house_rules import WithBlinds

HEADS_UP: Final = 2
BUTTON_BACK: Final = -3
"""The button's place in a list of seats that ends with the big blind."""


class Owed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat must post beside the blinds: ``live`` chips count as its bet, ``dead`` ones go into the main pot."""

    live: int = 0
    dead: int = 0


class Blinds(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seats of the blinds; ``small`` may be a seat that is not dealt in, or None."""

    big: int
    small: int | None = None


class Memory(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a round with blinds leaves to the next one; lists hold seats in ascending order.

    ``played``: dealt in. ``small``, ``big``: the places of the blinds, the small one's also where nobody posted it.
    ``away``: not dealt in, but dealt in before since the seat was taken; ``passed``: those of them that the small blind
    has passed. ``straddles``: those that straddle under the gun. ``owed`` and ``placed`` state single rounds, for
    recorded hands: posts beside the blinds, and the places of the blinds.
    """

    played: list[int] | None = None
    small: int | None = None
    big: int | None = None
    away: list[int] = []
    passed: list[int] = []
    straddles: list[int] = []
    owed: dict[int, Owed] = {}
    placed: Blinds | None = None


class Deal(msgspec.Struct, frozen=True):
    """Who is dealt in; without a ``button`` it moves as always, without ``blinds`` they follow from the button."""

    seats: tuple[int, ...]
    button: int | None = None
    blinds: Blinds | None = None


def read(memory: Mapping[str, Any]) -> Memory:
    """Return a table's memory as a record."""
    return msgspec.convert(memory, Memory, strict=False) if memory else Memory()


def write(memory: Memory) -> dict[str, Any]:
    """Return a record as a table's memory."""
    found: dict[str, Any] = msgspec.to_builtins(memory, str_keys=True)
    return found


def duty(rules: WithBlinds, memory: Memory, seat: int) -> str:
    """Return what a seat does that was not dealt in in the round before: ``nothing``, ``post`` or ``wait``."""
    if memory.played is None or seat in memory.played:
        return keys.NOTHING
    return rules.on_return if seat in memory.away else rules.on_entry


def deal(rules: WithBlinds, memory: Memory, able: Sequence[int]) -> Deal:
    """Return who of the seats that hold chips is dealt in, and where the button is if it does not simply move."""
    if memory.placed is not None:
        return Deal(tuple(able), blinds=memory.placed)
    if memory.played is None and memory.big is None:
        return Deal(tuple(able))  # nobody can have missed a blind
    waiting = [seat for seat in able if duty(rules, memory, seat) == blind_keys.WAIT]
    if len(able) - len(waiting) < max(HEADS_UP, rules.min_seats):
        waiting = []
    seats = [seat for seat in able if seat not in waiting]
    if memory.big is None:
        return Deal(tuple(seats))
    following = to_the_left(able, memory.big)[0]
    enters = following in waiting
    if enters:
        seats = sorted([*seats, following])
    if rules.button_is_dead:
        return _with_dead_button(rules, memory, memory.big, seats)
    if not enters:
        return Deal(tuple(seats))
    return Deal(tuple(seats), following if rules.by_button else to_the_left(seats, following)[BUTTON_BACK])


def passes(memory: Memory, seat: int, small: int) -> bool:
    """Return whether the small blind, now at ``small``, has passed a seat or reached it since the last round."""
    if memory.small is None or small == memory.small:
        return False
    return _clockwise(seat, memory.small) <= _clockwise(small, memory.small)


def without(memory: Memory, seat: int) -> Memory:
    """Return the memory after the player of a seat has left."""
    rest = {name: [other for other in getattr(memory, name) if other != seat] for name in _SEATS}
    played = None if memory.played is None else [other for other in memory.played if other != seat]
    return msgspec.structs.replace(memory, played=played, **rest)


_SEATS: Final = ("away", "passed", "straddles")


def _clockwise(seat: int, start: int) -> tuple[bool, int]:
    """Return a key that orders seats clockwise from a seat, which is itself the last."""
    return seat <= start, seat


def _with_dead_button(rules: WithBlinds, memory: Memory, last: int, seats: list[int]) -> Deal:
    """Advance the big blind; the small blind is at its last place, the button at the last place of the small blind."""
    big = to_the_left(seats, last)[0]
    if len(seats) == HEADS_UP:
        [other] = [seat for seat in seats if seat != big]
        return Deal(tuple(seats), other if rules.button_is_small else big)
    button = memory.small
    if button is None or button == last or _clockwise(button, last) <= _clockwise(big, last):
        button = [seat for seat in to_the_left(seats, last) if seat != last][-1]
    return Deal(tuple(seats), button, Blinds(big, last))
