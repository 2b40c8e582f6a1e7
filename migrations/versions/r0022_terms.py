"""Terms of streams: who sits or is a member where is looked up, not searched for among all open tables.

A term is a word of a summary by which streams are listed: ``seated:PLAYER``, ``member:PLAYER``. The functions that
append keep the terms of a stream whenever they replace its summary.
"""

from alembic import op

from migrations.versions.r0009_timed_chain import APPEND_BATCH, APPEND_ONE
from migrations.versions.r0019_answers import IN_BATCH, IN_ONE, replaced

revision = "0022"
down_revision = "0021"

TABLE = """
CREATE TABLE stream_terms (
    stream_id uuid NOT NULL,
    term text COLLATE "C" NOT NULL,
    PRIMARY KEY (stream_id, term)
)
"""

# A player has few seats, so that the pages of one term are few, whatever the number of streams.
INDEX = "CREATE INDEX stream_terms_by_term ON stream_terms (term, stream_id)"

TERMS_OF = """
CREATE FUNCTION terms_of(summary jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce((
    SELECT array_agg(DISTINCT (kind.word || ':' || (person->>'player')) COLLATE "C")
    FROM (VALUES ('seated', 'seated'), ('members', 'member')) AS kind (field, word)
    CROSS JOIN LATERAL jsonb_array_elements(
        CASE WHEN jsonb_typeof(summary->kind.field) = 'array' THEN summary->kind.field ELSE '[]' END
    ) AS person
    WHERE person->>'player' <> ''
), '{}')
"""

KEEP_TERMS = """
CREATE FUNCTION keep_terms(p_stream uuid, p_summary jsonb) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    wanted text[] := terms_of(p_summary);
    held text[] := coalesce(
        (SELECT array_agg(t.term ORDER BY t.term) FROM stream_terms t WHERE t.stream_id = p_stream), '{}');
BEGIN
    IF wanted = held THEN
        RETURN;
    END IF;
    DELETE FROM stream_terms t WHERE t.stream_id = p_stream AND t.term <> ALL (wanted);
    INSERT INTO stream_terms (stream_id, term) SELECT p_stream, w FROM unnest(wanted) AS w ON CONFLICT DO NOTHING;
END
$$
"""

BACKFILL = """
INSERT INTO stream_terms (stream_id, term)
SELECT s.stream_id, unnest(terms_of(s.summary)) FROM streams s WHERE s.summary IS NOT NULL
"""

# The functions of 0019, with these passages replaced.
TERMS_IN_ONE = (
    "    WHERE s.stream_id = p_stream;\n    END IF;\n",
    """    WHERE s.stream_id = p_stream;
    IF p_summary IS NOT NULL THEN
        PERFORM keep_terms(p_stream, p_summary::jsonb);
    END IF;
    END IF;
""",
)
TERMS_IN_BATCH = (
    "WHERE s.stream_id = u.stream_id;\n    END IF;\n",
    """WHERE s.stream_id = u.stream_id;
        FOR i IN 1 .. changed LOOP
            IF s_summary[i] IS NOT NULL THEN
                PERFORM keep_terms(s_stream[i], s_summary[i]::jsonb);
            END IF;
        END LOOP;
    END IF;
""",
)


def with_terms(function: str, passage: tuple[str, str]) -> str:
    """Return a function of 0019 with a passage replaced, which occurs once."""
    before, after = passage
    assert function.count(before) == 1, before
    return function.replace(before, after)


def upgrade() -> None:
    """Make the table of terms, fill it, and let the functions that append keep it."""
    for statement in (TABLE, TERMS_OF, KEEP_TERMS):
        op.execute(statement)
    op.execute(with_terms(replaced(APPEND_ONE, IN_ONE), TERMS_IN_ONE))
    op.execute(with_terms(replaced(APPEND_BATCH, IN_BATCH), TERMS_IN_BATCH))
    op.execute(BACKFILL)
    op.execute(INDEX)
    op.execute("REVOKE ALL ON FUNCTION keep_terms(uuid, jsonb) FROM PUBLIC")
    op.execute("GRANT SELECT ON stream_terms TO pitboss_dealer, pitboss_settlement, pitboss_audit")
