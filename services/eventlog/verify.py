"""Checks a stream's rows against its chain of hashes; pure, so that it serves the database and an export alike."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

import msgspec

from services.eventlog import canonical
from services.eventlog.records import StoredEvent, StreamHead

EDIT: Final = "edit"
GAP: Final = "gap"
DUPLICATE: Final = "duplicate"
FORK: Final = "fork"


class Mismatch(msgspec.Struct, frozen=True):
    """Something in a stream that its chain denies: where, what kind, which column, and in words what was found.

    ``edit``: a stored value was changed. ``gap``: versions are missing. ``duplicate``: a row stands twice. ``fork``:
    two different histories claim the same version.
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
    after: tuple[int, bytes] = (0, canonical.FIRST),
) -> list[Mismatch]:
    """Give everything that is wrong with one stream, by version; nothing where all is right.

    ``events`` are all rows from behind the version and hash ``after``, in any order; ``head`` is the stream's own row,
    ``known`` are hashes by version that come from elsewhere (a signed checkpoint): only these show a history that was
    rewritten from some version to its end.
    """
    rows = sorted(events, key=lambda event: (event.version, event.position))
    found: list[Mismatch] = []
    version, previous = after
    chain = _chain(rows, previous)
    found += _twice(rows, chain)
    for place, event in enumerate(chain):
        if event.version > version + 1:
            detail = f"versions {version + 1} to {event.version - 1} are missing"
            found.append(Mismatch(event.stream_id, version + 1, GAP, "version", detail))
        else:
            follower = chain[place + 1] if place + 1 < len(chain) else None
            found += _changed(event, previous, follower)
        found += _misplaced(event, chain[place - 1] if place else None)
        version, previous = event.version, event.hash
    found += _against(chain, known or {}, after)
    if head is not None:
        found += _beside(head, version, previous)
    return sorted(found, key=lambda one: one.version)


def _chain(rows: Sequence[StoredEvent], previous: bytes) -> list[StoredEvent]:
    """Choose one row of each version: the one that follows its predecessor, else the first."""
    chain = []
    for _, same in groupby(rows, key=lambda event: event.version):
        claims = list(same)
        chosen = next((one for one in claims if _hash(one, previous) == one.hash), claims[0])
        chain.append(chosen)
        previous = chosen.hash
    return chain


def _twice(rows: Sequence[StoredEvent], chain: Sequence[StoredEvent]) -> list[Mismatch]:
    chosen = {event.version: event for event in chain}
    found = []
    for event in rows:
        first = chosen[event.version]
        if event is first:
            continue
        same = _content(event) == _content(first) and event.hash == first.hash
        detail = "the row stands twice" if same else "two different events have this version"
        found.append(Mismatch(event.stream_id, event.version, DUPLICATE if same else FORK, "version", detail))
    return found


def _changed(event: StoredEvent, previous: bytes, follower: StoredEvent | None) -> list[Mismatch]:
    """Check an event's hash; its follower tells whether the hash or what it is taken over was changed."""
    computed = _hash(event, previous)
    if computed == event.hash:
        return []
    if follower is not None and _hash(follower, computed) == follower.hash:
        detail = "the hash was changed: the event and its follower agree on another one"
        return [Mismatch(event.stream_id, event.version, EDIT, "hash", detail)]
    detail = "type, data or metadata do not give the hash that is stored, or the event before was replaced"
    return [Mismatch(event.stream_id, event.version, EDIT, "data", detail)]


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
            detail = f"the stream ends at version {last.version}, version {version} was known"
            found.append(Mismatch(last.stream_id, last.version + 1, GAP, "version", detail))
        elif version > after[0] and version in stored and stored[version] != hash_:
            detail = "the hash is another one than was known of this version"
            found.append(Mismatch(last.stream_id, version, FORK, "hash", detail))
    return found


def _beside(head: StreamHead, version: int, last: bytes) -> list[Mismatch]:
    """Compare the end of the events with what the stream's own row says."""
    if version < head.version:
        detail = f"versions {version + 1} to {head.version} are missing at the end"
        return [Mismatch(head.stream_id, version + 1, GAP, "version", detail)]
    if version > head.version:
        detail = f"the stream is said to end at version {head.version}"
        return [Mismatch(head.stream_id, head.version + 1, FORK, "version", detail)]
    if last != head.head_hash:
        detail = "the stream is said to end with another hash"
        return [Mismatch(head.stream_id, version, FORK, "hash", detail)]
    return []


def _content(event: StoredEvent) -> tuple[str, str, str]:
    return event.type, event.data, event.metadata


def _hash(event: StoredEvent, previous: bytes) -> bytes:
    return canonical.event_hash(previous, event.stream_id, event.version, *_content(event))
