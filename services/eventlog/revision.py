"""The schema revisions that this program knows, and their comparison with a database's revision."""

import enum
import pkgutil
import re
from typing import Any, Final

import psycopg

from migrations import versions
from services.eventlog import queries

_FILE: Final = re.compile(r"r(\d{4})_\w+")

KNOWN: Final = tuple(
    sorted(found[1] for one in pkgutil.iter_modules(versions.__path__) if (found := _FILE.fullmatch(one.name)))
)
"""The numbers of all revisions, taken from the names of their files."""
NEWEST: Final = KNOWN[-1]


class State(enum.Enum):
    """A database's schema compared with this program's."""

    OLDER = "older"
    CURRENT = "current"
    NEWER = "newer"


def compare(revision: str | None) -> State:
    """Compare a schema's revision with this program's; None is the revision of an empty database."""
    if revision is not None and revision not in KNOWN:
        return State.NEWER
    return State.CURRENT if revision == NEWEST else State.OLDER


async def read(conn: psycopg.AsyncConnection[Any]) -> str | None:
    """Return a database's revision; None where there is none or this process may not read it."""
    try:
        row = await (await conn.execute(queries.REVISION)).fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InsufficientPrivilege):
        return None
    return None if row is None else str(row[0])
