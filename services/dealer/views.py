"""What a feed has rendered of its table: views once for each kind of viewer, again where somebody was erased; events.

A message in protobuf is the concatenation of its encoded fields, so that what many watchers are sent is put together
from parts that are encoded once.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.contract import wire_events, wire_tables
from services.eventlog.records import NewEvent, StoredEvent
from services.journal import log_rows
from services.privacy.names import Names
from services.rules import personal
from services.rules.personal import Show
from services.runtime import metrics
from services.table.events import Event
from services.table.full_table import FullTable

MOST_EVENTS: Final = 200
"""Events in one message; with more, a watcher receives the newest ones and ``truncated``."""
MOST_BYTES: Final = 512 << 10
"""Bytes of events in one message: with the view beside them it stays below the bound on messages."""

Row = NewEvent | StoredEvent
Part = bytes | Callable[[Show], bytes]
"""An event as a part of a message: encoded, or, where it holds a player's text, what encodes it for a message."""

_TRUNCATED: Final = pb.WatchTableResponse(truncated=True).SerializeToString()


class Views:
    """Rendered views of one version of one table, its last events, and what opens its players' texts, by language."""

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._erasures = names.erasures
        self._shows: dict[str, tuple[Show, str]] = {}
        self._views: dict[tuple[int | None, str], bytes] = {}
        self._events: deque[Part] = deque(maxlen=MOST_EVENTS)
        self._texts: deque[list[Any]] = deque(maxlen=MOST_EVENTS)
        self._tails: dict[tuple[int, str], bytes] = {}
        """So many of the last events, as parts of a message, by their number and the words they are in."""

    def note(self, version: int, row: Row, event: Event) -> None:
        """Keep an event as it may be shown to everybody; what a player wrote is opened when it is sent."""
        texts = list(personal.sealed_in(wire_events.texts_in(event)))
        if texts:
            self._texts.append(texts)
        self._events.append(partial(_shown, version, row, event) if texts else _shown(version, row, event))

    def forget(self) -> None:
        """Forget all events and views: the table is read anew."""
        self._events.clear()
        self._texts.clear()
        self.clear()

    def clear(self) -> None:
        """Forget what was rendered: the table has another version."""
        self._shows.clear()
        self._views.clear()
        self._tails.clear()

    def knows(self, language: str) -> bool:
        """Return whether the texts are open in a language and none of them has been erased since."""
        if self._erasures != self._names.erasures:
            self._erasures = self._names.erasures
            self.clear()
        return language in self._shows

    async def shower(self, texts: Any, language: str) -> tuple[Show, str]:
        """Return what shows these texts and those of the events, and the words it needs: "" where none is erased.

        Views are the same in all languages unless something is erased. Raises psycopg.Error.
        """
        sealed = set(personal.sealed_in([texts, *self._texts]))
        show = await self._names.shower(list(sealed), language)
        gone = {personal.ERASED.within(language), personal.UNREADABLE.within(language)}
        return show, language if any(show(text) in gone for text in sealed) else ""

    def take(self, language: str, shower: tuple[Show, str]) -> None:
        """Show texts so from now on, in a language."""
        self._shows[language] = shower

    def view(self, table: FullTable, seat: int | None, language: str) -> bytes:
        """Return the table as a seat may see it, an encoded TableView without the clock, in a known language."""
        show, words = self._shows[language]
        found = self._views.get((seat, words))
        if found is None:
            metrics.FEED_VIEWS.inc()
            found = self._views[seat, words] = wire_tables.view(table, seat, show).SerializeToString()
        return found

    def events(self, count: int, language: str) -> bytes:
        """Return so many of the last events, the newest as far as they fit into one message, in a known language."""
        show, words = self._shows[language]
        found = self._tails.get((count, words))
        if found is None:
            found = self._tails[count, words] = self._last(count, show)
        return found

    def _last(self, count: int, show: Show) -> bytes:
        found: list[bytes] = []
        size = 0
        for part in reversed(self._events):
            event = part if isinstance(part, bytes) else part(show)
            if len(found) == count or size + len(event) > MOST_BYTES:
                break
            size += len(event)
            found.append(event)
        return b"".join([*reversed(found), b"" if len(found) == count else _TRUNCATED])


def framed(view: bytes) -> bytes:
    """Return an encoded TableView as the part of a message that holds it."""
    return _VIEW_TAG + _varint(len(view)) + view


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > _SEVEN_BITS:
        found.append(value & _SEVEN_BITS | _MORE)
        value >>= 7
    return bytes([*found, value])


_SEVEN_BITS: Final = 0x7F
_MORE: Final = 0x80
_VIEW_TAG: Final = pb.WatchTableResponse(view=table_pb2.TableView()).SerializeToString()[:1]
"""Number and kind of the field ``view``, as they are encoded."""


def _shown(version: int, row: Row, event: Event, show: Show = personal.veiled) -> bytes:
    """Return an event as it may be shown to everybody, encoded as a part of a message."""
    shown = wire_events.event(version, log_rows.kind_of(row)[0], event, show)
    return pb.WatchTableResponse(events=[shown]).SerializeToString()
