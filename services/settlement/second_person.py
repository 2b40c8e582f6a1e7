"""Two people for one act: what must hold before anything that one person asked for is decided by another one."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

import msgspec

from services.contract import requests
from services.registry import approvals, records
from services.registry.approvals import Procedure
from services.registry.paging import Connection
from services.registry.records import Command, ConflictError
from services.runtime.errors import Problem, Reason
from services.table import persons


class Asked(Protocol):
    """What was asked for, as it stands; ``state`` is pending, approved or rejected."""

    @property
    def state(self) -> str:
        """Where it stands."""

    @property
    def asked_by(self) -> str:
        """Who asked."""

    @property
    def decided_by(self) -> str:
        """Who decided, "" while it is pending."""

    @property
    def decision(self) -> str:
        """Why it was decided so."""


Found = TypeVar("Found", bound=Asked)


class Kind(msgspec.Struct, frozen=True):
    """One kind of act: its statements, what it is called, and which method lists what was asked for."""

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
    """Hold what is to be decided; return it, and whether this very request has decided it before.

    Raises Problem (``NOT_FOUND``, ``REQUEST_CONFLICT``, ``ALREADY_DECIDED``, ``SECOND_PERSON_NEEDED``).
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
        raise requests.conflict() from None
    if found.state != records.PENDING:
        message = f"this {kind.name} was {found.state} by {found.decided_by}: {found.decision}"
        raise Problem(Reason.ALREADY_DECIDED, message, metadata={"state": found.state})
    if persons.same(found.asked_by, by):
        raise needed(kind, found.asked_by)
    return found, False


def needed(kind: Kind, asked_by: str) -> Problem:
    """Make the problem of one person who asks and decides."""
    message = f"{asked_by} asked for this {kind.name}; another person must decide it"
    return Problem(Reason.SECOND_PERSON_NEEDED, message)


def _unknown(kind: Kind, asked_id: str) -> Problem:
    return Problem(Reason.NOT_FOUND, f"there is no {kind.name} {asked_id[:64]!r}; {kind.lister} shows all")
