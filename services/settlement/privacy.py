"""Erasures: one person requests, another decides; the approval destroys the player's key."""

import uuid
from typing import Any, Final

import psycopg
from pitboss.v1 import privacy_pb2 as pb
from pitboss.v1 import privacy_pb2_grpc

from services.contract import wire_tables
from services.database import retry
from services.eventlog import log
from services.registry import erasures, limits, player_keys, records
from services.registry.player_keys import Tombstone
from services.registry.records import Command, ConflictError, Erasure, Significant
from services.rules import refusals
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, identity
from services.runtime.identity import Role
from services.runtime.pools import Connection, Pool
from services.settlement import second_person, significant_events
from services.settlement.backoffice import request_fields

_SPACE: Final = uuid.UUID("0d0a3c5e-4f0b-5a86-9b1c-8f4a3e6b7d21")
MOST_NAMED: Final = 5
"""Maximum number of tables that a refusal names."""
STATES: Final = {
    records.PENDING: pb.ERASURE_STATE_PENDING,
    records.APPROVED: pb.ERASURE_STATE_APPROVED,
    records.REJECTED: pb.ERASURE_STATE_REJECTED,
}


class PrivacyService(privacy_pb2_grpc.PrivacyServiceServicer):
    """See ``protos/pitboss/v1/privacy.proto``."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def RequestErasure(self, request: pb.RequestErasureRequest, _: Any) -> pb.RequestErasureResponse:
        """Record a request for an erasure."""
        command, caller = request_fields.command(request), context.caller()
        if not identity.SUBJECT.fullmatch(request.player):
            raise invalid("player", "1 to 64 letters, digits and . _ @ | -")
        second_person.refuse_own(request.player)
        wanted = Erasure(
            0,
            str(uuid.uuid5(_SPACE, command.key)),
            request.player,
            request_fields.reason(request),
            caller.subject,
            0,
            records.PENDING,
            "",
            "",
            0,
        )

        async def record(conn: Connection) -> tuple[Erasure, list[Significant]]:
            try:
                made, first = await erasures.ask(conn, command, wanted)
            except ConflictError:
                raise refusals.conflict() from None
            if not first:
                return made, []
            await _possible(conn, wanted.player)
            significant = [
                _event(significant_events.ERASURE_ASKED, made, caller.subject, made.reason, "", records.PENDING)
            ]
            await significant_events.record(conn, significant)
            return made, significant

        made, significant = await retry.transaction(self._pool.connection, record)
        significant_events.committed(significant)
        return pb.RequestErasureResponse(erasure=wire(made))

    async def DecideErasure(self, request: pb.DecideErasureRequest, _: Any) -> pb.DecideErasureResponse:
        """Decide an erasure that another person requested; an approval destroys the key."""
        command, reason = request_fields.command(request), request_fields.reason(request)
        by = context.caller().subject

        async def record(conn: Connection) -> tuple[Erasure, list[Significant]]:
            found, known = await second_person.look(
                conn, second_person.ERASURE, command, request.erasure_id, by, erasures.find
            )
            return (found, []) if known else await _decide(conn, command, found, reason, approve=request.approve)

        decided, significant = await retry.transaction(self._pool.connection, record)
        significant_events.committed(significant)
        return pb.DecideErasureResponse(erasure=wire(decided))

    async def ListErasures(self, request: pb.ListErasuresRequest, _: Any) -> pb.ListErasuresResponse:
        """List erasures."""
        size, after = request_fields.page_size(request), request_fields.after_number(request)
        async with self._pool.connection() as conn:
            page = await erasures.listed(
                conn, player=request.player, pending_only=request.pending_only, after=after, limit=size + 1
            )
        shown, token = request_fields.numbered(request, page, size)
        return pb.ListErasuresResponse(erasures=[wire(one) for one in shown], next_page_token=token)

    async def ListErasedKeys(self, request: pb.ListErasedKeysRequest, _: Any) -> pb.ListErasedKeysResponse:
        """List destroyed keys."""
        size, after = request_fields.page_size(request), request_fields.after_number(request)
        async with self._pool.connection() as conn:
            page = await player_keys.tombstones(conn, after, size + 1)
        shown, token = request_fields.numbered(request, page, size)
        return pb.ListErasedKeysResponse(keys=[_stone(one) for one in shown], next_page_token=token)


async def _decide(
    conn: Connection, command: Command, found: Erasure, reason: str, *, approve: bool
) -> tuple[Erasure, list[Significant]]:
    by = context.caller().subject
    second_person.refuse_own(found.player)
    if approve:
        # Until the commit the player can take no seat and write nothing under the key that is destroyed.
        await limits.lock(conn, found.player)
        await _refuse_seated(conn, found.player)
    try:
        await erasures.decide(conn, command, found.erasure_id, approved=approve, reason=reason, decided_by=by)
    except psycopg.errors.CheckViolation:
        raise second_person.needed(second_person.ERASURE, found.asked_by) from None
    destroyed = await player_keys.destroy(conn, found.erasure_id) if approve else ""
    after = (f"key {destroyed} destroyed" if destroyed else "no key was left") if approve else records.REJECTED
    before = f"{records.PENDING}, asked by {found.asked_by}"
    significant = _event(significant_events.ERASURE_DECIDED, found, by, f"{found.reason}; {reason}", before, after)
    await significant_events.record(conn, [significant])
    decided = await erasures.find(conn, found.erasure_id)
    assert decided is not None, "a decided erasure is found"
    return decided, [significant]


async def _possible(conn: Connection, player: str) -> None:
    """Refuse an erasure that could not be approved now. Raises Refused (``NOT_FOUND``, ``PLAYER_SEATED``)."""
    if await player_keys.of_player(conn, player) is None:
        raise Refused(Reason.NOT_FOUND, f"no key of player {player} is stored; there is nothing to erase")
    await _refuse_seated(conn, player)


async def _refuse_seated(conn: Connection, player: str) -> None:
    """Raise Refused (``PLAYER_SEATED``) where a player sits at a table."""
    heads = await log.list_streams(conn, {"seated": [{"player": player}], "closed": False}, limit=MOST_NAMED)
    if heads:
        tables = ", ".join(head.stream_id for head in heads)
        message = f"{player} sits at {tables}; it must leave, or the tables must be closed, before it can be erased"
        raise Refused(Reason.PLAYER_SEATED, message, metadata={"table": heads[0].stream_id})


def _event(kind: str, found: Erasure, by: str, reason: str, before: str, after: str) -> Significant:
    return Significant(
        kind=kind,
        component=significant_events.COMPONENT,
        actor=by,
        subject=f"player {found.player} ({found.erasure_id})",
        reason=reason,
        before=before,
        after=after,
    )


def wire(found: Erasure) -> pb.Erasure:
    """Return an erasure as a message."""
    return pb.Erasure(
        erasure_id=found.erasure_id,
        player=found.player,
        reason=found.reason,
        state=STATES[found.state],
        **second_person.fields(found),
    )


def _stone(found: Tombstone) -> pb.ErasedKey:
    return pb.ErasedKey(
        key_id=found.key_id,
        player=found.player,
        requested_by=found.asked_by,
        decided_by=found.decided_by,
        erase_time=wire_tables.timestamp(found.at_ms),
    )


ACCESS: dict[str, tuple[Role, ...]] = {
    "RequestErasure": (Role.OPERATOR,),
    "DecideErasure": (Role.OPERATOR,),
    "ListErasures": (Role.OPERATOR, Role.AUDITOR),
    "ListErasedKeys": (Role.OPERATOR, Role.AUDITOR),
}
