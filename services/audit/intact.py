"""Check of the events that a read shows: what was changed in the database is refused, never shown."""

from collections.abc import Sequence

from services.eventlog import log, verify
from services.eventlog.records import StoredEvent
from services.rules.refusals import Reason, Refused
from services.runtime.pools import Connection


async def require(conn: Connection, recorded: Sequence[StoredEvent]) -> None:
    """Raise Refused (``HISTORY_CHANGED``) unless consecutive events of a stream follow the hash chain.

    The refusal names version, kind and field of the first difference. A history that was rewritten with all its hashes
    is found by checkpoints only.
    """
    first, last = recorded[0], recorded[-1]
    before = await _before(conn, first)
    following = await log.read(conn, last.stream_id, last.version, 1)
    after = (before[0].version, before[0].hash) if len(before) == 2 else verify.BEGINNING  # noqa: PLR2004 - a pair
    for one in verify.verify([*before[-1:], *recorded, *following], after=after):
        of_hash_before = one.version == first.version - 1 and one.field == "hash"
        if first.version <= one.version <= last.version or of_hash_before:
            raise _changed(one.version, one.kind, one.field, one.detail)


def missing(version: int) -> Refused:
    """Return the refusal of a read that comes upon a missing event."""
    return _changed(version, verify.GAP, "version", "it is missing")


async def _before(conn: Connection, first: StoredEvent) -> list[StoredEvent]:
    """Return the two events before an event, fewer at the beginning. Raises Refused if one is missing."""
    begin = max(first.version - 2, 1)
    found = await log.read(conn, first.stream_id, begin - 1, first.version - begin) if begin < first.version else []
    versions = [one.version for one in found]
    for version in range(first.version - 1, begin - 1, -1):
        if version not in versions:
            raise missing(version)
    return found


def _changed(version: int, kind: str, field: str, detail: str) -> Refused:
    message = f"event {version} of this table was changed since it was recorded ({kind} of {field}): {detail}"
    return Refused(Reason.HISTORY_CHANGED, message, metadata={"version": version, "kind": kind, "field": field})
