"""What all events have, and the parts that a table is made of: its opening, its seats, who waits for one."""

from typing import Any

import msgspec


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a table; ``at_ms`` is when it was decided."""

    at_ms: int


class NextSeed(msgspec.Struct, frozen=True):
    """The house's seed of the coming round: its commitment for everybody, itself sealed for dealers (both hex)."""

    commitment: str
    sealed: str


class Opening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The constants of an open table; amounts in chips, ``rules`` all house rules, defaults included.

    ``template`` and ``template_version`` name what it was opened from; none at a test table with rules of its own.
    ``private``: it is listed to nobody else; ``by_invitation``: nobody else enters it either, as is the case at private
    tables since there are invitations. ``least_return``: what the worst bet returns where the rules favour a seat that
    banks. What has a default is left out of the log where it says nothing, as it was before there were templates.
    """

    game: str
    family: str
    rules_version: int | msgspec.UnsetType = msgspec.UNSET
    rules: dict[str, Any]
    title: str
    currency: str
    stake: int
    max_seats: int
    least_buy_in: int
    greatest_buy_in: int
    test: bool
    scripted: bool
    first_button: int | None
    opened_by: str
    template: str = ""
    template_version: int = 0
    private: bool = False
    by_invitation: bool = False
    least_return: str = ""

    @property
    def version(self) -> int:
        """The version of the game's rules; logs that name none are of the first."""
        return 1 if self.rules_version is msgspec.UNSET else self.rules_version


class TopUp(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The level to which a seat is topped up before each round; ``failed``: why the last top-up moved nothing."""

    level: int
    failed: str = ""


class SeatRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat: its player, the name shown at the table (sealed), its chips, whether it leaves after the round.

    ``avatar``: the address of the player's picture, sealed; ``top_up``: its automatic top-ups. Both are left out where
    there is none.
    """

    seat: int
    player: str
    name: str
    test: bool
    chips: int
    leaving: bool = False
    avatar: str | msgspec.UnsetType = msgspec.UNSET
    top_up: TopUp | msgspec.UnsetType = msgspec.UNSET


class Waiter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A player who waits for a seat until ``until_ms``; ``held_until_ms``: until then a free seat is held for it."""

    player: str
    until_ms: int
    held_until_ms: int = 0


class Reservation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A free seat that is kept for one player until ``until_ms``.

    ``offer``: by the house, for a player who waits for a seat at any table.
    """

    seat: int
    player: str
    until_ms: int
    offer: bool = False


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation to a private table until ``until_ms``; ``digest`` is that of its code, ``uses`` those left."""

    invitation_id: str
    digest: str
    uses: int
    until_ms: int


class Guest(msgspec.Struct, frozen=True, kw_only=True):
    """A player who may enter a private table, by an invitation."""

    player: str
    invitation_id: str


class Departure(msgspec.Struct, frozen=True, kw_only=True):
    """A player who left a table with so many chips, and until when it may not return with fewer."""

    player: str
    chips: int
    until_ms: int


class StockRoot(msgspec.Struct, frozen=True):
    """Commitment to the order of one stock: its number, size, and the Merkle root over its positions (hex)."""

    stock: int
    size: int
    root: str


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's absence: since when it sits out, when it is too long (0: never), how many rounds began without it."""

    since_ms: int
    until_ms: int
    rounds: int = 0


class TableAtStart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table restated when a round starts, so that nothing older is read to rebuild it.

    ``line``: who waits; ``reserved``: the seats that are kept for somebody; ``invitations`` and ``guests``: who may
    enter a private table; ``departed``: who left lately with chips.
    """

    opening: Opening
    seats: tuple[SeatRecord, ...]
    button: int | None
    pot: int
    memory: dict[str, Any]
    line: tuple[Waiter, ...] = ()
    reserved: tuple[Reservation, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    guests: tuple[Guest, ...] = ()
    departed: tuple[Departure, ...] = ()


class SeatSettled(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's account of a round, in chips [R1]."""

    seat: int
    player: str
    before: int
    after: int
    staked: int
    won: int
    fee: int
