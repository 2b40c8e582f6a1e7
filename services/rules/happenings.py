"""Happenings: what goes on record of a move.

A happening goes into the log and to every viewer, so a hidden card is never in one; it says which positions of the
stock went where.
"""

from typing import Any

import msgspec

from services.rules import actions
from services.rules.cards import Card


class Happening(msgspec.Struct, frozen=True, tag_field="is", omit_defaults=True, gc=False):
    """One public fact; the base of all happenings."""


class Shuffled(Happening, frozen=True, tag="shuffled"):
    """A stock of ``size`` cards was shuffled (the table adds the commitment to its order)."""

    stock: int
    size: int


class Dealt(Happening, frozen=True, tag="dealt"):
    """Positions of a stock went to a seat (None: the table, or the banking house), into a zone.

    ``cards`` stands beside ``positions``, with ``??`` for each card that lies face down.
    """

    to: int | None
    zone: str
    stock: int
    positions: tuple[int, ...]
    cards: tuple[Card, ...]


class Shown(Happening, frozen=True, tag="shown"):
    """Cards that lay hidden in a zone of a seat (None: the table's or the house's) are face up now."""

    owner: int | None
    zone: str
    cards: tuple[Card, ...]


class Staked(Happening, frozen=True, tag="staked"):
    """A seat put in chips; ``what`` is their kind (``ante``, ``small_blind``, ``bet`` …)."""

    seat: int
    what: str
    amount: int


class Returned(Happening, frozen=True, tag="returned"):
    """A seat got back chips that nobody matched."""

    seat: int
    amount: int


class Phase(Happening, frozen=True, tag="phase"):
    """The round entered a phase, by the sheet's name (``flop``, ``bidding``, ``showdown`` …)."""

    name: str


class Decided(Happening, frozen=True, tag="decided"):
    """The system decided for a seat whose deadline passed [R14]."""

    seat: int
    action: actions.AnyAction


class Noted(Happening, frozen=True, tag="noted"):
    """Any other public fact: ``what`` by the sheet's word, the seat that it concerns, and details."""

    what: str
    seat: int | None = None
    facts: dict[str, Any] = {}


AnyHappening = Shuffled | Dealt | Shown | Staked | Returned | Phase | Decided | Noted
