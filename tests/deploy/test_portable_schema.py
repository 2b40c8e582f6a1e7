"""Schema and statements use no feature that PostgreSQL-compatible distributed SQL lacks (docs/capacity.md)."""

import psycopg
import pytest

from services.eventlog import queries as log_queries
from tests.deploy import portability
from tests.deploy.portability import CALLS, SAVEPOINT, SCHEMA, STATEMENTS

BODIES = """
SELECT proname, coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '') FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
"""


def test_the_schema_uses_nothing_that_the_engine_lacks(postgres_url: str) -> None:
    """No table, key, index, trigger or function of a migrated database uses a missing feature."""
    with psycopg.connect(postgres_url) as conn:
        assert portability.lacking(conn) == []


def test_functions_say_nothing_that_the_engine_does_not_follow(postgres_url: str) -> None:
    """The bodies of the database's functions use no missing form of statement."""
    with psycopg.connect(postgres_url) as conn:
        bodies = conn.execute(BODIES).fetchall()
    assert len(bodies) > 10
    assert [(name, found) for name, body in bodies for found in portability.said(body)] == []


def test_statements_of_services_say_nothing_that_the_engine_does_not_follow() -> None:
    """No text in the code of services, and no call of the driver, uses a missing form."""
    found = list(portability.texts("services"))
    assert log_queries.READ_HEAD.partition("WHERE")[2] in "".join(text for _, text in found)
    assert [(place, wrong) for place, text in found for wrong in portability.said(text)] == []
    assert [(place, CALLS[name]) for place, name in portability.calls("services") if name in CALLS] == []


def test_migrations_say_nothing_that_the_engine_does_not_follow() -> None:
    """No text in the migrations uses a missing form or a savepoint."""
    found = list(portability.texts("migrations"))
    assert any("CREATE TABLE accounts" in text for _, text in found)
    wrong = [(place, said) for place, text in found for said in portability.said(text, migration=True)]
    assert wrong == []


@pytest.mark.parametrize("name", SCHEMA)
def test_an_offender_in_the_schema_is_found(postgres_url: str, name: str) -> None:
    """Each missing feature is found in the schema and reported with its source."""
    with psycopg.connect(postgres_url) as conn:
        conn.execute(SCHEMA[name].offender.encode())
        found = portability.lacking(conn)
        conn.rollback()
    assert {line.partition(":")[0] for line in found} == {name}
    assert SCHEMA[name].source in found[0]


@pytest.mark.parametrize("name", STATEMENTS)
def test_an_offender_among_statements_is_found(name: str) -> None:
    """Each missing form is found, and its alternative is not."""
    assert portability.said(STATEMENTS[name].offender) == [f"{name} ({STATEMENTS[name].source})"]


def test_a_savepoint_in_a_migration_is_found() -> None:
    """A caught exception around a change of the schema, which is a savepoint, is found in migrations."""
    assert len(portability.said(SAVEPOINT.offender, migration=True)) == 1
    assert portability.said(SAVEPOINT.offender) == []
