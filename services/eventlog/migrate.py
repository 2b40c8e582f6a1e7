"""Migrates a database to the newest schema, from a source tree or an installed package."""

import random
import time
from pathlib import Path
from typing import Final

import psycopg
import sqlalchemy
import sqlalchemy.exc
from alembic import command, config, script
from alembic.runtime import migration
from psycopg import conninfo

import migrations
from services.database import retry
from services.eventlog import revision as revisions
from services.eventlog.revision import State

_LOCK: Final = 7300  # one upgrade at a time, on all machines
_TRIES: Final = 5


class MigrationError(Exception):
    """The database is unsuitable or belongs to a later release; the message says what must change."""


def upgrade(url: str, revision: str = "head") -> None:
    """Migrate the database at ``url`` to a revision, in one transaction; do nothing where it has the revision.

    ``url`` is a libpq URL or connection string of a user that may create roles. Raises MigrationError (not UTF-8, or a
    later release) and the driver's errors when the server does not answer.
    """
    with psycopg.connect(conninfo.make_conninfo(url), autocommit=True) as turn:
        # Held by the session: the upgrade's own transaction would have a snapshot from before the wait.
        turn.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        for left in reversed(range(_TRIES)):
            try:
                _upgrade(url, revision)
            except sqlalchemy.exc.DBAPIError as error:
                if not left or not _lost_race(error):
                    raise
            else:
                return
            time.sleep(random.uniform(0.1, 0.5))  # noqa: S311 - spreads retries, guards nothing


def _upgrade(url: str, revision: str) -> None:
    with _engine(url).begin() as connection:
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            message = (
                f"the database's encoding is {encoding}; create it with ENCODING 'UTF8', hashes are over UTF-8 bytes"
            )
            raise MigrationError(message)
        found = migration.MigrationContext.configure(connection).get_current_revision()
        if revisions.compare(found) is State.NEWER:
            message = (
                f"the database has revision {found}, which this program does not know; its newest is {newest()}:"
                " run the release that made the database, or restore a database of this one"
            )
            raise MigrationError(message)
        settings = _settings()
        settings.attributes["connection"] = connection
        command.upgrade(settings, revision)


def _lost_race(error: sqlalchemy.exc.DBAPIError) -> bool:
    """Return whether the migration lost a race, or another database of the server created the same roles."""
    lost = error.orig
    return lost is not None and (retry.lost_race(lost) or isinstance(lost, psycopg.errors.DuplicateObject))


def state(url: str) -> State:
    """Return whether the database's schema is older, current or newer; an empty database is older."""
    with _engine(url).connect() as connection:
        return revisions.compare(migration.MigrationContext.configure(connection).get_current_revision())


def is_current(url: str) -> bool:
    """Return whether the database has the newest schema."""
    return state(url) is State.CURRENT


def newest() -> str:
    """Return the newest revision's number."""
    head = script.ScriptDirectory.from_config(_settings()).get_current_head()
    assert head is not None, "there are no revisions"
    return head


def _settings() -> config.Config:
    folder = Path(migrations.__file__).parent
    settings = config.Config()
    settings.set_main_option("script_location", str(folder).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings


def _engine(url: str) -> sqlalchemy.Engine:
    """Return an engine without a pool; psycopg itself parses the URL of its connections."""
    text = conninfo.make_conninfo(url)
    return sqlalchemy.create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(text), poolclass=sqlalchemy.NullPool
    )
