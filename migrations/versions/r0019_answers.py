"""A request that changes nothing is recorded with its answer, so that a later repetition gets the first answer.

Such an append holds no events: it takes no position in its shard and leaves its stream as it is, but it is refused like
any other where the stream has moved on. Its range of versions is empty: the first is one more than the last.
"""

from alembic import op

from migrations.versions.r0009_timed_chain import APPEND_BATCH, APPEND_ONE

revision = "0019"
down_revision = "0018"

# The functions of 0009, with these passages replaced.
IN_ONE = (
    (
        "    UPDATE shards SET head = shards.head + n WHERE shard = home",
        "    IF n > 0 THEN\n    UPDATE shards SET head = shards.head + n WHERE shard = home",
    ),
    (
        "    IF p_key IS NOT NULL THEN\n        INSERT INTO requests",
        "    END IF;\n    IF p_key IS NOT NULL THEN\n        INSERT INTO requests",
    ),
)
IN_BATCH = (
    (
        "        IF s_stream[changed] IS DISTINCT FROM last THEN",
        """        IF p_counts[place] = 0 THEN
            outcomes[place] := 'appended';
            firsts[place] := head + 1;
            versions[place] := head;
            answers[place] := p_answers[place];
            hashes[place] := previous;
            asked := asked + 1;
            asking[asked] := place;
            CONTINUE;
        END IF;
        IF s_stream[changed] IS DISTINCT FROM last THEN""",
    ),
    ("u.stream_id;\n        IF asked > 0 THEN", "u.stream_id;\n    END IF;\n    IF asked > 0 THEN"),
    ("unnest(asking) AS i;\n        END IF;\n    END IF;", "unnest(asking) AS i;\n    END IF;"),
)


def replaced(function: str, passages: tuple[tuple[str, str], ...]) -> str:
    """Return a function with passages replaced, each of which occurs once."""
    for before, after in (("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION"), *passages):
        assert function.count(before) == 1, before
        function = function.replace(before, after)
    return function


def upgrade() -> None:
    """Replace the functions that append."""
    op.execute(replaced(APPEND_ONE, IN_ONE))
    op.execute(replaced(APPEND_BATCH, IN_BATCH))
