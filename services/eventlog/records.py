"""Records written to and read from the log; validated on creation, so that the database gets only valid values."""

import re
from typing import Final

import msgspec

MOST_EVENTS: Final = 256
"""Maximum number of events in one append."""
MOST_BYTES: Final = 1 << 20
"""Maximum number of bytes of an event's data or metadata, an answer or a summary."""
MOST_KEY: Final = 512
"""Maximum number of characters of a request key."""

APPENDED: Final = "appended"
ALREADY_APPENDED: Final = "already_appended"
VERSION_CONFLICT: Final = "version_conflict"
REQUEST_CONFLICT: Final = "request_conflict"

_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").fullmatch
_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,80}\.v[1-9][0-9]{0,3}").fullmatch
_DIGEST: Final = 32


class NewEvent(msgspec.Struct, frozen=True):
    """An event to be appended.

    ``type`` is a name and the version of its shape (``ActionTaken.v1``), never the name of a class. ``data`` and
    ``metadata`` are JSON text that the log stores to the byte.
    """

    type: str
    data: str
    metadata: str = "{}"

    def __post_init__(self) -> None:
        """Raise ValueError where a field cannot be stored."""
        if not _TYPE(self.type):
            message = f"event type {self.type!r} must be a name and a version, such as ActionTaken.v1"
            raise ValueError(message)
        for name, text in (("data", self.data), ("metadata", self.metadata)):
            if not text.startswith("{") or len(text) > MOST_BYTES or "\0" in text:
                message = f"{self.type}: {name} must be a JSON object of at most {MOST_BYTES} bytes, not {text[:40]!r}"
                raise ValueError(message)


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """One append to one stream: all of its events or none.

    Without events it records the answer to a request that changes nothing.

    ``stream_id`` is a UUID in lower case. ``expected`` is the version that the stream must have (0: it must not exist;
    None: it must exist, at any version); ``expected_hash`` is the hash that its last event must have (None: any).
    ``request_key`` identifies a command permanently (None: the house's own append) and ``request_digest`` is SHA-256
    over its content; ``answer`` is returned when the request is repeated. ``rebuild`` is the index in ``events`` of the
    event from which the table can be rebuilt. ``mark`` and ``summary`` (JSON text) replace those of the stream
    where they are not None.
    """

    stream_id: str
    expected: int | None
    events: tuple[NewEvent, ...]
    expected_hash: bytes | None = None
    request_key: str | None = None
    request_digest: bytes | None = None
    answer: bytes = b""
    rebuild: int | None = None
    mark: str | None = None
    summary: str | None = None

    def __post_init__(self) -> None:
        """Raise ValueError where a field cannot be stored."""
        wrong = self._wrong()
        if wrong:
            message = f"append to stream {self.stream_id}: {wrong}"
            raise ValueError(message)

    def _wrong(self) -> str | None:
        if not _UUID(self.stream_id):
            return "the stream must be a UUID in lower case"
        if not 1 <= len(self.events) <= MOST_EVENTS and not self._only_answers():
            return f"{len(self.events)} events; an append holds 1 to {MOST_EVENTS}, or the answer to a request alone"
        if self.request_key is not None and not self._request_is_sound(self.request_key):
            return f"a request key has 1 to {MOST_KEY} characters, and beside it a digest of 32 bytes"
        sound_hash = self.expected_hash is None or len(self.expected_hash) == _DIGEST
        places = max(1, len(self.events))
        if (self.expected or 0) < 0 or not sound_hash or not 0 <= (self.rebuild or 0) < places:
            return f"version {self.expected} or its hash cannot be expected, or no event is number {self.rebuild}"
        if len(self.answer) > MOST_BYTES or len(self.summary or "") > MOST_BYTES or len(self.mark or "") > MOST_KEY:
            return f"answer, summary (at most {MOST_BYTES} bytes) or mark (at most {MOST_KEY}) is too long"
        return None

    def _only_answers(self) -> bool:
        changes = self.events or self.rebuild is not None or self.mark is not None or self.summary is not None
        return not changes and self.request_key is not None and bool(self.expected)

    def _request_is_sound(self, key: str) -> bool:
        digest = self.request_digest or b""
        return 1 <= len(key) <= MOST_KEY and "\0" not in key and len(digest) == _DIGEST


class Appended(msgspec.Struct, frozen=True):
    """The outcome of an append.

    ``appended``: its events are ``first_version`` to ``version``, and ``hash`` is that of the stream's last
    one; without events ``first_version`` is one above ``version``.
    ``already_appended``: the same request was answered before; versions, answer and stream are the original ones.
    ``version_conflict``: the stream has another version or another last event; ``version`` is its current one (0:
    there is no such stream). ``request_conflict``: the key was used for other content, in ``stream_id``.
    """

    outcome: str
    version: int
    answer: bytes
    first_version: int
    stream_id: str
    hash: bytes = b""


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as it is stored; ``recorded_at_ms`` is milliseconds since 1970, ``hash`` the chain's hash here."""

    stream_id: str
    version: int
    shard: int
    position: int
    type: str
    data: str
    metadata: str
    recorded_at_ms: int
    hash: bytes


class StreamHead(msgspec.Struct, frozen=True):
    """A stream's head: version and hash of its last event, version to rebuild from, mark, summary (JSON text).

    ``read_at_ms`` is the time of the read by the database's clock; times count from 1970.
    """

    stream_id: str
    shard: int
    version: int
    head_hash: bytes
    rebuild_version: int
    mark: str
    summary: str | None
    created_at_us: int
    changed_at_ms: int
    read_at_ms: int = 0


class Request(msgspec.Struct, frozen=True):
    """An answered command: the versions of its events, and its answer."""

    request_key: str
    digest: bytes
    stream_id: str
    first_version: int
    last_version: int
    answer: bytes
