"""Switches: set with a reason, listed, and reported as significant events."""

from typing import Final

from pitboss.v1 import back_office_pb2 as pb

from services.contract import requests, wire_tables
from services.database import retry
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.registry import records, switches
from services.registry.records import ConflictError, Significant, Switch
from services.rules import catalogue, refusals
from services.rules.refusals import invalid
from services.runtime import context, identity
from services.runtime.pools import Connection, Pool
from services.settlement import second_person, significant_events
from services.settlement.backoffice import request_fields

SCOPES: Final = {
    pb.SWITCH_SCOPE_HOUSE: records.HOUSE,
    pb.SWITCH_SCOPE_GAME: records.GAME,
    pb.SWITCH_SCOPE_TABLE: records.TABLE,
    pb.SWITCH_SCOPE_PLAYER: records.PLAYER,
}
_ON_THE_WIRE: Final = {word: number for number, word in SCOPES.items()}


async def switch(pool: Pool, keys: PlayerKeys, request: pb.SetSwitchRequest) -> pb.SetSwitchResponse:
    """Set a switch; a repeated request gets the first answer. A player's reason is sealed. Raises Refused."""
    scope, subject = _subject(request)
    command, reason, caller = request_fields.command(request), request_fields.reason(request), context.caller()
    if scope == records.PLAYER:
        second_person.refuse_own(subject)

    async def record(conn: Connection) -> tuple[Switch, list[Significant]]:
        about = scope == records.PLAYER
        kept = await keys.seal(conn, subject, texts.REASON, reason) if about else reason
        try:
            made, before, first = await switches.record(
                conn, command, scope=scope, subject=subject, off=request.off, reason=kept, actor=caller.subject
            )
        except ConflictError:
            raise refusals.conflict() from None
        if first:
            await second_person.refuse_playing(conn, scope, subject)
        significant = [_event(made, before)] if first else []
        await significant_events.record(conn, significant)
        return made, significant

    made, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.SetSwitchResponse(switch=wire(made))


def _event(made: Switch, before: Switch | None) -> Significant:
    return Significant(
        kind=significant_events.SWITCH,
        component=significant_events.COMPONENT,
        actor=made.actor,
        subject=f"{made.scope} {made.subject}".strip(),
        reason=made.reason,
        before=_state(before),
        after=_state(made),
    )


def _state(found: Switch | None) -> str:
    return "off" if found is not None and found.off else "on"


def _subject(request: pb.SetSwitchRequest) -> tuple[str, str]:
    scope, subject = SCOPES.get(request.scope), request.subject
    if scope is None:
        raise invalid("scope", "name the house, a game, a table or a player")
    if scope == records.HOUSE and subject:
        raise invalid("subject", "leave it empty to switch the whole house")
    if scope == records.GAME and subject not in catalogue.FILES:
        raise invalid("subject", f"there is no game {subject!r}; ListGames shows all")
    if scope == records.TABLE and not requests.is_table_id(subject):
        raise invalid("subject", "the id of a table, as ListTables shows it")
    if scope == records.PLAYER and not identity.SUBJECT.fullmatch(subject):
        raise invalid("subject", "a player: 1 to 64 letters, digits and . _ @ | -")
    return scope, subject


async def listed(pool: Pool, request: pb.ListSwitchesRequest) -> pb.ListSwitchesResponse:
    """Return one page of switches. Raises Refused."""
    size = request_fields.page_size(request)
    after, newest_first = request_fields.numbered_place(request, "create_time")
    async with pool.connection() as conn:
        page = await switches.listed(
            conn,
            off_only=not request.include_on,
            after=after,
            limit=size + 1,
            newest_first=newest_first,
        )
    shown, token = request_fields.numbered(request, page, size)
    return pb.ListSwitchesResponse(switches=[wire(one) for one in shown], next_page_token=token)


def wire(found: Switch) -> pb.Switch:
    """Write a switch."""
    return pb.Switch(
        scope=_ON_THE_WIRE[found.scope],
        subject=found.subject,
        off=found.off,
        reason=found.reason,
        actor=found.actor,
        create_time=wire_tables.timestamp(found.at_ms),
    )
