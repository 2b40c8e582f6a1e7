"""Voids of rounds: by one person where little is at risk, otherwise requested by one and decided by another.

A request belongs to its round and never voids a later one. The decision and the event that voids the round are
written in one transaction.
"""

import uuid
from typing import Final, TypeVar

import psycopg
from google.protobuf.message import Message
from pitboss.v1 import settlement_pb2 as pb

from services.commands.runner import LostRace
from services.contract import requests
from services.eventlog import log
from services.journal import log_rows
from services.registry import records, voids
from services.registry.records import Command, ConflictError, Significant, VoidRequest
from services.rules import refusals
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Connection
from services.settlement import second_person, significant_events
from services.settlement.seat_commands import CallersCommand
from services.table import commands, persons, public_table, stakes
from services.table.events import Event
from services.table.public_table import PublicTable

Answer = TypeVar("Answer", bound=Message)

_SPACE: Final = uuid.UUID("b8a7c1de-9a52-5c5e-a3a6-0d6f2f7f4c11")


class _Void(CallersCommand[Answer]):
    """A command about a void: what one try has found in the registry and recorded there."""

    def __init__(self, request: pb.VoidOutRequest | pb.DecideVoidOutRequest) -> None:
        super().__init__(request)
        assert self.request is not None, "every void has a request id"
        self._asked = request
        self._registered = Command(self.request.key, self.request.digest)
        self._waiting: VoidRequest | None = None
        self._significant: list[Significant] = []

    def committed(self) -> None:
        """Count the significant events that were recorded in the registry."""
        significant_events.committed(self._significant)

    def _voided(self, core: PublicTable, reason: str, now_ms: int) -> list[Event]:
        asked = self._asked
        return commands.void_round(core, reason, self.actor, asked.reveal, now_ms, seed_lost=asked.seed_lost)


class VoidRound(_Void[pb.VoidOutResponse]):
    """Voids the open round, or where more than ``alone_chips`` are at risk records that it waits."""

    kind = "VoidRound"
    answer_type = pb.VoidOutResponse

    def __init__(self, request: pb.VoidOutRequest, alone_chips: int) -> None:
        super().__init__(request)
        self._wanted = request
        self._alone_chips = alone_chips

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Find whether the void waits, and record that it does."""
        self._significant = []
        self._waiting = await _asked_before(conn, self._registered)
        if self._waiting is not None:
            return
        self._events(core, 0)
        at_risk = await _at_risk(conn, core)
        if at_risk > self._alone_chips:
            wanted = _wanted(core, self._wanted, self._registered.key, at_risk)
            self._waiting, first = await voids.ask(conn, self._registered, wanted)
            significant = _event(
                significant_events.VOID_ASKED, wanted, self.actor, wanted.reason, "open", records.PENDING
            )
            self._significant = [significant] if first else []
            await significant_events.record(conn, self._significant)

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the void; nothing where it waits."""
        return [] if self._waiting is not None else self._events(table, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.VoidOutResponse:
        """Return the table's version, and whether the void waits."""
        return pb.VoidOutResponse(version=table.version) if self._waiting is None else _waits(self._waiting)

    def _events(self, core: PublicTable, now_ms: int) -> list[Event]:
        persons.refuse_seated(core, self.actor)
        asked = self._asked
        commands.require_reveal(core, asked.round_number, asked.reveal, seed_lost=asked.seed_lost)
        return self._voided(core, asked.reason, now_ms)


class DecideVoid(_Void[pb.DecideVoidOutResponse]):
    """Voids the round as another person requested, or rejects the request."""

    kind = "DecideVoid"
    answer_type = pb.DecideVoidOutResponse

    def __init__(self, request: pb.DecideVoidOutRequest) -> None:
        super().__init__(request)
        self._decision = request
        self._reason = requests.text(request.reason, "reason", commands.LONGEST_REASON, least=1)

    async def check(self, conn: Connection, core: PublicTable) -> None:
        """Find the request, and record the decision unless it was recorded before."""
        self._significant = []
        asked = self._decision
        found, known = await second_person.look(
            conn, second_person.VOID, self._registered, asked.void_id, self.actor, voids.find
        )
        self._waiting = found
        if known:
            return
        if found.table_id != core.table_id:
            raise Refused(Reason.NOT_FOUND, f"void {found.void_id} belongs to table {found.table_id}, not to this one")
        persons.refuse_seated(core, self.actor)
        if asked.approve:
            _require_round(core, found)
            commands.require_reveal(core, asked.round_number, asked.reveal, seed_lost=asked.seed_lost)
        self._significant = [await _record(conn, self._registered, found, asked, self._reason)]

    def decide(self, table: PublicTable, now_ms: int) -> list[Event]:
        """Return the void; nothing where it is rejected, or was decided before."""
        assert self._waiting is not None, "the check found it"
        if not (self._decision.approve and self._significant):
            return []
        return self._voided(table, self._waiting.reason, now_ms)

    def reply(self, table: PublicTable, made: list[Event]) -> pb.DecideVoidOutResponse:
        """Return whether the round is voided."""
        return pb.DecideVoidOutResponse(version=table.version, voided=bool(made))


def _waits(asked: VoidRequest) -> pb.VoidOutResponse:
    return pb.VoidOutResponse(version=asked.version, waits_for_second_person=True, void_id=asked.void_id)


async def _asked_before(conn: Connection, command: Command) -> VoidRequest | None:
    try:
        return await voids.of_request(conn, command)
    except ConflictError:
        raise refusals.conflict() from None


async def _at_risk(conn: Connection, core: PublicTable) -> int:
    _, recorded = await log.read_for_rebuild(conn, core.table_id)
    if recorded[-1].version != core.version:
        raise LostRace
    return stakes.at_risk(core, (log_rows.from_stored(one) for one in recorded))


def _wanted(core: PublicTable, request: pb.VoidOutRequest, key: str, at_risk: int) -> VoidRequest:
    return VoidRequest(
        0,
        str(uuid.uuid5(_SPACE, key)),
        core.table_id,
        core.round_number,
        core.version,
        core.opening.currency,
        min(at_risk, 2**63 - 1),
        request.reason,
        request.on_behalf.subject,
        0,
        records.PENDING,
        "",
        "",
        0,
    )


def _require_round(core: PublicTable, found: VoidRequest) -> None:
    if core.phase not in (public_table.IN_ROUND, public_table.SETTLING) or core.round_number != found.round:
        message = f"round {found.round} is over; its void can only be rejected now"
        raise Refused(Reason.ROUND_NOT_OPEN, message, metadata={"round_number": found.round})


async def _record(
    conn: Connection, command: Command, found: VoidRequest, request: pb.DecideVoidOutRequest, reason: str
) -> Significant:
    """Record a decision and return its significant event, which is recorded as well. Raises Refused."""
    by = request.on_behalf.subject
    try:
        await voids.decide(conn, command, found.void_id, approved=request.approve, reason=reason, decided_by=by)
    except psycopg.errors.CheckViolation:
        raise second_person.needed(second_person.VOID, found.asked_by) from None
    before = f"{records.PENDING}, asked by {found.asked_by}"
    after = records.APPROVED if request.approve else records.REJECTED
    event = _event(significant_events.VOID_DECIDED, found, by, f"{found.reason}; {reason}", before, after)
    await significant_events.record(conn, [event])
    return event


def _event(kind: str, found: VoidRequest, by: str, reason: str, before: str, after: str) -> Significant:
    return Significant(
        kind=kind,
        component=significant_events.COMPONENT,
        actor=by,
        subject=f"table {found.table_id} round {found.round}: {found.at_risk} {found.currency} ({found.void_id})",
        reason=reason,
        before=before,
        after=after,
    )
