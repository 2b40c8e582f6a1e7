"""Feeds: every append reaches all watchers, and is read and rendered once for all of them."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.contract import wire_tables
from services.dealer import feed
from services.dealer import views as views_of_feeds
from services.eventlog import log
from services.journal import log_rows
from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role
from tests.dealer.conftest import MOST_WATCHERS, Dealer, Open
from tests.dealer.test_commands import multiple, run
from tests.dealer.test_tables import running
from tests.dealer.watchers import enter, looking, player, reads, views
from tests.support import served, waits
from tests.support.served import Connection
from tests.support.sittings import Sitting

STRANGER = player("stranger")
STAFF = Caller(subject="boss", role=Role.OPERATOR)


async def shown(dealer: Dealer, sitting: Sitting, viewer: int | None) -> object:
    """Return the view of a table as GetTable shows it."""
    return wire_tables.view(await dealer.table(sitting.table_id), viewer)


async def test_what_one_dealer_appends_the_feeds_of_both_show(open_dealer: Open, conn: Connection) -> None:
    """Seats and strangers at both dealers get every event once, in order, and the view that GetTable shows."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    begun = len(sitting.log)
    callers = (player("p0"), player("p1"), STRANGER, STAFF)
    async with looking(one, sitting.table_id, *callers) as here, looking(other, sitting.table_id, *callers) as there:
        for seat in range(3):
            await run(one, multiple(sitting), seat)
        for looker, watching in [*zip(here, callers, strict=True), *zip(there, callers, strict=True)]:
            await looker.sees(begun + 3)
            assert looker.versions[:3] == [begun + 1, begun + 2, begun + 3]
            viewer = int(watching.subject[1]) if watching.subject.startswith("p") else None
            assert looker.view == await shown(one, sitting, viewer)


async def test_events_reach_watchers_while_redis_is_away(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any notification the other dealer's watchers are up to date after the next poll of the log."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    async with looking(other, sitting.table_id, STRANGER) as [looker]:
        monkeypatch.setattr(one.tables, "save", one.tables.keep)  # nothing is saved, so nobody is notified
        before = reads("poll")
        answer, _ = await run(one, multiple(sitting))
        await looker.sees(answer.version)
        assert reads("poll") > before


@pytest.mark.parametrize("watchers", [1, 40])
async def test_the_log_is_read_as_often_for_many_watchers_as_for_one(
    open_dealer: Open, conn: Connection, watchers: int
) -> None:
    """A feed costs one opening and one read for each version of another process, for any number of watchers."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    before, polls, rendered = reads(), reads("poll"), views()
    async with looking(other, sitting.table_id, *(player(f"w{at}") for at in range(watchers))) as lookers:
        for seat in range(3):
            answer, _ = await run(one, multiple(sitting), seat)
            for looker in lookers:
                await looker.sees(answer.version)
    polled = reads("poll") - polls
    assert reads() - before - polled <= 1 + 3
    assert views() - rendered <= 1 + 3 + 1


async def test_a_dealers_own_events_need_no_reading(open_dealer: Open, conn: Connection) -> None:
    """This dealer's appends reach its watchers from memory: the log is opened once and then only polled."""
    sitting = await running(conn)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
        before = reads() - reads("poll")
        for seat in range(3):
            answer, _ = await run(dealer, multiple(sitting), seat)
            await looker.sees(answer.version)
        await dealer.tables.settle_down()
        assert reads() - reads("poll") == before


async def test_feeds_that_nothing_happens_at_read_nothing(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All watched tables are polled by one question; only the one that another dealer changed unheard is read."""
    monkeypatch.setattr("services.dealer.feeds.POLL_SECONDS", 0.05)
    polls: list[int] = []
    tips = log.tips

    async def counted(on: Connection, streams: Sequence[str]) -> dict[str, tuple[int, bytes]]:
        polls.append(len(streams))
        return await tips(on, streams)

    monkeypatch.setattr(log, "tips", counted)
    tables = [await running(conn) for _ in range(3)]
    one, other = open_dealer(), open_dealer()
    monkeypatch.setattr(one.tables, "save", one.tables.keep)  # nothing is saved, so nobody is notified
    async with AsyncExitStack() as stack:
        for sitting in tables:
            [looker] = await stack.enter_async_context(looking(other, sitting.table_id, STRANGER))
        await waits.eventually(lambda: polls[-3:] == [3, 3, 3], "three polls of all tables")
        before = reads()
        polls.clear()
        await waits.eventually(lambda: len(polls) > 3, "more polls")
        assert reads() == before
        answer, _ = await run(one, multiple(tables[-1]))
        await looker.sees(answer.version)
        assert reads() == before + 1


async def test_a_log_that_lost_its_end_and_grew_again_is_noticed_by_its_hash(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last event has the same version as the feed's and another hash: the feed is read anew."""
    monkeypatch.setattr("services.dealer.feeds.POLL_SECONDS", 0.05)
    sitting = await running(conn)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER):
        [shared] = dealer.feeds.open()
        version, digest = shared._tip
        assert version == shared.version
        shared.poll((version, digest))
        assert not shared.behind.is_set()
        for other in (None, (version, b"other"), (version + 1, digest)):
            shared.behind.clear()
            shared.poll(other)
            assert shared.behind.is_set()


async def test_watchers_get_messages_while_the_tables_lock_is_held(open_dealer: Open, conn: Connection) -> None:
    """A slow command at this dealer delays no watcher of what another dealer appends."""
    sitting = await running(conn)
    held, other = open_dealer(), open_dealer()
    async with (
        held.tables.checkout(sitting.table_id),
        looking(held, sitting.table_id, STRANGER, player("p0")) as lookers,
    ):
        answer, _ = await run(other, multiple(sitting))
        for looker in lookers:
            await looker.sees(answer.version)


async def test_a_watch_resumes_from_any_version(open_dealer: Open, conn: Connection) -> None:
    """The first message holds all events after the version that the client has seen, each once."""
    sitting = await running(conn)
    sitting.finish(Random(3), lapses=0.0)
    sitting.settle()
    sitting.start()
    await served.publish(conn, sitting)
    dealer, head = open_dealer(), len(sitting.log)
    for after in range(1, head + 2):
        async with looking(dealer, sitting.table_id, STRANGER, after=after) as [looker]:
            assert looker.versions == list(range(after + 1, head + 1))
            assert not looker.messages[0].truncated
            assert looker.version == head


async def test_who_was_away_too_long_gets_the_newest_events_and_is_told(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more events than one message carries the newest are sent, and ``truncated`` with them."""
    sitting = await running(conn)
    monkeypatch.setattr(feed, "MOST_EVENTS", 3)
    monkeypatch.setattr(views_of_feeds, "MOST_EVENTS", 3)
    async with looking(open_dealer(), sitting.table_id, STRANGER, after=1) as [looker]:
        head = len(sitting.log)
        assert looker.versions == [head - 2, head - 1, head]
        assert looker.messages[0].truncated


async def test_events_of_one_message_are_bound_by_their_size(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of large events a message holds the newest ones that fit, and is marked as truncated."""
    sitting = await running(conn)
    monkeypatch.setattr(views_of_feeds, "MOST_BYTES", 1)
    async with looking(open_dealer(), sitting.table_id, STRANGER, after=1) as [looker]:
        assert (looker.versions, looker.messages[0].truncated, looker.version) == ([], True, len(sitting.log))


async def test_a_watcher_that_was_busy_gets_all_it_missed_in_one_message(open_dealer: Open, conn: Connection) -> None:
    """Nothing queues up for a slow reader: its next message has the newest view and every event since the last."""
    sitting = await running(conn)
    dealer, begun = open_dealer(), len(sitting.log)
    enter(STRANGER)
    stream = dealer.feeds.watch(sitting.table_id, 0, STRANGER)
    async with looking(dealer, sitting.table_id, player("p0")) as [quick]:
        await anext(stream)
        for seat in range(3):
            await run(dealer, multiple(sitting), seat)
        await quick.sees(begun + 3)
        message = pb.WatchTableResponse.FromString(await anext(stream))
        assert [event.version for event in message.events] == list(range(begun + 1, message.view.version + 1))
        assert message.view.version >= begun + 3
    await stream.aclose()


async def test_a_version_that_was_seen_elsewhere_is_looked_for_at_once(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that names a version unknown to this dealer is shown that version, never an older one."""
    sitting = await running(conn)
    one, other = open_dealer(), open_dealer()
    monkeypatch.setattr(one.tables, "save", one.tables.keep)
    async with looking(other, sitting.table_id, STRANGER):
        for seat in range(3):
            answer, _ = await run(one, multiple(sitting), seat)
            before = reads("level")
            watchers = [player(f"w{at}") for at in range(20)]
            async with looking(other, sitting.table_id, *watchers, after=answer.version) as lookers:
                assert all(looker.messages[0].view.version >= answer.version for looker in lookers)
            assert reads("level") - before <= 2


async def test_made_up_versions_cost_no_more_than_a_look_each_tenth_of_a_second(
    open_dealer: Open, conn: Connection
) -> None:
    """A client that names a version that does not exist is shown the table; many such clients share the log reads."""
    sitting = await running(conn)
    dealer, before = open_dealer(), reads("level")
    async with looking(dealer, sitting.table_id, *(player(f"w{at}") for at in range(50)), after=1 << 52) as lookers:
        assert {looker.version for looker in lookers} == {len(sitting.log)}
    assert reads("level") - before <= 3


async def test_a_feed_of_another_log_is_built_anew(open_dealer: Open, conn: Connection) -> None:
    """If the log lost events that the feed shows (a standby was promoted), watchers are shown the log's state."""
    sitting = await running(conn)
    dealer = open_dealer()
    async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
        forged = Sitting("tongbi_san_gong", table_id=sitting.table_id)
        forged.log, forged.table = list(sitting.log), sitting.table
        made = forged.step(Random(1), lapses=0.0)
        batch = log_rows.append(forged.table.core, made, served.METADATA, follows=bytes(32))
        dealer.feeds.hear(sitting.table_id, len(sitting.log) + 1, batch.events)
        await looker.sees(len(sitting.log) + len(made))
        await looker.until(lambda one: one.version == len(sitting.log))


async def test_an_unknown_table_is_refused(open_dealer: Open, conn: Connection) -> None:
    """A table that the log does not have cannot be watched, and leaves no feed behind."""
    del conn
    dealer = open_dealer()
    async with looking(dealer, served.table_id(), STRANGER) as [looker]:
        assert isinstance(looker.ended, Refused)
        assert looker.ended.reason is Reason.TABLE_NOT_FOUND


async def test_strangers_at_one_table_are_bounded_and_seats_are_not(open_dealer: Open, conn: Connection) -> None:
    """Beyond the bound a stranger is refused with the pause to wait; a player with a seat there always watches."""
    sitting = await running(conn)
    dealer = open_dealer()
    crowd = [player(f"w{at}") for at in range(MOST_WATCHERS)]
    async with looking(dealer, sitting.table_id, *crowd):
        async with looking(dealer, sitting.table_id, STRANGER, STAFF) as turned_away:
            for looker in turned_away:
                assert isinstance(looker.ended, Refused)
                assert looker.ended.reason is Reason.TOO_MANY_REQUESTS
                assert looker.ended.retry_seconds
        async with looking(dealer, sitting.table_id, player("p0"), player("p1")) as seated:
            assert [looker.ended for looker in seated] == [None, None]
    async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
        assert looker.ended is None


async def test_watchers_learn_that_the_log_cannot_be_read(
    open_dealer: Open, conn: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After some failed reads each stream ends with UNAVAILABLE, so that its client tries another dealer."""
    sitting = await running(conn)
    dealer = open_dealer()
    monkeypatch.setattr("services.dealer.feeds.POLL_SECONDS", 0.05)
    async with looking(dealer, sitting.table_id, STRANGER, player("p0")) as lookers:
        await conn.execute("ALTER TABLE events RENAME TO elsewhere")
        await conn.execute("ALTER TABLE streams RENAME TO away")
        try:
            for looker in lookers:
                await looker.until(lambda one: one.ended is not None)
                assert isinstance(looker.ended, Refused)
                assert looker.ended.reason is Reason.UNAVAILABLE
        finally:
            await conn.execute("ALTER TABLE elsewhere RENAME TO events")
            await conn.execute("ALTER TABLE away RENAME TO streams")
    async with looking(dealer, sitting.table_id, STRANGER) as [looker]:
        assert looker.version == len(sitting.log)
