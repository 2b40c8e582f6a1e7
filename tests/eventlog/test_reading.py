"""Reading: pages, lists by summary, requests, checkpoints, and moments that hold still."""

import json

import pytest

from services.database import retry
from services.eventlog import checkpoints, log
from tests.support import log_events
from tests.support.log_events import Connection, event, one


async def test_pages_of_a_stream_join_up(conn: Connection) -> None:
    """Reading in pages gives every event once, in order."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0, *(event(number) for number in range(25)))])
    got, after = [], 0
    while page := await log.read(conn, stream, after, 10):
        got += [each.version for each in page]
        after = got[-1]
    assert got == list(range(1, 26))
    for wrong in (0, -1, 10_001):
        with pytest.raises(ValueError, match="rows; ask for 1 to"):
            await log.read(conn, stream, 0, wrong)


async def test_rebuilding_reads_from_the_restated_table_on(conn: Connection) -> None:
    """A rebuild reads head and events from the last event that restates the table, none before; no stream, no table."""
    stream = log_events.stream()
    for version in range(0, 30, 10):
        await log.append(conn, [one(stream, version, *(event(number) for number in range(10)), rebuild=3)])
    head, events = await log.read_for_rebuild(conn, stream)
    assert (head.version, head.rebuild_version) == (30, 24)
    assert [each.version for each in events] == list(range(24, 31))
    assert events == await log.read(conn, stream, 23)
    with pytest.raises(log.UnknownStreamError, match="there is no stream"):
        await log.read_for_rebuild(conn, log_events.stream())


@pytest.mark.parametrize("newest", [False, True], ids=["oldest", "newest"])
async def test_open_streams_of_some_games_are_listed_in_one_order(conn: Connection, newest: bool) -> None:
    """Pages of two games merge by age and hold each stream once; nothing of other games or values, or closed."""
    made: list[str] = []
    for number in range(24):
        stream = log_events.stream()
        kept = {"game": ("loo", "war", "bank")[number % 3], "closed": number % 8 == 7, "test": number % 2 == 0}
        await log.append(conn, [one(stream, 0, summary=json.dumps(kept))])
        if kept["game"] != "bank" and not kept["closed"] and kept["test"]:
            made.append(stream)
    read, after = (log.list_newest, log.NEWEST) if newest else (log.list_streams, log.OLDEST)
    got: list[str] = []
    while page := await read(conn, {"closed": False, "test": True}, after, 3, games=["war", "loo"]):
        got += [each.stream_id for each in page]
        after = page[-1].created_at_us, page[-1].stream_id
    assert got == (made[::-1] if newest else made)
    alone = await read(conn, {"closed": False, "test": True, "game": "loo"})
    assert {json.loads(each.summary or "")["game"] for each in alone} == {"loo"}
    assert await read(conn, {"closed": False, "game": "none"}) == []


async def test_lists_filter_by_summary_and_page_in_order_of_age(conn: Connection) -> None:
    """Pages hold the streams whose summary has the wanted keys, oldest first, each once, also while it changes."""
    streams = []
    for number in range(11):
        streams.append(log_events.stream())
        summary = f'{{"game": "{("hold_em", "loo")[number % 2]}", "stake": {number}, "open": true}}'
        await log.append(conn, [one(streams[-1], 0, summary=summary)])
    await log.append(conn, [one(log_events.stream(), 0)])
    got: list[str] = []
    after = log.OLDEST
    while page := await log.list_streams(conn, {"game": "hold_em", "open": True}, after, 2):
        got += [each.stream_id for each in page]
        after = page[-1].created_at_us, page[-1].stream_id
        await log.append(conn, [one(streams[0], None)])
    assert got == streams[::2]
    for number in (1, 3):
        await log.append(
            conn, [one(streams[number], None, summary=f'{{"game": "loo", "closed": {str(number == 1).lower()}}}')]
        )
    still_open = await log.list_streams(conn, {"game": "loo", "closed": False})
    assert [each.stream_id for each in still_open] == [streams[3]]
    assert [each.stream_id for each in await log.list_streams(conn)] == streams
    assert await log.list_streams(conn, {"game": "none"}) == []


async def test_marked_streams_are_paged_by_id(conn: Connection) -> None:
    """Streams that carry a mark are found by it alone."""
    streams = sorted(log_events.stream() for _ in range(7))
    await log.append(conn, [one(each, 0, mark="unsettled") for each in streams])
    await log.append(conn, [one(log_events.stream(), 0, mark="other"), one(log_events.stream(), 0)])
    first = await log.streams_marked(conn, "unsettled", 4)
    rest = await log.streams_marked(conn, "unsettled", 4, first[-1].stream_id)
    assert [each.stream_id for each in first + rest] == streams


async def test_marked_streams_are_read_briefly(conn: Connection) -> None:
    """Of each stream with a mark its version and two values of its summary are read, by id; what it lacks is None."""
    streams = sorted(log_events.stream() for _ in range(3))
    for each, summary in zip(streams, ('{"game": "loo", "idle_ms": 7}', '{"game": "gin"}', None), strict=True):
        await log.append(conn, [one(each, 0, mark="idle", summary=summary)])
    await log.append(conn, [one(log_events.stream(), 0, mark="other")])
    found = [(streams[0], 1, "loo", "7"), (streams[1], 1, "gin", None), (streams[2], 1, None, None)]
    assert await log.marked_briefly(conn, "idle", ("game", "idle_ms")) == found
    assert await log.marked_briefly(conn, "idle", ("game", "idle_ms"), 1, streams[0]) == found[1:2]


async def test_the_last_events_of_streams_are_read_together(conn: Connection) -> None:
    """Each stream that is known has the version and the hash of its last event."""
    streams = [log_events.stream() for _ in range(2)]
    [first] = await log.append(conn, [one(streams[0], 0)])
    await log.append(conn, [one(streams[1], 0)])
    [second] = await log.append(conn, [one(streams[1], 1)])
    expected = {streams[0]: (1, first.hash), streams[1]: (2, second.hash)}
    assert await log.tips(conn, [*streams, log_events.stream()]) == expected
    assert await log.tips(conn, []) == {}


async def test_checkpoints_are_numbered_without_holes(conn: Connection) -> None:
    """A checkpoint follows the last one or is refused; stored twice it is stored once; its text is kept to the byte."""
    assert await checkpoints.last(conn) is None
    first = checkpoints.Checkpoint(1, '{"root":  "é"}', b"\0signature", "key-1")
    assert await checkpoints.store(conn, first) == checkpoints.STORED
    assert await checkpoints.store(conn, first) == checkpoints.ALREADY_STORED
    other = checkpoints.Checkpoint(1, '{"root": "other"}', b"s", "key-1")
    assert await checkpoints.store(conn, other) == checkpoints.NUMBER_CONFLICT
    resigned = checkpoints.Checkpoint(1, first.body, b"another signature", "key-1")
    assert await checkpoints.store(conn, resigned) == checkpoints.NUMBER_CONFLICT
    ahead = checkpoints.Checkpoint(3, "{}", b"s", "key-1")
    assert await checkpoints.store(conn, ahead) == checkpoints.NUMBER_CONFLICT
    assert await checkpoints.store(conn, checkpoints.Checkpoint(2, "{}", b"s", "key-1")) == checkpoints.STORED
    pages = await checkpoints.page(conn, 0, 1) + await checkpoints.page(conn, 1)
    assert [(each.number, each.body, each.signature) for each in pages] == [
        (1, first.body, first.signature),
        (2, "{}", b"s"),
    ]
    last = await checkpoints.last(conn)
    assert last is not None
    assert last.number == 2


async def test_a_moment_holds_still_while_others_append(conn: Connection, others: list[Connection]) -> None:
    """Heads and positions read inside a moment belong together."""
    streams = [log_events.stream() for _ in range(5)]
    await log.append(conn, [one(each, 0, event(1), event(2)) for each in streams])
    async with retry.moment(conn):
        positions = await log.positions(conn)
        await log.append(others[0], [*(one(each, 2) for each in streams), one(log_events.stream(), 0)])
        heads = [head for after in ("", streams) if not after for head in await log.heads(conn)]
    assert [(stream, version) for stream, version, _ in heads] == [(each, 2) for each in sorted(streams)]
    assert sum(positions.values()) == 10
    assert len(await log.heads(conn)) == 6
    await log.append(conn, [one(streams[0], 3)])


async def test_heads_are_found_again_as_a_checkpoint_had_them(conn: Connection) -> None:
    """Heads are stored where they changed since the checkpoint before; each checkpoint gives back its own."""
    streams = sorted(log_events.stream() for _ in range(7))
    had = {}
    for number in range(1, 4):
        for stream in streams[: 2 * number]:
            head = await log.read_head(conn, stream)
            await log.append(conn, [one(stream, 0 if head is None else head.version)])
        beside = await checkpoints.heads_beside(conn)
        changed = [one.head for one in beside if one.is_new]
        assert len(changed) == 2 * number
        assert await checkpoints.store(conn, checkpoints.Checkpoint(number, "{}", b"s", "k")) == checkpoints.STORED
        await checkpoints.store_heads(conn, number, changed)
        had[number] = [one.head for one in beside]
        again = await checkpoints.heads_beside(conn)
        assert [(one.stream_id, one.known_version, one.known) for one in again] == had[number]
    assert {number: await checkpoints.heads_at(conn, number) for number in had} == had
    first = streams[0]
    known = await checkpoints.known_heads(conn, first, 2)
    assert known == {version: last for number in (1, 2) for stream, version, last in had[number] if stream == first}
