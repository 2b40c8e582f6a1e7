"""Every CHECK of the schema refuses a row that breaks it, for every role: one row for each, with all else valid."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql

LEDGER: Final = {"accounts", "entries", "legs"}
"""Their checks are tried by ``tests/ledger/test_ways_around.py``, together with what guards them."""

SOUND: Final[dict[str, Any]] = {
    "bigint": 1,
    "integer": 1,
    "smallint": 1,
    "numeric": 0,
    "text": "x",
    "boolean": True,
    "uuid": "00000000-0000-4000-8000-000000000001",
    "bytea": bytes(32),
    "timestamp with time zone": "2026-01-01T00:00:00Z",
    "ARRAY": ["x"],
}
"""A value of each type that stands in every sound row, unless its table says otherwise."""

TABLES: Final[dict[str, dict[str, Any]]] = {
    "switches": {"scope": "player"},
    "limits": {"kind": "stake", "span": "day", "set_by": "house"},
    "adjustments": {"player": "ann"},
    "erasure_requests": {"player": "ann"},
    "round_seats": {"chips_before": 5, "staked": 3, "won": 7, "fee": 1, "chips_after": 8},
}
"""What a sound row of a table has otherwise."""

BROKEN: Final[dict[str, dict[str, Any]]] = {
    "adjustment_decisions_check": {"approved": False},
    "adjustments_amount_check": {"amount": 0},
    "adjustments_reason_check": {"reason": ""},
    "another_person_must_ask": {"asked_by": "ANN"},
    "another_person_must_ask_to_erase": {"asked_by": "ANN"},
    "checkpoints_number_check": {"number": 0},
    "erasure_requests_number_check": {"number": 0},
    "erasure_requests_reason_check": {"reason": ""},
    "ledger_passes_accounts_check": {"accounts": -1},
    "ledger_passes_legs_check": {"legs": -1},
    "ledger_passes_off_check": {"off": -1},
    "limits_amount_check": {"amount": -1},
    "limits_check": {"span": ""},
    "limits_check1": {"made_ms": 2},
    "limits_kind_check": {"kind": "time"},
    "limits_set_by_check": {"set_by": "ann"},
    "player_erasures_number_check": {"number": 0},
    "player_keys_key_id_check": {"key_id": ""},
    "pool_shares_chips_check": {"chips": 0},
    "proof_leaves_hash_check": {"hash": bytes(31)},
    "proof_leaves_position_check": {"position": -1},
    "proof_nodes_level_check": {"level": 0},
    "proof_nodes_place_check": {"place": -1},
    "round_seats_check": {"chips_after": 9},
    "seat_waits_offer": {"offered_seat": None},
    "switches_check": {"subject": ""},
    "switches_number_check": {"number": 0},
    "switches_reason_check": {"reason": ""},
    "switches_scope_check": {"scope": "family"},
    "template_decisions_reason_check": {"reason": ""},
    "template_retirements_reason_check": {"reason": ""},
    "templates_reason_check": {"reason": ""},
    "templates_version_check": {"version": 0},
    "tree_nodes_level_check": {"level": 0},
    "tree_nodes_place_check": {"place": -1},
    "void_decisions_reason_check": {"reason": ""},
    "void_requests_at_risk_check": {"at_risk": -1},
    "void_requests_reason_check": {"reason": ""},
    "void_requests_round_check": {"round": 0},
    "void_requests_version_check": {"version": 0},
}
"""For each check the columns that break it."""


@pytest.fixture
def conn(postgres_url: str) -> Iterator[psycopg.Connection]:
    """Yield a superuser's connection without triggers and foreign keys, so that checks alone stand in the way."""
    with psycopg.connect(postgres_url) as found:
        found.execute("SET session_replication_role = replica")
        yield found


def _checks(conn: psycopg.Connection) -> dict[str, str]:
    """Return the table of each check, by the check's name; events and their partitions have none of their own."""
    found = conn.execute(
        "SELECT con.conname, rel.relname FROM pg_constraint con JOIN pg_class rel ON rel.oid = con.conrelid"
        " WHERE con.contype = 'c' AND rel.relnamespace = 'public'::regnamespace AND rel.relname NOT LIKE 'events%'"
    )
    return {str(name): str(table) for name, table in found if table not in LEDGER}


def _insert(conn: psycopg.Connection, table: str, **broken: object) -> None:
    """Insert a sound row, but for the columns given."""
    columns = conn.execute(
        "SELECT column_name, data_type FROM information_schema.columns"
        " WHERE table_name = %s AND is_generated = 'NEVER'",
        (table,),
    ).fetchall()
    row = {name: SOUND[kind] for name, kind in columns} | TABLES.get(table, {}) | broken
    statement = sql.SQL("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({})").format(
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, row)),
        sql.SQL(", ").join(sql.Placeholder() * len(row)),
    )
    conn.execute(statement, list(row.values()))


def test_every_check_of_the_schema_is_tried(conn: psycopg.Connection) -> None:
    """A check that is added or dropped changes this list, so no check is there for its name only."""
    assert set(_checks(conn)) == set(BROKEN)


def test_sound_rows_are_taken_and_each_broken_one_is_refused_by_its_check(conn: psycopg.Connection) -> None:
    """The sound row of a table goes in; changed in one place it is refused by the very check that the change breaks."""
    for check, table in sorted(_checks(conn).items()):
        with conn.transaction(force_rollback=True):
            _insert(conn, table)
        with pytest.raises(psycopg.errors.CheckViolation) as caught, conn.transaction():
            _insert(conn, table, **BROKEN[check])
        assert caught.value.diag.constraint_name == check
