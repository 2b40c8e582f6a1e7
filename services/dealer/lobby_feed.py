"""The feed of one lobby: the open tables that fit a filter, and what changed in them since any earlier state.

A state has a number. A watcher that was sent one gets the difference to the newest, so that a slow watcher skips what
lies between. What watchers of the same state get is put together once.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import msgspec
from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.dealer import lobby_filter
from services.dealer.lobby_board import OpenTable
from services.dealer.lobby_filter import IsOff
from services.dealer.pace import Pace, Turn
from services.rules.personal import Show
from services.rules.refusals import Refused

MOST_SHOWN: Final = 2000
MOST_PER_MESSAGE: Final = 500
MOST_GONE: Final = 2000
"""Maximum tables that are remembered as gone; a watcher with an older state gets a complete one."""


class _Shown(msgspec.Struct):
    """A table as it is shown: since which state, and since which state as it is."""

    summary: table_pb2.TableSummary
    created_us: int
    added: int
    changed: int


class _Gone(msgspec.Struct, frozen=True):
    table_id: str
    added: int
    gone: int


class LobbyFeed:
    """One lobby. ``take`` tables, then give each watcher what it lacks (``since``)."""

    def __init__(self, wanted: Mapping[str, Any], is_off: IsOff, pace: Pace) -> None:
        self.state = 0
        self.failure: Refused | None = None
        self._wanted, self._is_off, self._pace = wanted, is_off, pace
        self._shown: dict[str, _Shown] = {}
        self._beyond: dict[str, None] = {}
        self._gone: deque[_Gone] = deque()
        self._oldest = 0
        """The oldest state from which differences are known."""
        self._turned = 0
        """The state since which more tables fit than are shown, or no longer."""
        self._turns: dict[Turn, None] = {}
        self._parts: dict[int, Sequence[bytes]] = {}

    def take(self, tables: Mapping[str, OpenTable], changed: Iterable[str], show: Show) -> None:
        """Take over how these tables are now, and start a new state where anything is shown otherwise."""
        before, state = len(self._beyond), self.state + 1
        news = [self._take(table_id, tables.get(table_id), show, state) for table_id in changed]
        while self._beyond and len(self._shown) < MOST_SHOWN:
            table_id = next(iter(self._beyond))
            del self._beyond[table_id]
            news.append(self._take(table_id, tables.get(table_id), show, state))
        if bool(before) != bool(self._beyond):
            self._turned = state
        if any(news) or not self.state or self._turned == state:
            self.state = state
            self.wake()

    def _take(self, table_id: str, table: OpenTable | None, show: Show, state: int) -> bool:
        """Take one table over; return whether that changes what is shown."""
        known = self._shown.get(table_id)
        if table is None or not lobby_filter.fits(table.summary, self._wanted):
            self._beyond.pop(table_id, None)
            if known is not None:
                del self._shown[table_id]
                self._gone.append(_Gone(table_id, known.added, state))
                if len(self._gone) > MOST_GONE:
                    self._oldest = self._gone.popleft().gone
            return known is not None
        if known is None and len(self._shown) >= MOST_SHOWN:
            self._beyond[table_id] = None
            return False
        # A table that stood beyond may change in the very state in which another one makes room for it.
        self._beyond.pop(table_id, None)
        now = lobby_filter.shown(table_id, table.version, table.summary, show, self._is_off)
        if known is None:
            self._shown[table_id] = _Shown(now, table.created_us, state, state)
            return True
        known.summary.version = now.version
        is_news = known.summary != now
        if is_news:
            known.summary, known.changed = now, state
        return is_news

    def fail(self, problem: Refused) -> None:
        """End the feed: every watcher is refused with this problem."""
        self.failure = problem
        self.wake()

    # -- what goes out ------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Let all waiting watchers continue."""
        self._parts.clear()
        turns, self._turns = self._turns, {}
        if turns:
            self._pace.queue("lobby", turns)

    async def newer(self, sent: int) -> None:
        """Wait for a turn to send something newer than a state."""
        turn: Turn = asyncio.get_running_loop().create_future()
        if self.state != sent or self.failure is not None:
            self._pace.queue("lobby", (turn,))
        else:
            self._turns[turn] = None
        try:
            await turn
        finally:
            self._turns.pop(turn, None)

    def since(self, sent: int) -> Sequence[bytes]:
        """Return the encoded messages that lead from a state (0: nothing) to the newest."""
        found = self._parts.get(sent)
        if found is None:
            made = self._whole() if sent < max(1, self._oldest) else self._difference(sent)
            parts = list(made) or [pb.WatchLobbyResponse()] * (self._turned > sent)
            for part in parts:
                part.truncated = bool(self._beyond)
            for part in parts[:-1]:
                part.continues = True
            found = self._parts[sent] = [part.SerializeToString() for part in parts]
        return found

    def _whole(self) -> Iterator[pb.WatchLobbyResponse]:
        tables = sorted(self._shown.values(), key=lambda one: (one.created_us, one.summary.table_id))
        parts = list(_parts([one.summary for one in tables], "added")) or [pb.WatchLobbyResponse()]
        parts[0].complete = True
        yield from parts

    def _difference(self, sent: int) -> Iterator[pb.WatchLobbyResponse]:
        newer = [one for one in self._shown.values() if one.changed > sent]
        yield from _parts([one.summary for one in newer if one.added > sent], "added")
        yield from _parts([one.summary for one in newer if one.added <= sent], "changed")
        gone = {one.table_id for one in self._gone if one.gone > sent >= one.added}
        yield from _parts(sorted(gone - self._shown.keys()), "gone")


def _parts(values: Sequence[Any], field: str) -> Iterator[pb.WatchLobbyResponse]:
    left = iter(values)
    while some := list(islice(left, MOST_PER_MESSAGE)):
        part = pb.WatchLobbyResponse()
        getattr(part, field).extend(some)
        yield part
