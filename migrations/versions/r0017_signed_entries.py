"""Settlement's signature beside each ledger entry: what the database's owner adds by hand has none.

Entries made earlier have none either; they are covered by the checkpoints signed before. The function without a
signature stays for processes of the release before, while they are replaced.
"""

from alembic import op

from migrations.versions import r0003_ledger as ledger

revision = "0017"
down_revision = "0016"

OLD_INSERT = (
    'INSERT INTO entries (entry_id, kind, currency, reason, "table", round, request_key, digest, actor, size)\n'
    "    VALUES (p_entry, p_kind, p_currency, p_reason, p_table, p_round, p_request, p_digest, p_actor, n);"
)
NEW_INSERT = (
    'INSERT INTO entries (entry_id, kind, currency, reason, "table", round, request_key, digest, actor, size,\n'
    "        signature)\n"
    "    VALUES (p_entry, p_kind, p_currency, p_reason, p_table, p_round, p_request, p_digest, p_actor, n,\n"
    "        p_signature);"
)
OLD_ARGUMENTS = "p_accounts text[], p_amounts bigint[]\n)"
NEW_ARGUMENTS = "p_accounts text[], p_amounts bigint[], p_signature bytea\n)"
SIGNATURE = ledger.POST_SIGNATURE.replace("bigint[])", "bigint[], bytea)")


def post() -> str:
    """Return the function that posts, with a signature behind its arguments."""
    assert OLD_INSERT in ledger.POST, "the function posts otherwise now"
    assert OLD_ARGUMENTS in ledger.POST, "the function takes other arguments now"
    return ledger.POST.replace(OLD_INSERT, NEW_INSERT).replace(OLD_ARGUMENTS, NEW_ARGUMENTS)


def upgrade() -> None:
    """Make the column, and the function that fills it."""
    op.execute(
        "ALTER TABLE entries ADD COLUMN signature bytea"
        " CONSTRAINT signature_has_64_bytes CHECK (octet_length(signature) = 64)"
    )
    op.execute(post())
    op.execute(f"REVOKE ALL ON FUNCTION {SIGNATURE} FROM PUBLIC")
    op.execute(f"GRANT EXECUTE ON FUNCTION {SIGNATURE} TO pitboss_settlement")
