"""Table templates: proposed, decided and retired in the caller's transaction, each command once; found and listed."""

from collections.abc import Sequence

from services.database.retry import Connection
from services.database.row_bounds import bounded
from services.database.statements import execute, rows
from services.registry import queries
from services.registry.records import Command, ConflictError, Retirement, Template

MOST_VERSIONS: int = 500
"""Maximum versions of one template in a list; older ones are found by their number."""


async def lock(conn: Connection, template_id: str) -> None:
    """Lock a template until the caller's transaction ends."""
    await rows(conn, queries.TEMPLATE_LOCK, (template_id,))


async def find(conn: Connection, template_id: str, version: int) -> Template | None:
    """Return one version; None where it does not exist."""
    found = await rows(conn, queries.TEMPLATE_VERSION, (template_id, version))
    return Template(*found[0]) if found else None


async def in_force(conn: Connection, template_id: str) -> Template | None:
    """Return the approved version from which tables are opened; None where there is none."""
    found = await rows(conn, queries.TEMPLATE_IN_FORCE, (template_id,))
    return Template(*found[0]) if found else None


async def versions(conn: Connection, template_id: str) -> list[Template]:
    """List the versions of a template, newest first."""
    return [Template(*row) for row in await rows(conn, queries.TEMPLATE_VERSIONS, (template_id, MOST_VERSIONS))]


async def listed(
    conn: Connection,
    *,
    state: str = "",
    games: Sequence[str] = (),
    after: tuple[str, int] = ("", 0),
    limit: int = 100,
) -> list[Template]:
    """Return one page of versions by id and version, after ``after``; empty ``games``: of every game."""
    wanted = list(games)
    found = await rows(conn, queries.TEMPLATES, (*after, state, state, wanted, wanted, bounded(limit)))
    return [Template(*row) for row in found]


async def by_request(conn: Connection, command: Command) -> Template | None:
    """Return the version that a command has proposed already; None where it is new. Raises ConflictError."""
    known = await _known(conn, queries.TEMPLATE_OF_REQUEST, command)
    return None if known is None else await find(conn, *known)


async def newest(conn: Connection, template_id: str) -> int:
    """Return the number of the newest version, decided or not; 0 where there is none."""
    return int((await rows(conn, queries.NEWEST_VERSION, (template_id,)))[0][0])


async def propose(conn: Connection, command: Command, proposed: Template) -> None:
    """Record a new version."""
    one = proposed
    await execute(
        conn,
        queries.PROPOSE_TEMPLATE,
        (
            one.template_id,
            one.version,
            one.game,
            one.terms,
            one.reason,
            one.proposed_by,
            command.key,
            command.digest,
        ),
    )


async def decided_by_request(conn: Connection, command: Command) -> tuple[str, int] | None:
    """Return the version that a command has decided already. Raises ConflictError."""
    return await _known(conn, queries.TEMPLATE_DECISION_OF_REQUEST, command)


async def decide(
    conn: Connection, command: Command, template_id: str, version: int, *, approved: bool, reason: str, decided_by: str
) -> None:
    """Record a decision. Raises psycopg.errors.CheckViolation where the same person proposed the version."""
    await execute(
        conn,
        queries.DECIDE_TEMPLATE,
        (template_id, version, approved, reason, decided_by, command.key, command.digest),
    )


async def retired_by_request(conn: Connection, command: Command) -> tuple[str, int] | None:
    """Return the version that a command has retired already. Raises ConflictError."""
    return await _known(conn, queries.RETIREMENT_OF_REQUEST, command)


async def retirement(conn: Connection, template_id: str, version: int) -> Retirement | None:
    """Return the retirement of a version; None where it is not retired."""
    found = await rows(conn, queries.RETIREMENT, (template_id, version))
    return Retirement(*found[0]) if found else None


async def retirements(conn: Connection, template_ids: Sequence[str]) -> dict[tuple[str, int], Retirement]:
    """Return the retirements of these templates by id and version."""
    found = [Retirement(*row) for row in await rows(conn, queries.RETIREMENTS, (list(template_ids),))]
    return {(one.template_id, one.version): one for one in found}


async def retire(
    conn: Connection, command: Command, template_id: str, version: int, *, reason: str, retired_by: str
) -> None:
    """Record that a version is taken out of use."""
    await execute(
        conn, queries.RETIRE_TEMPLATE, (template_id, version, reason, retired_by, command.key, command.digest)
    )


async def _known(conn: Connection, query: str, command: Command) -> tuple[str, int] | None:
    known = await rows(conn, query, (command.key,))
    if not known:
        return None
    if bytes(known[0][0]) != command.digest:
        raise ConflictError
    return str(known[0][1]), int(known[0][2])
