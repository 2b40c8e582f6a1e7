"""The log is append-only by grants and by triggers; each is shown without the other."""

import psycopg
import pytest
from psycopg import sql

from services.eventlog import checkpoints, log
from tests.support import log_events
from tests.support.log_events import Connection, one

TABLES = ("events", "requests", "entries", "legs", "checkpoints")
CHANGES = ("UPDATE {} SET {} = {}", "DELETE FROM {}", "TRUNCATE {} CASCADE")
COLUMNS = {
    "events": "data",
    "events_00": "data",
    "events_15": "data",
    "requests": "answer",
    "entries": "reason",
    "legs": "amount",
    "checkpoints": "body",
}
ROLES = ("pitboss_dealer", "pitboss_settlement", "pitboss_audit")
WRITTEN = (*TABLES, "streams", "shards", "accounts")


@pytest.mark.parametrize("table", [*TABLES, "events_00", "events_15"])
@pytest.mark.parametrize("change", CHANGES)
async def test_the_owner_cannot_change_the_log(conn: Connection, table: str, change: str) -> None:
    """UPDATE, DELETE and TRUNCATE are refused by trigger even to the superuser, also where they would touch no row."""
    column = sql.Identifier(COLUMNS[table])
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        await conn.execute(sql.SQL(change).format(sql.Identifier(table), column, column))


async def test_an_upsert_cannot_change_an_event(conn: Connection) -> None:
    """ON CONFLICT DO UPDATE is a change like any other."""
    await log.append(conn, [one(log_events.stream(), 0)])
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
        await conn.execute(
            "INSERT INTO events SELECT * FROM events ON CONFLICT (shard, position) DO UPDATE SET data = '{}'"
        )


@pytest.mark.parametrize("role", ROLES)
async def test_roles_cannot_write_the_tables(conn: Connection, role: str) -> None:
    """No role of a process may insert, update, delete or truncate anything, with every trigger switched off."""
    await conn.execute("SET session_replication_role = replica")
    await conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    for table in WRITTEN:
        name = sql.Identifier(table)
        for statement in ("INSERT INTO {0} DEFAULT VALUES", "DELETE FROM {0}", "TRUNCATE {0}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
                await conn.execute(sql.SQL(statement).format(name))
        await conn.execute(sql.SQL("SELECT count(*) FROM {}").format(name))
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
        await conn.execute("UPDATE streams SET version = 0")
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
        await conn.execute("CREATE TABLE mine ()")


@pytest.mark.parametrize(
    ("role", "may"), [("pitboss_dealer", True), ("pitboss_settlement", True), ("pitboss_audit", False)]
)
async def test_who_may_append(conn: Connection, role: str, may: bool) -> None:
    """Dealers and settlement append, one and in a batch; the auditor cannot."""
    await conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    for many in (1, 2):
        appends = [one(log_events.stream(), 0) for _ in range(many)]
        if may:
            assert {each.outcome for each in await log.append(conn, appends)} == {"appended"}
        else:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await log.append(conn, appends)


@pytest.mark.parametrize(
    ("role", "may"), [("pitboss_dealer", False), ("pitboss_settlement", False), ("pitboss_audit", True)]
)
async def test_who_may_store_checkpoints(conn: Connection, role: str, may: bool) -> None:
    """The auditor stores checkpoints; nobody else does."""
    await conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    first = checkpoints.Checkpoint(1, "{}", b"s", "k")
    if may:
        assert await checkpoints.store(conn, first) == "stored"
    else:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await checkpoints.store(conn, first)


async def test_a_user_without_a_role_may_nothing(conn: Connection) -> None:
    """A user of the database outside the roles can neither read the log nor call its functions."""
    await conn.execute("CREATE ROLE stranger_to_pitboss NOLOGIN")
    try:
        await conn.execute("SET ROLE stranger_to_pitboss")
        for statement in (
            "SELECT FROM events",
            "SELECT append_one(NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)",
            "SELECT store_checkpoint(1, '', '', '')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="permission denied"):
                await conn.execute(sql.SQL(statement))
    finally:
        await conn.execute("RESET ROLE")
        await conn.execute("DROP ROLE stranger_to_pitboss")


async def test_functions_cannot_be_led_astray(conn: Connection) -> None:
    """Functions that run as their owner have a fixed search path that ends with the caller's temporary tables."""
    query = """
        SELECT proname, coalesce(array_to_string(proconfig, ';'), '') FROM pg_proc
        WHERE prosecdef AND pronamespace = 'public'::regnamespace
    """
    rows = await (await conn.execute(query)).fetchall()
    assert len(rows) > 3
    assert [name for name, settings in rows if "search_path=pg_catalog, public, pg_temp" not in settings] == []
