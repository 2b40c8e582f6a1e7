"""All lobbies that are watched at one dealer: one board, a feed for each filter and language, and bounds."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, Final

from pitboss.v1 import dealer_pb2 as pb

from services.dealer import lobby_filter
from services.dealer.admission import AdmissionPolicy
from services.dealer.lobby_board import AWAY_SECONDS, LobbyBoard
from services.dealer.lobby_feed import LobbyFeed
from services.dealer.pace import Pace
from services.livestate.store import LiveState
from services.privacy.names import Names
from services.rules.personal import Show
from services.rules.refusals import Reason, Refused
from services.runtime import context, logs, streams
from services.runtime.identity import Caller
from services.runtime.pools import Pool

MOST_PER_CALLER: Final = 4
"""Lobbies that one caller may watch at one dealer."""
MOST_FEEDS: Final = 200
"""Filters, each in one language, that are watched at one dealer."""
LINGER_SECONDS: Final = 5.0
"""A board stays for so long after its last watcher."""
MOST_FAILURES: Final = 3
"""Failed reads in a row before the watchers are notified."""
RETRY_SECONDS: Final = 5.0

trace = logs.get("lobby")
Key = tuple[bytes, str, bool]
"""A request, the language, and whether private tables are left out."""


class _Shared:
    """A feed with the number of its watchers."""

    def __init__(self, feed: LobbyFeed) -> None:
        self.feed = feed
        self.holders = 0


class LobbyFeeds:
    """Serves the watchers of lobbies; ``busy`` returns whether commands are running."""

    def __init__(
        self, pool: Pool, live: LiveState, admission: AdmissionPolicy, names: Names, busy: Callable[[], bool]
    ) -> None:
        self._pool, self._live, self._admission, self._names = pool, live, admission, names
        self._pace = Pace(busy)
        self._feeds: dict[Key, _Shared] = {}
        self._callers = streams.PerCaller(
            MOST_PER_CALLER,
            f"you watch {MOST_PER_CALLER} lobbies here, as many as one caller may; end one",
            {"most": MOST_PER_CALLER},
        )
        self._board: LobbyBoard | None = None
        self._serving: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._seen: tuple[int, int] = (0, 0)

    async def watch(self, request: pb.WatchLobbyRequest, caller: Caller) -> AsyncGenerator[bytes, None]:
        """Yield encoded messages: all tables that fit, then what changed. Raises Refused."""
        wanted, language = lobby_filter.for_caller(lobby_filter.wanted(request), caller), context.current().language
        key = request.SerializeToString(deterministic=True), language, "private" in wanted
        with self._callers.hold(caller):
            async with self._held(key, wanted) as feed:
                sent = 0
                while True:
                    messages, state = feed.since(sent), feed.state
                    for message in messages:
                        yield message
                    sent = state
                    await feed.newer(sent)
                    if feed.failure is not None:
                        raise Refused(feed.failure.reason, feed.failure.message)

    async def close(self) -> None:
        """End all feeds."""
        self._pace.close()
        await self._stop()

    @asynccontextmanager
    async def _held(self, key: Key, wanted: dict[str, Any]) -> AsyncIterator[LobbyFeed]:
        """Yield the feed of a filter, with its first state. Raises Refused, psycopg.Error."""
        shared: _Shared | None = None
        try:
            async with self._opening:
                shared = await self._begun(key, wanted)
                shared.holders += 1
            yield shared.feed
        finally:
            if shared is not None:
                shared.holders -= 1
                if not shared.holders and self._feeds.get(key) is shared:
                    del self._feeds[key]
            if not self._feeds:
                asyncio.get_running_loop().call_later(LINGER_SECONDS, self._stop_unused)

    async def _begun(self, key: Key, wanted: dict[str, Any]) -> _Shared:
        """Return the feed of a filter; the first watcher has it filled. Raises Refused, psycopg.Error."""
        board = await self._opened()
        shared = self._feeds.get(key)
        if shared is None:
            if len(self._feeds) >= MOST_FEEDS:
                message = f"{MOST_FEEDS} different lobbies are watched here, as many as may; try later"
                raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=RETRY_SECONDS)
            shared = _Shared(LobbyFeed(wanted, self._admission.is_off, self._pace))
            shared.feed.take(board.tables, board.tables, await self._show(key[1], board, board.tables))
            self._feeds[key] = shared
        return shared

    async def _opened(self) -> LobbyBoard:
        """Return the board; the first watcher has it read. Raises psycopg.Error."""
        if self._board is None:
            board = LobbyBoard(self._pool, self._live)
            try:
                await board.sweep()
            except BaseException:
                board.close()
                raise
            self._board = board
            self._serving = asyncio.create_task(self._serve(board), name="lobby")
        return self._board

    async def _serve(self, board: LobbyBoard) -> None:
        """Follow the changes until the board is closed, or cannot be read."""
        failures = 0
        while True:
            try:
                await board.look()
                await self._take(board)
            except Exception as error:  # any failure is reported to the watchers
                failures += 1
                trace.warning("a lobby cannot be read", cause=type(error).__name__, failures=failures)
                if failures == MOST_FAILURES:
                    await self._fail()
                    return
                await asyncio.sleep(AWAY_SECONDS)
            else:
                failures = 0

    async def _take(self, board: LobbyBoard) -> None:
        """Pass all changes to the feeds: tables, switches, erasures. Raises psycopg.Error."""
        seen = self._admission.switches_read, self._names.erasures
        if seen[0] != self._seen[0]:
            board.pending.update(board.tables)
        elif seen[1] != self._seen[1]:
            board.pending.update(table_id for table_id, table in board.tables.items() if table.is_sealed)
        self._seen = seen
        changed = sorted(board.pending)
        async with self._opening:
            shows = {
                language: await self._show(language, board, changed) for language in {key[1] for key in self._feeds}
            }
            for (_, language, _), shared in self._feeds.items():
                shared.feed.take(board.tables, changed, shows[language])
        board.pending.difference_update(changed)

    async def _show(self, language: str, board: LobbyBoard, changed: Collection[str]) -> Show:
        """Return what opens the titles of tables, the same for all feeds of a language. Raises psycopg.Error."""
        titles = [board.tables[one].summary.title for one in changed if one in board.tables]
        return await self._names.shower(titles, language)

    async def _fail(self) -> None:
        problem = Refused(Reason.UNAVAILABLE, "the tables cannot be read now; watch the lobby again")
        async with self._opening:
            for shared in self._feeds.values():
                shared.feed.fail(problem)
            self._feeds.clear()
            self._drop_board()

    def _drop_board(self) -> None:
        if self._board is not None:
            self._board.close()
            self._board = None

    def _stop_unused(self) -> None:
        if not self._feeds and not self._opening.locked():
            self._drop_board()
            if self._serving is not None:
                self._serving.cancel()

    async def _stop(self) -> None:
        self._drop_board()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
