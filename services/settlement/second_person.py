"""The four-eyes principle: what one person requested, another person decides."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol, TypeVar

import msgspec

from services.contract import requests, wire_tables
from services.eventlog import log
from services.journal import summaries
from services.journal.summaries import TableSummary
from services.registry import approvals, records
from services.registry.approvals import Procedure
from services.registry.records import GAME, HOUSE, PLAYER, TABLE, Command, ConflictError
from services.rules import refusals
from services.rules.refusals import Reason, Refused
from services.runtime import context
from services.runtime.pools import Connection
from services.settlement import seats
from services.table import persons


class Asked(Protocol):
    """A request and its decision; ``state`` is pending, approved or rejected."""

    @property
    def state(self) -> str:
        """Its state."""

    @property
    def asked_by(self) -> str:
        """The person who requested it."""

    @property
    def asked_ms(self) -> int:
        """When it was requested, in milliseconds since 1970."""

    @property
    def decided_by(self) -> str:
        """The person who decided it; "" while it is pending."""

    @property
    def decision(self) -> str:
        """The reason of the decision."""

    @property
    def decided_ms(self) -> int:
        """When it was decided, in milliseconds since 1970; 0 while it is pending."""


Found = TypeVar("Found", bound=Asked)


class Kind(msgspec.Struct, frozen=True):
    """One kind of request: its statements, its name, and the method that lists its requests."""

    procedure: Procedure
    name: str
    lister: str


ADJUSTMENT: Final = Kind(approvals.ADJUSTMENTS, "adjustment", "ListAdjustments")
ERASURE: Final = Kind(approvals.ERASURES, "erasure", "ListErasures")
VOID: Final = Kind(approvals.VOIDS, "void", "ListVoids")


async def look(
    conn: Connection,
    kind: Kind,
    command: Command,
    asked_id: str,
    by: str,
    find: Callable[[Connection, str], Awaitable[Found | None]],
) -> tuple[Found, bool]:
    """Lock and return the request to decide, and whether this command has decided it already.

    Raises Refused (``NOT_FOUND``, ``REQUEST_CONFLICT``, ``ALREADY_DECIDED``, ``SECOND_PERSON_NEEDED``).
    """
    if not requests.is_table_id(asked_id):
        raise _unknown(kind, asked_id)
    await approvals.hold(conn, asked_id)
    found = await find(conn, asked_id)
    if found is None:
        raise _unknown(kind, asked_id)
    try:
        if await approvals.decided_by_request(conn, kind.procedure, command):
            return found, True
    except ConflictError:
        raise refusals.conflict() from None
    if found.state != records.PENDING:
        message = f"this {kind.name} was {found.state} by {found.decided_by}: {found.decision}"
        raise Refused(Reason.ALREADY_DECIDED, message, metadata={"state": found.state})
    if persons.same(found.asked_by, by):
        raise needed(kind, found.asked_by)
    return found, False


def fields(found: Asked) -> dict[str, Any]:
    """Return the fields of a message that every kind of request has: who requested and who decided, when and why."""
    return {
        "requested_by": found.asked_by,
        "request_time": wire_tables.timestamp(found.asked_ms),
        "decided_by": found.decided_by,
        "decision_reason": found.decision,
        "decision_time": wire_tables.timestamp(found.decided_ms) if found.decided_ms else None,
    }


def needed(kind: Kind, asked_by: str) -> Refused:
    """Return the refusal for a person who would decide a request of their own."""
    message = f"{asked_by} requested this {kind.name}; another person must decide it"
    return Refused(Reason.SECOND_PERSON_NEEDED, message)


def _unknown(kind: Kind, asked_id: str) -> Refused:
    return Refused(Reason.NOT_FOUND, f"there is no {kind.name} {asked_id[:64]!r}; {kind.lister} shows all")


def refuse_own(player: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) where the caller owns the wallet."""
    caller = context.caller().subject
    if persons.same(caller, player):
        message = f"{player} is {caller}'s own account; another person must do this"
        raise Refused(Reason.SECOND_PERSON_NEEDED, message)


async def refuse_playing(conn: Connection, scope: str, subject: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) where a switch affects a table at which the caller plays."""
    for table, summary in await _tables_of(conn, context.caller().subject):
        seated = subject in {seat.player for seat in summary.seated}
        held = {HOUSE: subject == "", GAME: subject == summary.game, TABLE: subject == table, PLAYER: seated}
        if held[scope]:
            raise _playing(table)


async def refuse_seat_mate(conn: Connection, player: str) -> None:
    """Raise Refused (``SECOND_PERSON_NEEDED``) where the caller is this player or plays at the same table."""
    refuse_own(player)
    await refuse_playing(conn, PLAYER, player)


async def _tables_of(conn: Connection, name: str) -> list[tuple[str, TableSummary]]:
    """Return the open tables at which a person sits under any spelling of their name, with their summaries."""
    found: dict[str, TableSummary] = {}
    # The exact name finds tables recorded before folded names were.
    for seated in ({"person": persons.folded(name)}, {"player": name}):
        heads = await log.list_streams(conn, {"seated": [seated], "closed": False}, limit=seats.MOST_TABLES)
        found |= {head.stream_id: summaries.read(head.summary) for head in heads}
    return list(found.items())


def _playing(table: str) -> Refused:
    caller = context.caller().subject
    message = f"{caller} plays at table {table}, which this affects; another person must do this"
    return Refused(Reason.SECOND_PERSON_NEEDED, message)
