"""Following the log: each event once, in the order of its shard, however late its transaction is committed.

A shard's positions are assigned under a lock that is held until the commit. So no snapshot of an intact shard has a
hole: a hole is damage, never an event whose commit is pending.
"""

from collections.abc import Mapping
from typing import Any, Final

import psycopg

from services.database import statements
from services.eventlog import binary_arrays, canonical, queries
from services.eventlog.records import StoredEvent

MOST_PER_SHARD: Final = 1000


class HoleError(Exception):
    """A shard lacks a position below its last one: the log was damaged."""


class Follower:
    """Reads events in order; ``seen`` is the last position read of each shard.

    A reader that acts on events stores ``seen`` in the same transaction, and resumes from it.
    """

    def __init__(self, seen: Mapping[int, int] | None = None) -> None:
        self.seen: dict[int, int] = dict.fromkeys(range(canonical.SHARDS), 0)
        self.seen.update(seen or {})
        assert len(self.seen) == canonical.SHARDS, f"there are shards 0 to {canonical.SHARDS - 1}, not {set(self.seen)}"

    async def read(self, conn: psycopg.AsyncConnection[Any], per_shard: int = 100) -> list[StoredEvent]:
        """Return the next events, at most ``per_shard`` of each shard, ordered within a shard.

        Raises HoleError; ``seen`` is unchanged then.
        """
        assert 1 <= per_shard <= MOST_PER_SHARD, f"{per_shard} events of a shard at once"
        shards = binary_arrays.Smallints(list(self.seen)), binary_arrays.Bigints(list(self.seen.values()))
        events = [StoredEvent(*row) for row in await statements.rows(conn, queries.FOLLOW, (*shards, per_shard))]
        seen = dict(self.seen)
        for event in events:
            if event.position != seen[event.shard] + 1:
                message = (
                    f"shard {event.shard} has position {event.position} after {seen[event.shard]}: events are missing"
                )
                raise HoleError(message)
            seen[event.shard] = event.position
        self.seen = seen
        return events
