"""The ledger's guards in a form that databases of many nodes have too; for houses made before revision 0003 had it."""

from alembic import op

from migrations.versions import r0003_ledger as ledger

revision = "0006"
down_revision = "0005"

OLD = ("legs_must_balance", "legs_must_fit", "entry_must_have_legs", "balance_must_follow_legs")
MADE_EARLIER = """
SELECT NOT EXISTS (
    SELECT FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'legs' AND column_name = 'size'
)
"""

STATEMENTS = (
    *(f"DROP FUNCTION {name}() CASCADE" for name in OLD),  # and the trigger of the same name that calls it
    "ALTER TABLE entries ADD COLUMN size smallint NOT NULL DEFAULT 0",
    "ALTER TABLE legs ADD COLUMN size smallint NOT NULL DEFAULT 0",
    # The tables are locked until the commit: nobody finds them without their guards.
    "ALTER TABLE entries DISABLE TRIGGER entries_append_only",
    "ALTER TABLE legs DISABLE TRIGGER legs_append_only",
    """
    UPDATE entries e SET size = l.size
    FROM (SELECT entry_id, count(*) AS size FROM legs GROUP BY entry_id) AS l WHERE l.entry_id = e.entry_id
    """,
    "UPDATE legs l SET size = e.size FROM entries e WHERE e.entry_id = l.entry_id",
    "ALTER TABLE entries ENABLE TRIGGER entries_append_only",
    "ALTER TABLE legs ENABLE TRIGGER legs_append_only",
    *(f"ALTER TABLE entries ADD {constraint}" for constraint in ledger.ENTRIES_HOLD),
    *(f"ALTER TABLE legs ADD {constraint}" for constraint in ledger.LEGS_HOLD),
    ledger.ENTRY_CLOSES,
    ledger.BALANCE_FOLLOWS,
    *ledger.GUARDS,
    ledger.POST.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"),
)


def upgrade() -> None:
    """Replace guards and function, and say of every entry how many legs it has; nothing on a house made since."""
    if op.get_bind().exec_driver_sql(MADE_EARLIER).scalar_one():
        for statement in STATEMENTS:
            op.execute(statement)
