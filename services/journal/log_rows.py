"""Conversion between events of tables and rows of the log."""

import functools
from collections.abc import Sequence
from typing import Any

import msgspec

from services.eventlog import upcast
from services.eventlog.records import Append, NewEvent, StoredEvent
from services.house import templates
from services.rules import house_players
from services.table import codec, event_fold, events, invitations, persons, public_table
from services.table.events import Event
from services.table.public_table import PublicTable

_UPCASTS = upcast.Upcasts(codec.STEPS)

UNSETTLED = "unsettled"
"""Mark of a stream whose last round has ended and waits for settlement."""
IN_ROUND = "in_round"
"""Mark of a stream whose table is in a round: a deadline may be running."""
STARTING = "starting"
"""Mark of a stream whose table is between rounds: the house acts at a moment that is set, such as a start."""
IDLE = "idle"
"""Mark of a stream whose table is between rounds with nothing ahead but its close, if nobody uses it."""

_MARKS = {
    public_table.IN_ROUND: IN_ROUND,
    public_table.SETTLING: UNSETTLED,
    public_table.CLOSED: "",
}


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """The cause of an event: actor, role, command, and the kind of process (never a machine)."""

    actor: str
    role: str
    command: str
    process: str


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """The command of an append: its permanent key and digest. A repetition gets the stored answer."""

    key: str
    digest: bytes


def from_stored(stored: StoredEvent | NewEvent) -> Event:
    """Return a stored event, converted to today's shape. Raises upcast.ShapeError, codec.UnknownEventError."""
    kind, current = _shape(stored.type)
    if current:
        return codec.decode(kind, stored.data)
    _, fields = _UPCASTS.upcast(stored.type, msgspec.json.decode(stored.data))
    return codec.decode_lifted(kind, fields)


def from_a_start(rows: Sequence[StoredEvent]) -> Sequence[StoredEvent]:
    """Return the events from the first one on from which a table can be rebuilt."""
    starts = (events.TableOpened.__name__, events.RoundStarted.__name__)
    first = next((at for at, row in enumerate(rows) if kind_of(row)[0] in starts), len(rows))
    return rows[first:]


def text_of(stored: StoredEvent) -> str:
    """Return the text that a replay must produce byte for byte: the stored data; "" for data of an older shape.

    Data of an older shape is compared after its conversion; the chain of hashes covers its original bytes.
    """
    return stored.data if _shape(stored.type)[1] else ""


def metadata_of(stored: StoredEvent) -> Metadata:
    """Return the cause of a stored event. Raises msgspec.DecodeError, which is a ValueError."""
    return msgspec.json.decode(stored.metadata, type=Metadata)


def fold(table_id: str, recorded: Sequence[StoredEvent]) -> PublicTable:
    """Fold a public table from stored events, the first of which restates the table."""
    first = recorded[0]
    core = event_fold.begin(table_id, first.version, from_stored(first))
    for one in recorded[1:]:
        event_fold.fold(core, from_stored(one))
    return core


def kind_of(stored: StoredEvent | NewEvent) -> tuple[str, int]:
    """Split a stored type, such as ``ActionTaken.v1``, into name and schema number."""
    return upcast.split(stored.type)


@functools.cache
def _shape(stored_type: str) -> tuple[str, bool]:
    """Return a stored type's name and whether it is today's shape. Cached: there are few types, each read often."""
    name, _ = upcast.split(stored_type)
    return name, _UPCASTS.newest(name) == stored_type


def to_new(event: Event, metadata: Metadata) -> NewEvent:
    """Return an event as a row for the log."""
    kind = codec.name(event)
    return NewEvent(
        type=_UPCASTS.newest(kind),
        data=codec.encode(event),
        metadata=msgspec.json.encode(metadata).decode(),
    )


def append(
    core: PublicTable,
    made: list[Event],
    metadata: Metadata,
    command: Command | None = None,
    answer: bytes = b"",
    *,
    follows: bytes | None,
) -> Append:
    """Return the append of events that ``core`` already includes.

    ``follows`` is the hash of the event before them; None for a table's first event.
    """
    rebuild = next(
        (at for at, event in enumerate(made) if isinstance(event, events.RoundStarted | events.TableOpened)), None
    )
    quiet = all(isinstance(event, events.ActionTaken | events.DeadlinePassed) for event in made)
    return Append(
        stream_id=core.table_id,
        expected=core.version - len(made),
        expected_hash=follows,
        events=tuple(to_new(event, metadata) for event in made),
        request_key=command.key if command else None,
        request_digest=command.digest if command else None,
        answer=answer,
        rebuild=rebuild,
        mark=None if quiet else _mark(core),
        summary=None if quiet else msgspec.json.encode(summary(core)).decode(),
    )


def _mark(core: PublicTable) -> str:
    if core.phase != public_table.OPEN:
        return _MARKS[core.phase]
    return STARTING if core.soon_ms else IDLE if core.idle_ms else ""


def summary(core: PublicTable) -> dict[str, Any]:
    """Return the summary by which lists of tables are filtered and shown."""
    at = core.opening
    return {
        "game": at.game,
        "family": at.family,
        "title": at.title,
        "currency": at.currency,
        "stake": at.stake,
        "seats_taken": len(core.seats),
        "waiting": len(core.line),
        "house_players": sum(house_players.is_one(seat.player) for seat in core.seats.values()),
        "seats_reserved": len(core.reserved),
        "max_seats": at.max_seats,
        "open_seats": core.phase != public_table.CLOSED and len(core.seats) + len(core.reserved) < core.places,
        "state": core.phase,
        "closed": core.phase == public_table.CLOSED,
        "test": at.test,
        "round_number": core.round_number,
        "least_buy_in": at.least_buy_in,
        "greatest_buy_in": at.greatest_buy_in,
        "template_id": at.template,
        "template_version": at.template_version,
        "private": at.private,
        "least_return": at.least_return,
        # Not shown in lists: a quick seat compares these with the template's.
        "sizes_and_times": templates.sizes_and_times(at.rules),
        # Not shown in lists: a player's tables and seats are found by these.
        "opened_by": at.opened_by,
        # When the table closes if nobody uses it.
        "idle_ms": core.idle_ms,
        "seated": [
            {"player": seat.player, "seat": seat.seat, "person": persons.folded(seat.player)}
            for seat in core.seats.values()
        ],
        "line": [{"player": one.player} for one in core.line],
        "members": [{"player": player} for player in invitations.members(core)],
    }
