"""Features that YugabyteDB (2025.1 and 2025.2, based on Postgres 15) lacks, with queries that find them, and sources.

Read in November 2026 in the project's own issues and documentation; the engine itself was not run.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg

import migrations

ROOT: Final = Path(migrations.__file__).resolve().parents[1]
ISSUE: Final = "yugabyte-db issue"
KNOWN: Final = "docs/content/stable/yugabyte-voyager/known-issues/postgresql.md"
_OURS: Final = "c.relnamespace = 'public'::regnamespace"


class Lack(NamedTuple):
    """A missing feature: a query that finds its uses, and statements that make an example."""

    source: str
    query: str
    offender: str


SCHEMA: Final[dict[str, Lack]] = {
    "transition tables": Lack(
        f"{ISSUE} 1668, open",
        "SELECT tgname FROM pg_trigger WHERE tgoldtable IS NOT NULL OR tgnewtable IS NOT NULL",
        "CREATE TRIGGER bad AFTER INSERT ON legs REFERENCING NEW TABLE AS added"
        " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()",
    ),
    "constraint triggers": Lack(
        f"{ISSUE} 31342, open",
        "SELECT tgname FROM pg_trigger WHERE tgconstraint <> 0 AND NOT tgisinternal",
        "CREATE CONSTRAINT TRIGGER bad AFTER INSERT ON legs DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    ),
    "deferrable keys that are no foreign keys": Lack(
        f"{ISSUE} 1709, open (foreign keys may be: 3995, closed)",
        "SELECT conname FROM pg_constraint WHERE condeferrable AND contype NOT IN ('f', 't')",
        "ALTER TABLE limits ADD CONSTRAINT bad UNIQUE (player, number) DEFERRABLE",
    ),
    "exclusion constraints": Lack(
        f"{ISSUE} 3944, open",
        "SELECT conname FROM pg_constraint WHERE contype = 'x'",
        "ALTER TABLE limits ADD CONSTRAINT bad EXCLUDE USING btree (number WITH =)",
    ),
    "indexes other than btree": Lack(
        f"{ISSUE} 1337; gin takes one column only, {KNOWN}",
        "SELECT c.relname FROM pg_class c JOIN pg_am a ON a.oid = c.relam"
        f" WHERE c.relkind IN ('i', 'I') AND a.amname <> 'btree' AND {_OURS}",
        "CREATE INDEX bad ON events USING brin (recorded_at)",
    ),
    "storage parameters of indexes": Lack(
        f"{ISSUE} 23467, open",
        f"SELECT c.relname FROM pg_class c WHERE c.relkind IN ('i', 'I') AND c.reloptions IS NOT NULL AND {_OURS}",
        "CREATE INDEX bad ON limits (player) WITH (fillfactor = 70)",
    ),
    "storage parameters that are not known to be ignored": Lack(
        f"{ISSUE} 870 and 7766, closed: fillfactor and autovacuum's are ignored",
        f"SELECT c.relname FROM pg_class c CROSS JOIN unnest(c.reloptions) o WHERE c.relkind = 'r' AND {_OURS}"
        " AND o !~ '^(fillfactor|autovacuum_[a-z_]+)='",
        "ALTER TABLE limits SET (parallel_workers = 2)",
    ),
    "indexes on columns of types without an order of their own": Lack(
        f"{ISSUE} 9698, open",
        "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
        " JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid"
        f" WHERE {_OURS} AND (t.typcategory IN ('A', 'C', 'I')"
        " OR t.typname IN ('jsonb', 'tsvector', 'tsquery', 'citext'))",
        "CREATE INDEX bad ON streams (summary)",
    ),
    "row triggers before changes of partitioned tables": Lack(
        f"{ISSUE} 24830, open",
        "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
        " WHERE (c.relkind = 'p' OR c.relispartition) AND t.tgtype & 3 = 3 AND NOT t.tgisinternal",
        "CREATE TRIGGER bad BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    ),
    "inheritance": Lack(
        f"{ISSUE} 5956, open",
        "SELECT c.relname FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid"
        " WHERE c.relkind = 'r' AND NOT c.relispartition",
        "CREATE TABLE bad () INHERITS (limits)",
    ),
    "types that are not stored": Lack(
        f"{ISSUE} 11323, 15638, 1043, 25318",
        "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        f" JOIN pg_type t ON t.oid = a.atttypid WHERE {_OURS} AND a.attnum > 0"
        " AND t.typname IN ('xml', 'xid', 'xid8', 'pg_lsn', 'txid_snapshot', 'pg_snapshot', 'lo')",
        "CREATE TABLE bad (at pg_lsn)",
    ),
    "columns that are computed when read": Lack(
        "Postgres 18; the engine is of Postgres 15",
        "SELECT attname FROM pg_attribute WHERE attgenerated = 'v'",
        "CREATE TABLE bad (a int, b int GENERATED ALWAYS AS (a + 1) VIRTUAL)",
    ),
    "collations other than the database's and C": Lack(
        "docs/content/stable/explore/ysql-language-features/advanced-features/collations.md: limitations",
        "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        f" JOIN pg_collation l ON l.oid = a.attcollation WHERE {_OURS} AND l.collname NOT IN ('default', 'C')",
        "CREATE TABLE bad (name text COLLATE ucs_basic)",
    ),
    "languages other than SQL and PL/pgSQL": Lack(
        "no issue: what would have to be installed on every node",
        "SELECT proname FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang"
        " WHERE p.pronamespace = 'public'::regnamespace AND l.lanname NOT IN ('sql', 'plpgsql')",
        "CREATE FUNCTION bad(text) RETURNS int LANGUAGE internal AS 'textlen'",
    ),
    "sequences whose order matters": Lack(
        "docs/content/stable/api/ysql/exprs/sequence_functions/func_nextval.md: each connection has numbers in advance;"
        " here the order of three lists follows it, and nothing else",
        "SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        f" LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE {_OURS}"
        " AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%')"
        " AND c.relname NOT IN ('adjustments', 'void_requests', 'significant_events')",
        "CREATE TABLE bad (number bigserial)",
    ),
    "conversions": Lack(
        f"{ISSUE} 10866, open",
        "SELECT conname FROM pg_conversion WHERE connamespace = 'public'::regnamespace",
        "CREATE CONVERSION bad FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
    ),
    "views that check what is written": Lack(
        f"{ISSUE} 22716, open",
        f"SELECT c.relname FROM pg_class c WHERE c.relkind = 'v' AND {_OURS}"
        " AND c.reloptions::text LIKE '%check_option%'",
        "CREATE VIEW bad AS SELECT * FROM limits WHERE amount > 0 WITH CHECK OPTION",
    ),
}
"""Searched for in the catalogue of a migrated database."""


class Word(NamedTuple):
    """A form of statement that the engine does not support, and an example."""

    source: str
    pattern: str
    offender: str


STATEMENTS: Final[dict[str, Word]] = {
    "LISTEN and NOTIFY": Word(
        f"{ISSUE} 1872; off by default up to 2025.2", r"\b(UN)?LISTEN\s|\bNOTIFY\s|\bpg_notify\b", "NOTIFY tables"
    ),
    "SET TRANSACTION behind BEGIN": Word(
        f"{ISSUE} 12494, open",
        r"\bSET\s+(SESSION\s+CHARACTERISTICS|TRANSACTION)\b",
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    ),
    "LOCK TABLE": Word(f"{ISSUE} 5384", r"\bLOCK\s+(TABLE\b|[a-z]+ IN\b)", "LOCK TABLE accounts"),
    "two-phase commit": Word(
        f"{ISSUE} 11084, open", r"\b(PREPARE|COMMIT|ROLLBACK)\s+(TRANSACTION|PREPARED)\b", "PREPARE TRANSACTION 'a'"
    ),
    "NOWAIT": Word(f"{ISSUE} 12166: in read committed only", r"\bNOWAIT\b", "SELECT FROM accounts FOR UPDATE NOWAIT"),
    "MERGE": Word(f"{ISSUE} 25574, open", r"\bMERGE\s+INTO\b", "MERGE INTO accounts USING legs ON true"),
    "system columns": Word(f"{ISSUE} 24843, open", r"\b(ctid|xmin|xmax|cmin|cmax)\b", "SELECT xmin FROM events"),
    "transactions' numbers": Word(
        f"{ISSUE} 15638, open", r"\b(txid_|pg_current_xact_id|pg_visible_in_snapshot)", "SELECT txid_current()"
    ),
    "large objects": Word(f"{ISSUE} 25318, open", r"\blo_[a-z]+\(", "SELECT lo_create(0)"),
    "XML": Word(f"{ISSUE} 1043, open", r"\b(xpath|xmlparse|xmlelement|xmlagg)\(", "SELECT xpath('/a', '<a/>')"),
    "functions younger than Postgres 15": Word(
        "the engine is of Postgres 15",
        r"(?i)\b(any_value|json_table|uuidv7|uuidv4|array_sample|array_shuffle|array_sort|casefold|crc32c)\s*\(",
        "SELECT any_value(kind) FROM entries",
    ),
    "old and new of RETURNING": Word(
        "Postgres 18; the engine is of Postgres 15",
        r"\bRETURNING\s+(WITH|old\.|new\.)",
        "UPDATE accounts SET lines = 1 RETURNING old.lines",
    ),
    "cursors": Word(
        f"{ISSUE} 6514, docs/content/stable/api/ysql/cursors.md: forward only",
        r"\bDECLARE\s+\w+\s+.*\bCURSOR\b|\bWHERE\s+CURRENT\s+OF\b",
        "DECLARE c SCROLL CURSOR FOR SELECT 1",
    ),
}
"""Searched for in functions, migrations and every statement of ``services``."""

SAVEPOINT: Final = Word(
    f"{ISSUE} 26734 and 31810, open: no change of the schema behind a savepoint, which a caught exception is too",
    r"\bSAVEPOINT\b|\bEXCEPTION\s+WHEN\b",
    "DO $$ BEGIN CREATE ROLE bad; EXCEPTION WHEN duplicate_object THEN NULL; END $$",
)
"""Searched for in migrations."""

CALLS: Final[dict[str, str]] = {
    "notifies": "LISTEN and NOTIFY",
    "add_notify_handler": "LISTEN and NOTIFY",
    "tpc_begin": "two-phase commit",
    "scroll": "cursors that go back",
}
"""Methods of the driver that send a statement."""


def lacking(conn: psycopg.Connection[Any]) -> list[str]:
    """Return what a database uses that the engine lacks."""
    return [
        f"{name}: {found} ({lack.source})"
        for name, lack in SCHEMA.items()
        for (found,) in conn.execute(lack.query.encode()).fetchall()
    ]


def said(text: str, *, migration: bool = False) -> list[str]:
    """Return the parts of a statement that the engine does not support."""
    words = STATEMENTS | ({"savepoints in migrations": SAVEPOINT} if migration else {})
    return [f"{name} ({word.source})" for name, word in words.items() if re.search(word.pattern, text)]


def texts(folder: str) -> Iterator[tuple[str, str]]:
    """Yield every text in the code below a folder with its place; docstrings are left out."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        prose = {id(statement.value) for statement in ast.walk(tree) if isinstance(statement, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in prose:
                text = node.value if isinstance(node.value, str) else node.value.decode(errors="replace")
                yield f"{path.relative_to(ROOT)}:{node.lineno}", text


def calls(folder: str) -> Iterator[tuple[str, str]]:
    """Yield every method that the code below a folder calls by name, with its place; named cursors as ``scroll``."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield place, node.func.attr
                yield from ((place, word.arg) for word in node.keywords if word.arg == "scrollable")
