"""Events of tables as the log stores them, and back."""

import functools
from collections.abc import Sequence
from typing import Any

import msgspec

from services.eventlog import upcast
from services.eventlog.records import Append, NewEvent, StoredEvent
from services.house import templates
from services.rules import chips
from services.table import codec, event_fold, events, persons, public_table
from services.table.events import Event
from services.table.public_table import PublicTable

_UPCASTS = upcast.Upcasts(codec.STEPS)

UNSETTLED = "unsettled"
"""Mark of a stream whose last round has ended and waits for settlement."""
IN_ROUND = "in_round"
"""Mark of a stream whose table is in a round: a deadline may be running."""

_MARKS = {
    public_table.OPEN: "",
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
    """The command behind an append: its permanent key and digest. A repetition gets the answer stored with it."""

    key: str
    digest: bytes


def from_stored(stored: StoredEvent | NewEvent) -> Event:
    """Read a stored event, lifted to today's shape. Raises upcast.ShapeError, codec.UnknownEventError."""
    kind, current = _shape(stored.type)
    if current:
        return codec.decode(kind, stored.data)
    _, fields = _UPCASTS.upcast(stored.type, msgspec.json.decode(stored.data))
    return codec.decode_lifted(kind, fields)


def text_of(stored: StoredEvent) -> str:
    """Return the text that a replay must produce byte by byte: the stored data; "" for data of an older shape.

    What an older shape says is compared once it is lifted; its own bytes are what the chain of hashes holds.
    """
    return stored.data if _shape(stored.type)[1] else ""


def metadata_of(stored: StoredEvent) -> Metadata:
    """Read who caused a stored event. Raises msgspec.DecodeError, which is a ValueError."""
    return msgspec.json.decode(stored.metadata, type=Metadata)


def fold(table_id: str, recorded: Sequence[StoredEvent]) -> PublicTable:
    """Fold a table's public core from stored events, the first of which restates the table."""
    first = recorded[0]
    core = event_fold.begin(table_id, first.version, from_stored(first))
    for one in recorded[1:]:
        event_fold.fold(core, from_stored(one))
    return core


def kind_of(stored: StoredEvent | NewEvent) -> tuple[str, int]:
    """Part a stored type, such as ``ActionTaken.v1``, into name and schema number."""
    return upcast.split(stored.type)


@functools.cache
def _shape(stored_type: str) -> tuple[str, bool]:
    """Part a stored type into its name and whether it is today's shape; there are few types, each read very often."""
    name, _ = upcast.split(stored_type)
    return name, _UPCASTS.newest(name) == stored_type


def to_new(event: Event, metadata: Metadata) -> NewEvent:
    """Write an event for the log."""
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
    """Make the append of events that ``core`` already holds (it is the state after them).

    ``follows`` is the hash of the event that the state before them ended with; None for a table's first event.
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
        mark=None if quiet else _MARKS[core.phase],
        summary=None if quiet else msgspec.json.encode(summary(core)).decode(),
    )


def summary(core: PublicTable) -> dict[str, Any]:
    """Return the summary by which lists of tables are filtered and shown."""
    at = core.opening
    places = min(at.max_seats or chips.MOST_SEATS, chips.MOST_SEATS)
    return {
        "game": at.game,
        "family": at.family,
        "title": at.title,
        "currency": at.currency,
        "stake": at.stake,
        "seats_taken": len(core.seats),
        "max_seats": at.max_seats,
        "open_seats": core.phase != public_table.CLOSED and len(core.seats) < places,
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
        # Not shown in lists: by these a player's tables and seats are found.
        "opened_by": at.opened_by,
        "seated": [
            {"player": seat.player, "seat": seat.seat, "person": persons.folded(seat.player)}
            for seat in core.seats.values()
        ],
    }
