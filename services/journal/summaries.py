"""The summary of a table, stored with its stream: lists are filtered and shown by it."""

from typing import Any

import msgspec


class SeatSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat; ``person`` is the player's name without regard to case."""

    player: str
    seat: int
    person: str = ""


class WaiterSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A player who waits for a seat, or who may enter a private table."""

    player: str


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A stream's summary as ``log_rows.summary`` writes it; a field that an older summary lacks has its default."""

    game: str = ""
    family: str = ""
    title: str = ""
    currency: str = ""
    stake: int = 0
    seats_taken: int = 0
    waiting: int = 0
    house_players: int = 0
    seats_reserved: int = 0
    max_seats: int = 0
    open_seats: bool = False
    state: str = ""
    closed: bool = False
    test: bool = False
    round_number: int = 0
    least_buy_in: int = 0
    greatest_buy_in: int = 0
    template_id: str = ""
    template_version: int = 0
    private: bool = False
    least_return: str = ""
    sizes_and_times: dict[str, Any] = {}
    opened_by: str = ""
    idle_ms: int = 0
    seated: tuple[SeatSummary, ...] = ()
    line: tuple[WaiterSummary, ...] = ()
    members: tuple[WaiterSummary, ...] = ()


def read(text: str | None) -> TableSummary:
    """Return a stream's summary; all defaults for a stream without one. Raises msgspec.DecodeError."""
    return msgspec.json.decode(text or "{}", type=TableSummary)
