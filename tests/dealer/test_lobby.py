"""Lobbies: all tables that match a filter, then every change, from any process and with or without Redis."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from pitboss.lobby import Lobby
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import lobby_feed, lobby_feeds
from services.dealer.lobby_board import OpenTable
from services.dealer.lobby_feeds import LobbyFeeds
from services.dealer.pace import Pace
from services.eventlog import log
from services.journal.summaries import TableSummary
from services.livestate.store import LiveState
from services.localhouse import embedded
from services.privacy import texts
from services.registry import switches
from services.registry.records import GAME, Command
from services.rules.refusals import Reason, Refused
from services.runtime import metrics
from services.runtime.identity import Caller, Role
from tests.dealer.conftest import Dealer, Open
from tests.dealer.watchers import WAIT_SECONDS, enter, player
from tests.privacy import destroying, opening
from tests.support import log_events, served, waits
from tests.support.served import Connection

ANN = player("ann")


async def table(conn: Connection, table_id: str = "", live: LiveState | None = None, **more: Any) -> str:
    """Write a table, or another summary of one, and notify those who watch where Redis is given; return its id."""
    new = not table_id
    table_id = table_id or log_events.stream()
    kept = {"game": "war", "family": "survival", "stake": 5, "max_seats": 3, "open_seats": True, "state": "open"}
    kept |= {"closed": False, "test": False} | more
    await log.append(conn, [log_events.one(table_id, 0 if new else None, summary=json.dumps(kept))])
    head = await log.read_head(conn, table_id)
    assert head is not None
    if live is not None:
        await live.publish(table_id, head.version)
    return table_id


class Watching:
    """One watcher of a lobby: what it was sent, and the refusal that ended its stream."""

    def __init__(self) -> None:
        self.lobby, self.messages = Lobby(), list[pb.WatchLobbyResponse]()
        self.ended: Exception | None = None
        self.may_read = asyncio.Event()
        self.may_read.set()
        self._more = asyncio.Condition()

    async def read(self, dealer: Dealer, caller: Caller, **wanted: Any) -> None:
        """Read the stream until it ends, or as far as the test lets it."""
        enter(caller)
        try:
            async with aclosing(dealer.lobbies.watch(pb.WatchLobbyRequest(**wanted), caller)) as stream:
                async for message in stream:
                    self.messages.append(pb.WatchLobbyResponse.FromString(message))
                    self.lobby.take(self.messages[-1])
                    await self._tell()
                    await self.may_read.wait()
        except Exception as error:  # kept for the test
            self.ended = error
            await self._tell()

    async def until(self, holds: Callable[[Lobby], bool]) -> None:
        """Wait until the lobby holds something."""
        async with asyncio.timeout(WAIT_SECONDS), self._more:
            await self._more.wait_for(lambda: holds(self.lobby) or self.ended is not None)
        assert self.ended is None, f"the stream ended: {self.ended}"

    async def until_ended(self) -> Refused:
        """Wait for the refusal."""
        async with asyncio.timeout(WAIT_SECONDS), self._more:
            await self._more.wait_for(lambda: self.ended is not None)
        assert isinstance(self.ended, Refused)
        return self.ended

    async def _tell(self) -> None:
        async with self._more:
            self._more.notify_all()


@asynccontextmanager
async def watching(dealer: Dealer, caller: Caller = ANN, **wanted: Any) -> AsyncIterator[Watching]:
    """Watch a lobby until the block ends; the first message has come when it begins."""
    one = Watching()
    task = asyncio.create_task(one.read(dealer, caller, **wanted))
    try:
        async with asyncio.timeout(WAIT_SECONDS), one._more:
            await one._more.wait_for(lambda: bool(one.messages) or one.ended is not None)
        yield one
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def reads(why: str) -> float:
    """Count the reads of tables for lobbies so far."""
    return float(metrics.LOBBY_READS.labels(why)._value.get())


async def test_first_all_that_fit_then_what_changed(open_dealer: Open, conn: Connection) -> None:
    """Tables come with the first message, oldest first; then those that are added, changed and gone."""
    dealer = open_dealer()
    first, second = await table(conn), await table(conn, seats_taken=2)
    await table(conn, game="loo", family="tricks")
    await table(conn, closed=True)
    await table(conn, test=True)
    async with watching(dealer, game="war") as one:
        assert one.messages[0].complete
        assert [shown.table_id for shown in one.messages[0].added] == [first, second]
        third = await table(conn, live=dealer.live)
        await one.until(lambda lobby: third in lobby.tables)
        await table(conn, first, dealer.live, seats_taken=1)
        await one.until(lambda lobby: lobby.tables[first].seats_taken == 1)
        assert [shown.table_id for shown in one.messages[-1].changed] == [first]
        await table(conn, second, dealer.live, closed=True)
        await one.until(lambda lobby: second not in lobby.tables)
        assert list(one.messages[-1].gone) == [second]
        assert not any(message.complete for message in one.messages[1:])


async def test_a_table_that_no_longer_fits_is_gone_and_comes_again(open_dealer: Open, conn: Connection) -> None:
    """A full table leaves a lobby of open seats, and returns with a seat."""
    dealer = open_dealer()
    seat = await table(conn)
    async with watching(dealer, open_seats_only=True) as one, watching(dealer) as everything:
        await table(conn, seat, dealer.live, open_seats=False, seats_taken=3)
        await one.until(lambda lobby: not lobby.tables)
        await everything.until(lambda lobby: lobby.tables[seat].seats_taken == 3)
        await table(conn, seat, dealer.live)
        await one.until(lambda lobby: seat in lobby.tables)


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        ({"game": "war"}, {"a", "b"}),
        ({"family": "tricks"}, {"c"}),
        ({"stake": 7}, {"b"}),
        ({"currency": "TWD"}, {"c"}),
        ({"template_id": "t-1"}, {"b"}),
        ({"open_seats_only": True}, {"a", "b", "c"}),
        ({"include_test": True}, {"a", "b", "c", "d"}),
        ({"game": "war", "stake": 1}, set()),
    ],
)
async def test_every_filter_shows_what_lists_show(
    open_dealer: Open, conn: Connection, wanted: dict[str, Any], fits: set[str]
) -> None:
    """Each field of the filter holds for the tables that are there, and for those that come."""
    dealer = open_dealer()
    kinds: dict[str, dict[str, Any]] = {
        "a": {},
        "b": {"stake": 7, "template_id": "t-1"},
        "c": {"game": "loo", "family": "tricks", "currency": "TWD"},
        "d": {"test": True, "open_seats": False},
    }
    before = {await table(conn, **more): name for name, more in kinds.items()}
    async with watching(dealer, **wanted) as one:
        assert {before[table_id] for table_id in one.lobby.tables} == fits
        later = before | {await table(conn, live=dealer.live, **more): name for name, more in kinds.items()}
        await one.until(lambda lobby: len(lobby.tables) == 2 * len(fits))
        assert {later[table_id] for table_id in one.lobby.tables} == fits


async def test_a_new_version_that_shows_nothing_new_is_not_sent(open_dealer: Open, conn: Connection) -> None:
    """Of actions in a round nothing is sent; the next change is."""
    dealer = open_dealer()
    busy = await table(conn)
    async with watching(dealer) as one:
        for _ in range(5):
            await table(conn, busy, dealer.live)
        await table(conn, busy, dealer.live, round_number=1)
        await one.until(lambda lobby: lobby.tables[busy].round_number == 1)
        assert len(one.messages) == 2


async def test_a_slow_watcher_is_sent_the_newest_state(open_dealer: Open, conn: Connection) -> None:
    """What opened, changed and closed while it did not read comes as one difference."""
    dealer = open_dealer()
    kept, closed = await table(conn), await table(conn)
    async with watching(dealer) as slow, watching(dealer) as quick:
        slow.may_read.clear()
        await table(conn, kept, dealer.live, seats_taken=1)
        await quick.until(lambda lobby: lobby.tables[kept].seats_taken == 1)
        passing = await table(conn, live=dealer.live)
        await quick.until(lambda lobby: passing in lobby.tables)
        for gone in (passing, closed):
            await table(conn, gone, dealer.live, closed=True)
        await table(conn, kept, dealer.live, seats_taken=2)
        await quick.until(lambda lobby: set(lobby.tables) == {kept} and lobby.tables[kept].seats_taken == 2)
        before = len(slow.messages)
        slow.may_read.set()
        await slow.until(lambda lobby: set(lobby.tables) == {kept} and lobby.tables[kept].seats_taken == 2)
        sent = slow.messages[before:]
        assert len(sent) <= 3  # one that was already under way, and one for each kind of change
        assert all(passing not in [shown.table_id for shown in (*one.added, *one.changed)] for one in sent[1:])


async def test_without_notifications_the_next_sweep_shows_it(open_dealer: Open, conn: Connection) -> None:
    """A table that nobody announced is found by its version."""
    dealer = open_dealer()
    known = await table(conn)
    async with watching(dealer) as one:
        await table(conn, known, seats_taken=2)
        silent = await table(conn)
        await one.until(lambda lobby: silent in lobby.tables and lobby.tables[known].seats_taken == 2)


async def test_watchers_of_one_filter_cost_one_read(open_dealer: Open, conn: Connection) -> None:
    """A change is read once, however many filters and watchers there are."""
    dealer = open_dealer()
    busy = await table(conn)
    async with watching(dealer) as one, watching(dealer, player("bob")), watching(dealer, player("cas"), game="war"):
        await _subscribed(dealer)
        before = reads("notified")
        await table(conn, busy, dealer.live, seats_taken=1)
        await one.until(lambda lobby: lobby.tables[busy].seats_taken == 1)
        assert reads("notified") - before <= 1
        assert len(dealer.lobbies._feeds) == 2


async def _subscribed(dealer: Dealer) -> None:
    board = dealer.lobbies._board
    assert board is not None
    await waits.eventually(lambda: board._watch.is_live, "notifications arrive")


async def test_a_game_that_is_switched_off_is_marked(open_dealer: Open, conn: Connection) -> None:
    """All its tables change; the others do not."""
    dealer = open_dealer()
    off, on = await table(conn), await table(conn, game="loo", family="tricks")
    async with watching(dealer) as one:
        command = Command(key=served.request_id(), digest=bytes(32))
        await switches.record(conn, command, scope=GAME, subject="war", off=True, reason="a test", actor="boss")
        await dealer.admission.refresh()
        await one.until(lambda lobby: lobby.tables[off].switched_off)
        assert not one.lobby.tables[on].switched_off


async def test_more_tables_than_are_shown_are_said_to_be(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest are shown; when one goes, the next takes its place, and the last of them ends the notice."""
    monkeypatch.setattr(lobby_feed, "MOST_SHOWN", 2)
    monkeypatch.setattr(lobby_feed, "MOST_PER_MESSAGE", 1)
    dealer = open_dealer()
    tables = [await table(conn) for _ in range(3)]
    async with watching(dealer) as one:
        await one.until(lambda lobby: len(lobby.tables) == 2)
        assert (set(one.lobby.tables), one.lobby.truncated) == (set(tables[:2]), True)
        assert [(part.complete, part.continues) for part in one.messages] == [(True, True), (False, False)]
        await table(conn, tables[0], dealer.live, closed=True)
        await one.until(lambda lobby: set(lobby.tables) == set(tables[1:]) and not lobby.truncated)


def test_a_table_beyond_that_changes_as_another_one_goes_is_shown_and_no_longer_beyond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both come in one look at the log: the table takes the free place, and the notice of more tables ends."""
    monkeypatch.setattr(lobby_feed, "MOST_SHOWN", 1)
    feed = lobby_feed.LobbyFeed({}, lambda **_: False, Pace(lambda: False))
    one = TableSummary(game="war", family="survival", stake=5, max_seats=3, open_seats=True, state="open")
    tables = {name: OpenTable(1, at, one) for at, name in enumerate(("first", "second"))}
    feed.take(tables, list(tables), str)
    assert [pb.WatchLobbyResponse.FromString(part).truncated for part in feed.since(0)] == [True]
    feed.take({"second": tables["second"]}, ["first", "second"], str)
    lobby = Lobby()
    for part in feed.since(0):
        lobby.take(pb.WatchLobbyResponse.FromString(part))
    assert (list(lobby.tables), lobby.truncated) == (["second"], False)


async def test_a_watcher_older_than_what_is_remembered_gets_everything_anew(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that went are remembered for a bounded number of them; beyond it a complete state is sent."""
    monkeypatch.setattr(lobby_feed, "MOST_GONE", 1)
    dealer = open_dealer()
    kept, *going = [await table(conn) for _ in range(4)]
    async with watching(dealer) as slow, watching(dealer, player("bob")) as quick:
        slow.may_read.clear()
        await table(conn, kept, dealer.live, seats_taken=1)
        for gone in going:
            await table(conn, gone, dealer.live, closed=True)
            await quick.until(lambda lobby, gone=gone: gone not in lobby.tables)  # type: ignore[misc]  # bound early
        slow.may_read.set()
        await slow.until(lambda lobby: set(lobby.tables) == {kept})
        assert slow.messages[-1].complete


async def test_lobbies_of_one_caller_and_filters_are_bounded(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One caller watches a few at most; of different filters there are so many in one process."""
    monkeypatch.setattr(lobby_feeds, "MOST_PER_CALLER", 1)
    monkeypatch.setattr(lobby_feeds, "MOST_FEEDS", 2)
    dealer = open_dealer()
    await table(conn, stake=1)
    async with watching(dealer), watching(dealer, ANN) as second, watching(dealer, player("bob"), stake=1):
        assert (await second.until_ended()).reason is Reason.TOO_MANY_REQUESTS
        async with watching(dealer, player("cas"), stake=2) as third:
            assert (await third.until_ended()).reason is Reason.TOO_MANY_REQUESTS
        async with watching(dealer, player("cas"), stake=1) as shared:
            assert shared.ended is None
        monkeypatch.setattr(lobby_feeds, "MOST_FEEDS", 3)  # services are shown private tables: another feed
        services = Caller(subject="web", role=Role.SERVICE)
        async with watching(dealer, services) as one, watching(dealer, services) as two:
            assert (one.ended, two.ended) == (None, None)
    assert not dealer.lobbies._callers


async def test_a_log_that_cannot_be_read_ends_the_watch(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some failures the watches end with an error; new watches are served when the log is back."""
    dealer = open_dealer()
    known = await table(conn)
    async with watching(dealer) as one:
        board = dealer.lobbies._board
        assert board is not None

        async def broken() -> None:
            raise ConnectionError

        monkeypatch.setattr(board, "sweep", broken)
        monkeypatch.setattr(lobby_feeds, "AWAY_SECONDS", 0.0)
        board._watch.lose()
        assert (await one.until_ended()).reason is Reason.UNAVAILABLE
    async with watching(dealer) as again:
        assert set(again.lobby.tables) == {known}


async def test_unknown_filters_are_refused(open_dealer: Open) -> None:
    """An unknown game or family, and texts that are too long, are refused with the field's name."""
    dealer = open_dealer()
    odd: list[dict[str, Any]] = [{"game": "old_maid"}, {"family": "x"}, {"currency": "x" * 65}, {"template_id": "\0"}]
    for wanted in odd:
        async with watching(dealer, **wanted) as one:
            assert (await one.until_ended()).reason in {Reason.INVALID_ARGUMENT, Reason.UNKNOWN_GAME}


async def test_a_lobby_outlives_a_redis(open_dealer: Open, conn: Connection, own_redis: embedded.EmbeddedRedis) -> None:
    """While Redis is away changes come by comparison, afterwards by notification again; none is lost."""
    dealer, live = open_dealer(), LiveState(own_redis.url, call_seconds=2.0)
    dealer.lobbies = LobbyFeeds(dealer.pool, live, dealer.admission, dealer.names, dealer.commands.busy)
    known = await table(conn)
    async with watching(dealer) as one:
        await _subscribed(dealer)
        own_redis.stop()
        await table(conn, known, seats_taken=1)
        silent = await table(conn)
        await one.until(lambda lobby: silent in lobby.tables and lobby.tables[known].seats_taken == 1)
        own_redis.start()
        await _subscribed(dealer)
        before = reads("notified")
        await table(conn, known, live, seats_taken=2)
        await one.until(lambda lobby: lobby.tables[known].seats_taken == 2)
        assert reads("notified") > before
    await live.close()


async def test_a_title_goes_with_its_player(open_dealer: Open, conn: Connection) -> None:
    """A player's title is shown opened; once the player is erased, the lobby shows it no more."""
    dealer = open_dealer()
    sealed = await opening.KEYS.seal(conn, "ann", texts.TITLE, "Ann's table")
    named, plain = await table(conn, title=sealed, opened_by="ann"), await table(conn, title="Of the house")
    async with watching(dealer, player("bob")) as one:
        assert {shown.title for shown in one.lobby.tables.values()} == {"Ann's table", "Of the house"}
        await destroying.destroy(conn, "ann")
        await dealer.names.refresh()
        await one.until(lambda lobby: "Ann" not in lobby.tables[named].title)
        assert one.lobby.tables[plain].title == "Of the house"


async def test_a_lobby_shows_nobody_who_sits(open_dealer: Open, conn: Connection) -> None:
    """Summaries name players for lists of one's own tables; the messages hold none of it."""
    dealer = open_dealer()
    seated = [{"player": "secret-ann", "seat": 0, "person": "secret-ann"}]
    await table(conn, seated=seated, opened_by="secret-bob", seats_taken=1)
    async with watching(dealer) as one:
        assert b"secret" not in one.messages[0].SerializeToString()
