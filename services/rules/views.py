"""Views: a round as one viewer may see it."""

import msgspec

from services.rules.cards import Card
from services.rules.facts import Facts


class Zone(msgspec.Struct, frozen=True):
    """Cards that lie together: of a seat, or (owner None) of the table or the banking house; ``??`` if hidden."""

    owner: int | None
    name: str
    cards: tuple[Card, ...]


class SeatView(msgspec.Struct, frozen=True):
    """A seat of the round: chips it has left to use, chips staked in this round, and a status word of the sheet.

    ``bet``: chips put in during this betting round; ``to_call``: chips that the seat would add to call.
    """

    seat: int
    chips: int
    staked: int
    status: str
    bet: int = 0
    to_call: int = 0


class Betting(msgspec.Struct, frozen=True):
    """A betting round, in chips: the highest bet of a seat, the last full raise, the least total of the next raise.

    ``total``: the chips in all pots and all current bets.
    """

    current_bet: int
    last_raise: int
    least_raise_to: int
    total: int


class View(msgspec.Struct, frozen=True):
    """A round as one viewer may see it; equal bytes for rounds that differ only in what the viewer may not know."""

    phase: str
    button: int | None
    seats: tuple[SeatView, ...]
    zones: tuple[Zone, ...]
    pots: tuple[int, ...]
    facts: Facts
    betting: Betting | None = None
