"""Checks a stream's rows against its hash chain; pure, so that it serves the database and exports alike."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, Literal

import msgspec

from services.eventlog import canonical
from services.eventlog.records import StoredEvent, StreamHead

EDIT: Final = "edit"
GAP: Final = "gap"
DUPLICATE: Final = "duplicate"
FORK: Final = "fork"

BEGINNING: Final = (0, canonical.FIRST)
"""Version and hash before a stream's first event."""

Form = Literal["timed", "untimed"]
"""Form of an event's hash: with the time of recording, or the older one without."""


class Mismatch(msgspec.Struct, frozen=True):
    """A place where a stream contradicts its hash chain: version, kind, column, and what was found.

    ``edit``: a stored value was changed. ``gap``: versions are missing. ``duplicate``: a row occurs twice. ``fork``:
    two different events claim the same version.
    """

    stream_id: str
    version: int
    kind: str
    field: str
    detail: str


def verify(
    events: Iterable[StoredEvent],
    head: StreamHead | None = None,
    known: Mapping[int, bytes] | None = None,
    *,
    after: tuple[int, bytes] = BEGINNING,
) -> list[Mismatch]:
    """Return all mismatches of one stream, by version; an empty list where it is intact.

    ``events`` are all rows after the version and hash ``after``, in any order. ``head`` is the stream's own row.
    ``known`` are hashes by version from another source (a signed checkpoint): only these reveal a history that was
    rewritten from some version to its end.
    """
    rows = sorted(events, key=lambda event: (event.version, event.position))
    found: list[Mismatch] = []
    version, previous = after
    last_form: Form | None = None
    chain: list[StoredEvent] = []
    for _, same in groupby(rows, key=lambda event: event.version):
        claims = list(same)
        chosen = _follower(claims, chain[-1].hash if chain else previous)
        found += [_twice(claim, claims[chosen]) for place, claim in enumerate(claims) if place != chosen]
        chain.append(claims[chosen])
    for place, event in enumerate(chain):
        carried, its_form = event.hash, None
        if event.version > version + 1:
            detail = f"versions {version + 1} to {event.version - 1} are missing"
            found.append(Mismatch(event.stream_id, version + 1, GAP, "version", detail))
        elif (its_form := form(event, previous)) is None:
            confirmed = _confirmed(event, previous, chain[place + 1 : place + 2], head)
            found.append(_changed(event, only_hash=confirmed is not None))
            carried = confirmed or event.hash
        elif goes_back(last_form, its_form):
            found.append(_untimed(event))
        found += _misplaced(event, chain[place - 1] if place else None)
        version, previous, last_form = event.version, carried, its_form
    found += _against(chain, known or {}, after)
    if head is not None:
        found += _beside(head, version, previous)
    return sorted(found, key=lambda one: one.version)


def form(event: StoredEvent, previous: bytes) -> Form | None:
    """Return the form in which an event's hash follows the hash ``previous``; None where it does not."""
    if _hash(event, previous, event.recorded_at_ms) == event.hash:
        return "timed"
    return "untimed" if _hash(event, previous, None) == event.hash else None


def goes_back(before: Form | None, now: Form | None) -> bool:
    """Return whether an event has the older form although the one before it has the newer one."""
    return before == "timed" and now == "untimed"


def _follower(claims: Sequence[StoredEvent], previous: bytes) -> int:
    """Return the index of the row of one version that follows its predecessor, else 0."""
    return next((place for place, one in enumerate(claims) if form(one, previous)), 0)


def _twice(event: StoredEvent, chosen: StoredEvent) -> Mismatch:
    if (*_content(event), event.recorded_at_ms, event.hash) == (*_content(chosen), chosen.recorded_at_ms, chosen.hash):
        return Mismatch(event.stream_id, event.version, DUPLICATE, "version", "the row occurs twice")
    return Mismatch(event.stream_id, event.version, FORK, "version", "two different events have this version")


def _confirmed(
    event: StoredEvent, previous: bytes, follower: Sequence[StoredEvent], head: StreamHead | None
) -> bytes | None:
    """Return the hash of an event's content if the following hash was computed from it, else None."""
    for moment in (event.recorded_at_ms, None):
        computed = _hash(event, previous, moment)
        if form(follower[0], computed) if follower else head is not None and head.head_hash == computed:
            return computed
    return None


def _untimed(event: StoredEvent) -> Mismatch:
    detail = "the hash omits the time of recording, although that of the event before covers it"
    return Mismatch(event.stream_id, event.version, EDIT, "recorded_at", detail)


def _changed(event: StoredEvent, *, only_hash: bool) -> Mismatch:
    if only_hash:
        detail = "the hash was changed: the event's content and the next hash agree on another one"
        return Mismatch(event.stream_id, event.version, EDIT, "hash", detail)
    detail = "type, data, metadata and time do not yield the stored hash, or the event before was replaced"
    return Mismatch(event.stream_id, event.version, EDIT, "data", detail)


def _misplaced(event: StoredEvent, before: StoredEvent | None) -> list[Mismatch]:
    shard = canonical.shard_of(event.stream_id)
    if event.shard != shard:
        detail = f"shard {event.shard} instead of {shard}"
        return [Mismatch(event.stream_id, event.version, EDIT, "shard", detail)]
    if before is not None and event.position <= before.position:
        detail = f"position {event.position} does not follow {before.position}"
        return [Mismatch(event.stream_id, event.version, EDIT, "position", detail)]
    return []


def _against(chain: Sequence[StoredEvent], known: Mapping[int, bytes], after: tuple[int, bytes]) -> list[Mismatch]:
    if not chain:
        return []
    stored = {event.version: event.hash for event in chain}
    last = chain[-1]
    found = []
    for version, hash_ in known.items():
        if version > last.version:
            detail = f"the stream ends at version {last.version}, but version {version} was known"
            found.append(Mismatch(last.stream_id, last.version + 1, GAP, "version", detail))
        elif version > after[0] and version in stored and stored[version] != hash_:
            detail = "the hash differs from the one known for this version"
            found.append(Mismatch(last.stream_id, version, FORK, "hash", detail))
    return found


def _beside(head: StreamHead, version: int, last: bytes) -> list[Mismatch]:
    """Compare the last event with the stream's own row."""
    if version < head.version:
        detail = f"versions {version + 1} to {head.version} are missing at the end"
        return [Mismatch(head.stream_id, version + 1, GAP, "version", detail)]
    if version > head.version:
        detail = f"the stream's row says that it ends at version {head.version}"
        return [Mismatch(head.stream_id, head.version + 1, FORK, "version", detail)]
    if last != head.head_hash:
        detail = "the stream's row has another hash"
        return [Mismatch(head.stream_id, version, FORK, "hash", detail)]
    return []


def _content(event: StoredEvent) -> tuple[str, str, str]:
    return event.type, event.data, event.metadata


def _hash(event: StoredEvent, previous: bytes, recorded_at_ms: int | None) -> bytes:
    return canonical.event_hash(previous, event.stream_id, event.version, *_content(event), recorded_at_ms)
