"""Voids of rounds: by one person where little is at risk, otherwise requested by one and decided by another.

A request belongs to its round and never voids a later one. The decision and the event that voids the round are
written in one transaction.
"""

import uuid
from typing import Final

import msgspec
import psycopg
from pitboss.v1 import settlement_pb2 as pb

from services.contract import requests
from services.eventlog import log
from services.journal import log_rows
from services.ledger.signatures import EntryKey
from services.registry import records, voids
from services.registry.records import Command, ConflictError, Significant, VoidRequest
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import money_commands, second_person, significant_events
from services.settlement.money_commands import MoneyCommand
from services.table import commands, persons, public_table, stakes
from services.table.events import Event
from services.table.public_table import PublicTable

_SPACE: Final = uuid.UUID("b8a7c1de-9a52-5c5e-a3a6-0d6f2f7f4c11")


class _Seen(msgspec.Struct):
    """What one attempt of a command has found; the next attempt starts afresh."""

    waiting: VoidRequest | None = None
    significant: list[Significant] = []


async def void(pool: Pool, settings: Settings, key: EntryKey, request: pb.VoidOutRequest) -> pb.VoidOutResponse:
    """Void the open round, or record a request that waits for a second person. Raises Refused."""
    who, seen = request.on_behalf, _Seen()
    command = requests.command(who.subject, request)
    registered = Command(command.key, command.digest)

    def events_of(core: PublicTable, now_ms: int) -> list[Event]:
        persons.refuse_seated(core, who.subject)
        commands.require_reveal(core, request.round_number, request.reveal, seed_lost=request.seed_lost)
        return commands.void_round(
            core, request.reason, who.subject, request.reveal, now_ms, seed_lost=request.seed_lost
        )

    async def check(conn: Connection, core: PublicTable) -> None:
        seen.significant = []
        seen.waiting = await _asked_before(conn, registered)
        if seen.waiting is not None:
            return
        events_of(core, 0)
        at_risk = await _at_risk(conn, core)
        if at_risk > settings.void_alone_chips:
            wanted = _wanted(core, request, command.key, at_risk)
            seen.waiting, first = await voids.ask(conn, registered, wanted)
            significant = _event(
                significant_events.VOID_ASKED, wanted, who.subject, wanted.reason, "open", records.PENDING
            )
            seen.significant = [significant] if first else []
            await significant_events.record(conn, seen.significant)

    def answer(core: PublicTable, _made: list[Event]) -> pb.VoidOutResponse:
        return pb.VoidOutResponse(version=core.version) if seen.waiting is None else _waits(seen.waiting)

    async with pool.connection() as conn:
        asked = await _asked_before(conn, registered)
    if asked is not None:  # answered even if the table has changed since
        return _waits(asked)
    job: MoneyCommand[pb.VoidOutResponse] = MoneyCommand(
        kind="VoidRound",
        table_id=requests.table_id(request),
        actor=who.subject,
        role=who.role,
        check=check,
        decide=lambda core, now_ms: [] if seen.waiting is not None else events_of(core, now_ms),
        answer=answer,
        read_answer=pb.VoidOutResponse.FromString,
        command=command,
        expected_version=money_commands.expected(request),
        key=key,
    )
    done = await money_commands.run(pool, job)
    significant_events.committed(seen.significant)
    return done


async def decide(pool: Pool, key: EntryKey, request: pb.DecideVoidOutRequest) -> pb.DecideVoidOutResponse:
    """Void the round as another person requested, or reject the request. Raises Refused; then nothing has changed."""
    who, seen = request.on_behalf, _Seen()
    reason = requests.text(request.reason, "reason", commands.LONGEST_REASON, least=1)
    command = requests.command(who.subject, request)
    registered = Command(command.key, command.digest)

    async def check(conn: Connection, core: PublicTable) -> None:
        seen.significant = []
        found, known = await second_person.look(
            conn, second_person.VOID, registered, request.void_id, who.subject, voids.find
        )
        seen.waiting = found
        if known:
            return
        if found.table_id != core.table_id:
            raise Refused(Reason.NOT_FOUND, f"void {found.void_id} belongs to table {found.table_id}, not to this one")
        persons.refuse_seated(core, who.subject)
        if request.approve:
            _require_round(core, found)
            commands.require_reveal(core, request.round_number, request.reveal, seed_lost=request.seed_lost)
        seen.significant = [await _record(conn, registered, found, request, reason)]

    def events_of(core: PublicTable, now_ms: int) -> list[Event]:
        assert seen.waiting is not None, "the check found it"
        if not (request.approve and seen.significant):
            return []
        return commands.void_round(
            core, seen.waiting.reason, who.subject, request.reveal, now_ms, seed_lost=request.seed_lost
        )

    job: MoneyCommand[pb.DecideVoidOutResponse] = MoneyCommand(
        kind="DecideVoid",
        table_id=requests.table_id(request),
        actor=who.subject,
        role=who.role,
        check=check,
        decide=events_of,
        read_answer=pb.DecideVoidOutResponse.FromString,
        command=command,
        answer=lambda core, made: pb.DecideVoidOutResponse(version=core.version, voided=bool(made)),
        key=key,
    )
    done = await money_commands.run(pool, job)
    significant_events.committed(seen.significant)
    return done


def _waits(asked: VoidRequest) -> pb.VoidOutResponse:
    return pb.VoidOutResponse(version=asked.version, waits_for_second_person=True, void_id=asked.void_id)


async def _asked_before(conn: Connection, command: Command) -> VoidRequest | None:
    try:
        return await voids.of_request(conn, command)
    except ConflictError:
        raise requests.conflict() from None


async def _at_risk(conn: Connection, core: PublicTable) -> int:
    _, recorded = await log.read_for_rebuild(conn, core.table_id)
    if recorded[-1].version != core.version:
        raise money_commands.LostRace
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
