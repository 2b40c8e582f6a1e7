"""Views: a round as one viewer may see it."""

from typing import Any

import msgspec

from services.rules.cards import Card


class Zone(msgspec.Struct, frozen=True):
    """Cards that lie together: of a seat, or (owner None) of the table or the banking house; ``??`` if hidden."""

    owner: int | None
    name: str
    cards: tuple[Card, ...]


class SeatView(msgspec.Struct, frozen=True):
    """A seat of the round: chips it has left to use, chips staked in this round, and a status word of the sheet."""

    seat: int
    chips: int
    staked: int
    status: str


class View(msgspec.Struct, frozen=True):
    """A round as one viewer may see it; equal bytes for rounds that differ only in what the viewer may not know."""

    phase: str
    button: int | None
    seats: tuple[SeatView, ...]
    zones: tuple[Zone, ...]
    pots: tuple[int, ...]
    facts: dict[str, Any]
