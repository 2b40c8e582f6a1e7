"""Logs of tables as rows with their chain of hashes, and documents of their rounds, without a database."""

from typing import Any

import msgspec

from services.audit import documents
from services.eventlog import canonical
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.table import events
from tests.support import sittings
from tests.support.sittings import Sitting

MOMENT_MS = 1_700_000_000_000
METADATA = log_rows.Metadata(actor="boss", role="operator", command="test", process="dealer")


def chained(rows: list[StoredEvent], previous: bytes = canonical.FIRST) -> list[StoredEvent]:
    """Compute every hash again, as the owner of the database could."""
    found = []
    for row in rows:
        content = (row.stream_id, row.version, row.type, row.data, row.metadata, row.recorded_at_ms)
        previous = canonical.event_hash(previous, *content)
        found.append(msgspec.structs.replace(row, hash=previous))
    return found


def of_sitting(sitting: Sitting) -> list[StoredEvent]:
    """Return a table's log as rows of the database."""
    shard = canonical.shard_of(sitting.table_id)
    new = [log_rows.to_new(event, METADATA) for event in sitting.log]
    rows = []
    for version, one in enumerate(new, start=1):
        content = (one.type, one.data, one.metadata, MOMENT_MS + version)
        rows.append(StoredEvent(sitting.table_id, version, shard, version, *content, b""))
    return chained(rows)


def rounds(sitting: Sitting) -> list[list[StoredEvent]]:
    """Part a log into its rounds, each up to the event before the next."""
    parts: list[list[StoredEvent]] = []
    for row, event in zip(of_sitting(sitting), sitting.log, strict=True):
        if isinstance(event, events.RoundStarted):
            parts.append([])
        if parts:
            parts[-1].append(row)
    return parts


def exported(sitting: Sitting) -> list[dict[str, Any]]:
    """Export the rounds of a table and parse their text, as an offline check does."""
    rows = of_sitting(sitting)
    made = []
    for part in rounds(sitting):
        before = rows[part[0].version - 2] if part[0].version > 1 else None
        document = documents.of_round(sittings.AUDIT, sitting.table_id, part, documents.previous_hash(part, before))
        made.append(msgspec.json.decode(documents.write(document)))
    return made


def rehash(document: dict[str, Any]) -> dict[str, Any]:
    """Compute every hash of a document anew."""
    previous = bytes.fromhex(document["previous_hash"])
    for one in document["events"]:
        previous = canonical.event_hash(
            previous,
            document["table"],
            one["version"],
            one["type"],
            one["data"],
            one["metadata"],
            one.get("recorded_at_ms"),
        )
        one["hash"] = previous.hex()
    return document
