"""Table templates: one person proposes with a reason, another decides; every change is a significant event."""

from collections.abc import Awaitable
from typing import TypeVar

import psycopg
from pitboss.v1 import back_office_pb2 as pb
from pitboss.v1 import catalogue_pb2

from services.contract import wire_templates
from services.contract.wire_templates import Standing
from services.database import retry
from services.house import standards
from services.registry import records, templates
from services.registry.records import Command, ConflictError, Significant, Template
from services.rules import refusals
from services.rules.refusals import Reason, Refused
from services.runtime import context
from services.runtime.pools import Connection, Pool
from services.runtime.settings import Settings
from services.settlement import significant_events
from services.settlement.backoffice import proposals, request_fields
from services.table import persons

SignificantEvents = list[Significant]
T = TypeVar("T")


async def propose(pool: Pool, settings: Settings, request: pb.ProposeTemplateRequest) -> pb.ProposeTemplateResponse:
    """Record a new version of a template, with the returns of its bets. Raises Refused; then nothing is recorded."""
    command, reason, caller = request_fields.command(request), request_fields.reason(request), context.caller()
    async with pool.connection() as conn:
        known = await _once(templates.by_request(conn, command))
    if known is not None:
        return pb.ProposeTemplateResponse(template=_wire(known))
    terms = await proposals.terms(request, settings)

    async def record(conn: Connection) -> tuple[Template, SignificantEvents]:
        await templates.lock(conn, request.template_id)
        if (known := await _once(templates.by_request(conn, command))) is not None:
            return known, []
        before = await templates.in_force(conn, request.template_id)
        version = await templates.newest(conn, request.template_id) + 1
        proposed = Template(
            request.template_id,
            version,
            terms.game,
            proposals.encoded(terms, version),
            reason,
            caller.subject,
            0,
            records.PROPOSED,
        )
        await templates.propose(conn, command, proposed)
        made = await _found(conn, request.template_id, version)
        significant = [
            _event(significant_events.TEMPLATE_PROPOSED, made, caller.subject, reason, _terms(before), made.terms)
        ]
        await significant_events.record(conn, significant)
        return made, significant

    made, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.ProposeTemplateResponse(template=_wire(made))


async def decide(pool: Pool, request: pb.DecideTemplateRequest) -> pb.DecideTemplateResponse:
    """Decide a version that another person proposed. Raises Refused; then nothing has changed."""
    command, reason = request_fields.command(request), request_fields.reason(request)

    async def record(conn: Connection) -> tuple[Template, SignificantEvents]:
        await templates.lock(conn, request.template_id)
        known = await _once(templates.decided_by_request(conn, command))
        if known is not None:
            return await _found(conn, *known), []
        found = await _found(conn, request.template_id, request.version)
        return await _decide(conn, command, found, reason, approve=request.approve)

    decided, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.DecideTemplateResponse(template=_wire(decided))


async def _decide(
    conn: Connection, command: Command, found: Template, reason: str, *, approve: bool
) -> tuple[Template, SignificantEvents]:
    by = context.caller().subject
    if found.decided_by:
        message = f"version {found.version} was {found.state} by {found.decided_by}: {found.decision}"
        raise Refused(Reason.ALREADY_DECIDED, message, metadata={"state": found.state})
    newest = await templates.newest(conn, found.template_id)
    if found.version != newest:
        message = f"version {found.version} was replaced by version {newest}, which is the one to decide"
        raise Refused(Reason.STALE_VERSION, message, metadata={"version": newest})
    if persons.same(found.proposed_by, by):
        raise _second_person(found)
    before = await templates.in_force(conn, found.template_id)
    try:
        await templates.decide(
            conn, command, found.template_id, found.version, approved=approve, reason=reason, decided_by=by
        )
    except psycopg.errors.CheckViolation:
        raise _second_person(found) from None
    decided = await _found(conn, found.template_id, found.version)
    after = f"{decided.state}: {decided.terms}" if approve else decided.state
    why = f"{found.reason} (proposed by {found.proposed_by}); {reason}"
    significant = [_event(significant_events.TEMPLATE_DECIDED, found, by, why, _terms(before), after)]
    await significant_events.record(conn, significant)
    return decided, significant


async def retire(pool: Pool, request: pb.RetireTemplateRequest) -> pb.RetireTemplateResponse:
    """Take the version in force out of use. Raises Refused (``NOT_FOUND``) where none is in force."""
    command, reason, by = request_fields.command(request), request_fields.reason(request), context.caller().subject

    async def record(conn: Connection) -> tuple[catalogue_pb2.Template, SignificantEvents]:
        await templates.lock(conn, request.template_id)
        known = await _once(templates.retired_by_request(conn, command))
        version = known[1] if known else await _version_in_force(conn, request.template_id)
        before = await _shown(conn, request.template_id, version)
        if known is not None:
            return before, []
        await templates.retire(conn, command, request.template_id, version, reason=reason, retired_by=by)
        significant = [
            Significant(
                kind=significant_events.TEMPLATE_RETIRED,
                component=significant_events.COMPONENT,
                actor=by,
                subject=f"template {request.template_id} version {version}",
                reason=reason,
                before=records.APPROVED,
                after=records.RETIRED,
            )
        ]
        await significant_events.record(conn, significant)
        return await _shown(conn, request.template_id, version), significant

    shown, significant = await retry.transaction(pool.connection, record)
    significant_events.committed(significant)
    return pb.RetireTemplateResponse(template=shown)


async def _version_in_force(conn: Connection, template_id: str) -> int:
    if standards.known(template_id):
        version = standards.terms(template_id).version
        if await templates.retirement(conn, template_id, version) is None:
            return version
    elif (found := await templates.in_force(conn, template_id)) is not None:
        return found.version
    message = f"no version of template {template_id[:64]!r} is in force; ListTemplates shows all"
    raise Refused(Reason.NOT_FOUND, message)


async def _shown(conn: Connection, template_id: str, version: int) -> catalogue_pb2.Template:
    if not standards.known(template_id):
        return _wire(await _found(conn, template_id, version))
    retirement = await templates.retirement(conn, template_id, version)
    standing = wire_templates.standard_standing(retirement)
    return wire_templates.template(standards.terms(template_id), standing, inside=True)


async def _once(known: Awaitable[T]) -> T:
    try:
        return await known
    except ConflictError:
        raise refusals.conflict() from None


async def _found(conn: Connection, template_id: str, version: int) -> Template:
    found = await templates.find(conn, template_id, version)
    if found is None:
        message = f"there is no version {version} of template {template_id[:64]!r}; ListTemplates shows all"
        raise Refused(Reason.NOT_FOUND, message)
    return found


def _second_person(found: Template) -> Refused:
    message = f"{found.proposed_by} proposed this template; another person must decide it"
    return Refused(Reason.SECOND_PERSON_NEEDED, message)


def _terms(found: Template | None) -> str:
    return "" if found is None else f"version {found.version}: {found.terms}"


def _event(kind: str, found: Template, by: str, reason: str, before: str, after: str) -> Significant:
    return Significant(
        kind=kind,
        component=significant_events.COMPONENT,
        actor=by,
        subject=f"template {found.template_id} version {found.version} ({found.game})",
        reason=reason,
        before=before,
        after=after,
    )


def _wire(found: Template) -> catalogue_pb2.Template:
    standing: Standing = wire_templates.standing_of(found)
    return wire_templates.template(wire_templates.terms_of(found), standing, inside=True)
