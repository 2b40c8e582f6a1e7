"""Open tables by game: a list of one game, or of a family, does not walk over the tables of all others."""

from alembic import op

revision = "0021"
down_revision = "0020"

INDEX = """CREATE INDEX streams_open_by_game ON streams ((summary->>'game'), created_at, stream_id)
    WHERE summary @> '{"closed": false}'"""


def upgrade() -> None:
    """Make the index."""
    op.execute(INDEX)
