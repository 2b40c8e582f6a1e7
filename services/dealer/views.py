"""What a feed has rendered of its table: events, and views once for each kind of viewer and again after an erasure.

A message in protobuf is the concatenation of its encoded fields, so that what many watchers are sent is put together
from parts that are encoded once.
"""

from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any, Final

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.contract import wire_events, wire_line, wire_people, wire_tables
from services.eventlog.records import NewEvent, StoredEvent
from services.journal import log_rows
from services.privacy.names import Names
from services.rules import personal
from services.rules.personal import Show
from services.runtime import metrics
from services.runtime.identity import Caller, Role
from services.table.events import Event
from services.table.full_table import FullTable
from services.table.own_cards import Own

MOST_EVENTS: Final = 200
"""Events in one message; with more, a watcher receives the newest ones and ``truncated``."""
MOST_BYTES: Final = 512 << 10
"""Bytes of events in one message: with the view beside them it stays below the bound on messages."""

Row = NewEvent | StoredEvent
Part = bytes | Callable[[Show], bytes]
"""An event as a part of a message: encoded, or, where it holds a player's text, what encodes it for a message."""


class _Noted:
    """An event as everybody sees it, and as single players see more of it; the latter is encoded when needed."""

    __slots__ = ("_encoded", "_encoder", "_own", "public")

    def __init__(self, public: Part, encoder: Callable[[Show, Own], bytes], own: dict[str, Own]) -> None:
        self.public, self._encoder, self._own = public, encoder, own
        self._encoded: dict[str, bytes] = {}

    def is_own(self, player: str) -> bool:
        """Return whether a player sees more of it than everybody."""
        return player in self._own

    def part(self, player: str, show: Show) -> bytes:
        """Return the event as a part of a message to a player, encoded."""
        if player not in self._own:
            return self.public if isinstance(self.public, bytes) else self.public(show)
        found = self._encoded.get(player)
        if found is None:
            found = self._encoder(show, self._own[player])
            if isinstance(self.public, bytes):  # else a text in it may be erased
                self._encoded[player] = found
        return found


_TRUNCATED: Final = pb.WatchTableResponse(truncated=True).SerializeToString()


class Views:
    """Rendered views of one version of one table, its last events, and what opens its players' texts, by language."""

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._erasures = names.erasures
        self._shows: dict[str, tuple[Show, str]] = {}
        self._views: dict[tuple[int | None, str], bytes] = {}
        self._events: deque[_Noted] = deque(maxlen=MOST_EVENTS)
        self._texts: deque[list[Any]] = deque(maxlen=MOST_EVENTS)
        self._tails: dict[tuple[int, str, str], bytes] = {}
        """So many of the last events, as parts of a message: by their number, the words they are in, and the player
        that sees more of one of them than everybody."""

    def note(self, version: int, row: Row, event: Event, family: str, own: dict[str, Own]) -> None:
        """Store an event as everybody sees it and as single players do; players' texts are opened when it is sent."""
        texts = list(personal.sealed_in(wire_events.texts_in(event)))
        if texts:
            self._texts.append(texts)
        encoder = partial(_shown, version, row, event, family)
        self._events.append(_Noted(encoder if texts else encoder(), encoder, own))

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

    def events(self, count: int, language: str, player: str = "") -> bytes:
        """Return so many of the last events, the newest as far as they fit into one message, in a known language.

        They are shown as everybody sees them, or as the player sees them who sees more of one of them.
        """
        show, words = self._shows[language]
        last = islice(reversed(self._events), count)
        key = count, words, player if any(event.is_own(player) for event in last) else ""
        found = self._tails.get(key)
        if found is None:
            found = self._tails[key] = self._last(count, show, player)
        return found

    def _last(self, count: int, show: Show, player: str) -> bytes:
        found: list[bytes] = []
        size = 0
        for noted in reversed(self._events):
            event = noted.part(player, show)
            if len(found) == count or size + len(event) > MOST_BYTES:
                break
            size += len(event)
            found.append(event)
        return b"".join([*reversed(found), b"" if len(found) == count else _TRUNCATED])


def moment(
    table: FullTable, caller: Caller, now_ms: int, presence: table_pb2.TableView | None = None
) -> table_pb2.TableView:
    """Return what of a view changes without a version or is one caller's alone, to be merged with what is rendered."""
    core, who, is_player = table.core, caller.subject, caller.role is Role.PLAYER
    found = table_pb2.TableView(
        clock=wire_tables.clock(core, now_ms),
        waiting_list=wire_line.own(core, who) if is_player else None,
        own_top_up=wire_people.own_top_up(core, who) if is_player else None,
        own_reserved_seat=wire_line.own_reserved(core, who) if is_player else None,
        own_return=wire_people.own_return(core, who, now_ms) if is_player else None,
    )
    if presence is not None:
        found.MergeFrom(presence)
    return found


def framed(view: bytes) -> bytes:
    """Return an encoded TableView as the part of a message that holds it."""
    return part(_VIEW_TAG, view)


def part(tag: bytes, message: bytes) -> bytes:
    """Return an encoded message as the field with this tag (number and kind) of another one."""
    return tag + _varint(len(message)) + message


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


def _shown(
    version: int, row: Row, event: Event, family: str, show: Show = personal.veiled, own: Own | None = None
) -> bytes:
    """Return an event as everybody or one player sees it, encoded as a part of a message."""
    shown = wire_events.event(version, log_rows.kind_of(row)[0], event, family, show, own)
    return pb.WatchTableResponse(events=[shown]).SerializeToString()
