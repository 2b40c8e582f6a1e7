"""Which chips move with which events: the ledger entry that belongs to an append, as pure functions."""

import uuid
from collections import Counter
from typing import Final

from services.ledger import accounts
from services.ledger.records import Entry
from services.rules import personal
from services.table import events
from services.table.events import Event
from services.table.public_table import PublicTable

_SPACE: Final = uuid.UUID("9a4cf1e0-7f0c-5b9e-8f43-6d0c1e1b7a52")
"""Namespace of entry ids: a repeated settlement has the id of the first, so that it cannot pay twice."""


def entry_id(table_id: str, version: int) -> str:
    """Return the id of the entry that belongs to the append whose first event has this version."""
    return str(uuid.uuid5(_SPACE, f"{table_id}:{version}"))


def entry(core: PublicTable, made: list[Event], actor: str) -> Entry | None:
    """Make the ledger entry of events that ``core`` already holds; None where no chip moves.

    The id comes from table and version, so that the event at that version is posted once.
    """
    changes: Counter[str] = Counter()
    for event in made:
        _move(core, event, changes)
    legs = accounts.legs(changes)
    if not legs:
        return None
    first = made[0]
    version = core.version - len(made) + 1
    return Entry(
        entry_id=entry_id(core.table_id, version),
        kind=_KINDS[type(first)],
        currency=core.opening.currency,
        legs=legs,
        reason=_reason(core, first),
        actor=actor,
        table=core.table_id,
        round=core.round_number if isinstance(first, events.RoundSettled | events.RoundVoided) else None,
    )


_KINDS: Final[dict[type[Event], str]] = {
    events.SeatTaken: "buy_in",
    events.ChipsAdded: "top_up",
    events.SeatLeft: "cash_out",
    events.RemovedForAbsence: "cash_out",
    events.RoundSettled: "round",
    events.RoundVoided: "void",
    events.TableClosed: "close",
    events.PotFunded: "fund_pot",
}

NAMES: Final = frozenset(kind.__name__ for kind in _KINDS)
"""Names of the events that an append with an entry begins with."""


def _reason(core: PublicTable, first: Event) -> str:
    """Return game and title or reason; never a player's own text, because the ledger is permanent."""
    text = first.reason if isinstance(first, events.RoundVoided | events.TableClosed) else core.opening.title
    return core.opening.game if personal.is_sealed(text) else f"{core.opening.game}: {text}"


def _move(core: PublicTable, event: Event, changes: Counter[str]) -> None:
    table, currency = core.table_id, core.opening.currency
    match event:
        case events.SeatTaken(seat=taken):
            changes[accounts.wallet(currency, taken.player)] -= taken.chips
            changes[accounts.seat(table, taken.seat)] += taken.chips
        case events.ChipsAdded():
            changes[accounts.wallet(currency, core.seats[event.seat].player)] -= event.chips
            changes[accounts.seat(table, event.seat)] += event.chips
        case events.SeatLeft() | events.RemovedForAbsence():
            changes[accounts.seat(table, event.seat)] -= event.chips
            changes[accounts.wallet(currency, event.player)] += event.chips
        case events.PotFunded():
            changes[accounts.house(currency, table)] -= event.chips
            changes[accounts.pot(table)] += event.chips
        case events.RoundSettled():
            _settle(core, event, changes)
        case events.TableClosed():
            _close(core, event, changes)
        case _:
            pass


def _settle(core: PublicTable, event: events.RoundSettled, changes: Counter[str]) -> None:
    table, currency, posting = core.table_id, core.opening.currency, event.posting
    for seat, change in posting.net.items():
        changes[accounts.seat(table, seat)] += change
    changes[accounts.fees(currency, table)] += posting.fee
    changes[accounts.house(currency, table)] += posting.house
    changes[accounts.pot(table)] += posting.pot


def _close(core: PublicTable, event: events.TableClosed, changes: Counter[str]) -> None:
    """Share the pool; without seats to share it, it goes to the house."""
    table = core.table_id
    for seat, part in event.shares.items():
        changes[accounts.seat(table, seat)] += part
        changes[accounts.pot(table)] -= part
    changes[accounts.pot(table)] -= event.to_house
    changes[accounts.house(core.opening.currency, table)] += event.to_house
