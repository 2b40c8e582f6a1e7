"""Table templates as a dealer finds them: the house's standard ones, and those that operators approved."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from pitboss.v1 import catalogue_pb2 as pb

from services.contract import pages, wire_templates
from services.house import standards
from services.house.templates import PLAYERS, Terms
from services.registry import templates
from services.registry.records import Template
from services.rules import catalogue
from services.rules.refusals import Reason, Refused, invalid
from services.runtime.identity import Caller, Role
from services.runtime.pools import Connection, Pool

MOST_PER_PAGE: Final = 100
MOST_NAMED: Final = 10
"""Templates that one request may name."""
READERS: Final = frozenset({Role.OPERATOR, Role.AUDITOR})
"""Roles that see every version, and the persons who proposed and decided it."""

_Place = tuple[pages.Number, pages.Word, pages.Number]
"""The number of standard templates shown, then the id and version of the last other one."""
_Key = tuple[int, str, int]
_FIRST: Final[_Key] = (0, "", 0)

_STATES: Final = {number: word for word, number in wire_templates.STATES.items()}


async def in_force(conn: Connection, template_id: str) -> Terms | None:
    """Return what is in force under an id; None where nothing is."""
    if standards.known(template_id):
        terms = standards.terms(template_id)
        return terms if await templates.retirement(conn, template_id, terms.version) is None else None
    found = await templates.in_force(conn, template_id)
    return None if found is None else wire_templates.terms_of(found)


async def wanted(pool: Pool, template_id: str) -> Terms:
    """Return what is in force under an id. Raises Refused (``NOT_FOUND``, ``TEMPLATE_CLOSED``)."""
    async with pool.connection() as conn:
        found = await in_force(conn, template_id)
        known = found is not None or standards.known(template_id) or await templates.newest(conn, template_id)
    if found is not None:
        return as_appraised(found)
    if not known:
        raise Refused(Reason.NOT_FOUND, f"there is no template {template_id[:64]!r}; ListTemplates shows all")
    message = f"template {template_id} is not in force; ListTemplates shows those from which tables are opened"
    raise Refused(Reason.TEMPLATE_CLOSED, message)


def refuse_too_many(named: Sequence[str]) -> None:
    """Raise Refused (``INVALID_ARGUMENT``) where a request names more templates than it may."""
    if len(named) > MOST_NAMED:
        message = f"{len(named)} are named; name at most {MOST_NAMED}"
        raise invalid("template_ids", message, entries=MOST_NAMED)


async def named(pool: Pool, game: str, template_ids: Sequence[str]) -> AsyncIterator[Terms]:
    """Yield what is in force under each of these ids once; without ids under the game's own.

    Raises Refused (``NOT_FOUND``, ``TEMPLATE_CLOSED``, ``INVALID_ARGUMENT``).
    """
    for name in list(dict.fromkeys(template_ids)) or [game]:
        terms = await wanted(pool, name)
        if terms.game != game:
            raise invalid("template_ids", f"{name!r} is a template of {terms.game}, not of {game}")
        yield terms


def as_appraised(terms: Terms) -> Terms:
    """Return terms of the version of the rules that they were approved for: other rules may return something else.

    Raises Refused (``TEMPLATE_CLOSED``) where this house does not keep that version.
    """
    known = catalogue.versions(terms.game)
    if terms.rules_version not in known:
        message = f"template {terms.template_id} was approved for version {terms.rules_version} of {terms.game}; this"
        raise Refused(Reason.TEMPLATE_CLOSED, f"{message} house keeps {', '.join(map(str, known))}, propose it anew")
    return terms


async def listed(pool: Pool, request: pb.ListTemplatesRequest, caller: Caller) -> pb.ListTemplatesResponse:
    """Return one page of templates: standard ones in the order of the catalogue, then the others by id.

    Raises Refused.
    """
    size, after = pages.size(request, MOST_PER_PAGE), pages.after(request, _Place, _FIRST)
    state, games = _state(request, caller), _games(request)
    async with pool.connection() as conn:
        found = await _found(conn, after, state, games, size + 1)
    page, token = pages.cut(request, found, size, lambda placed: placed[0])
    inside = caller.role in READERS
    shown = [one for _, one in page if inside or one.openers == pb.TEMPLATE_OPENERS_PLAYERS]
    return pb.ListTemplatesResponse(
        templates=shown if inside else [public(one) for one in shown], next_page_token=token
    )


async def _found(
    conn: Connection, after: _Key, state: str, games: list[str], limit: int
) -> list[tuple[_Key, pb.Template]]:
    """Return templates after a place in the list, each with its own."""
    shown, template_id, version = after
    found: list[tuple[_Key, pb.Template]] = []
    if not template_id:
        standard = await _standard(conn, state, games)
        found = [((number, "", 0), one) for number, one in enumerate(standard[shown:][:limit], shown + 1)]
    if len(found) < limit:
        left = limit - len(found)
        page = await templates.listed(conn, state=state, games=games, after=(template_id, version), limit=left)
        found += [((shown, one.template_id, one.version), stored(one)) for one in page]
    return found


async def _standard(conn: Connection, state: str, games: list[str]) -> list[pb.Template]:
    retired = await templates.retirements(conn, list(catalogue.FILES))
    made = [
        wire_templates.template(
            terms, wire_templates.standard_standing(retired.get((terms.template_id, terms.version))), inside=True
        )
        for terms in standards.all_terms()
        if not games or terms.game in games
    ]
    return [one for one in made if not state or one.state == wire_templates.STATES[state]]


async def shown(pool: Pool, request: pb.GetTemplateRequest, caller: Caller) -> pb.GetTemplateResponse:
    """Return one version. Raises Refused (``NOT_FOUND``), also for what a caller may not see."""
    async with pool.connection() as conn:
        found = await _version(conn, request.template_id, request.version)
    inside = caller.role in READERS
    open_to_all = found is not None and found.openers == pb.TEMPLATE_OPENERS_PLAYERS
    if found is None or not (inside or (open_to_all and found.state == pb.TEMPLATE_STATE_APPROVED)):
        version = f" version {request.version}" if request.version else ""
        message = f"there is no template {request.template_id[:64]!r}{version}; ListTemplates shows all"
        raise Refused(Reason.NOT_FOUND, message)
    return pb.GetTemplateResponse(template=found if inside else public(found))


async def _version(conn: Connection, template_id: str, version: int) -> pb.Template | None:
    if standards.known(template_id):
        terms = standards.terms(template_id)
        if version not in (0, terms.version):
            return None
        standing = wire_templates.standard_standing(await templates.retirement(conn, template_id, terms.version))
        return wire_templates.template(terms, standing, inside=True)
    if version:
        found = await templates.find(conn, template_id, version)
    else:
        found = await templates.in_force(conn, template_id)
        found = found or next(iter(await templates.versions(conn, template_id)), None)
    return None if found is None else stored(found)


def stored(found: Template) -> pb.Template:
    """Write a version that operators proposed, with everybody's names."""
    return wire_templates.template(wire_templates.terms_of(found), wire_templates.standing_of(found), inside=True)


def public(found: pb.Template) -> pb.Template:
    """Remove the persons who proposed and decided a version, and their reasons."""
    kept = pb.Template()
    kept.CopyFrom(found)
    for name in _INSIDE:
        kept.ClearField(name)
    return kept


_INSIDE: Final[tuple[Any, ...]] = (
    "reason",
    "proposed_by",
    "proposal_time",
    "decided_by",
    "decision_reason",
    "decision_time",
    "retired_by",
    "retirement_reason",
    "retirement_time",
)


def _state(request: pb.ListTemplatesRequest, caller: Caller) -> str:
    """Read which state is asked for; empty: every one. Raises Refused."""
    if request.state and request.state not in _STATES:
        raise invalid("state", f"{request.state} is no state of a template")
    if caller.role not in READERS:
        if request.include_all or request.state not in (0, pb.TEMPLATE_STATE_APPROVED):
            raise Refused(Reason.PERMISSION_DENIED, "you see templates in force; leave state and include_all out")
        return wire_templates.APPROVED
    if request.include_all:
        return ""
    return _STATES.get(request.state, wire_templates.APPROVED)


def _games(request: pb.ListTemplatesRequest) -> list[str]:
    """Read of which games templates are asked for; empty: of all. Raises Refused."""
    if request.game and request.game not in catalogue.FILES:
        raise Refused(Reason.UNKNOWN_GAME, f"there is no game {request.game[:64]!r}; ListGames shows all")
    if request.family and request.family not in catalogue.families():
        message = f"unknown family {request.family!r}; expected one of {', '.join(catalogue.families())}"
        raise invalid("family", message, choices=catalogue.families())
    of_family = [game.id for game in catalogue.games() if request.family in ("", game.family)]
    if request.game:
        return [request.game] if request.game in of_family else ["-"]
    return of_family if request.family else []


def for_caller(terms: Terms, caller: Caller) -> Terms:
    """Return terms that a caller may open tables from. Raises Refused (``PERMISSION_DENIED``)."""
    if caller.role is Role.PLAYER and terms.openers != PLAYERS:
        message = f"tables of template {terms.template_id} are opened by staff; ListTemplates shows those for players"
        raise Refused(Reason.PERMISSION_DENIED, message)
    return terms
