"""Appending: outcomes, requests, the chain, and the one-append function saying what the batch function says."""

import hashlib
import json
import random

import msgspec
import psycopg
import pytest

from services.eventlog import append_calls, canonical, log, queries, verify
from services.eventlog.records import Append, Appended, NewEvent
from tests.support import log_events
from tests.support.log_events import Connection, event, one


async def append_one(conn: Connection, append: Append) -> Appended:
    """Append a single one."""
    (done,) = await log.append(conn, [append])
    return done


async def test_events_come_back_to_the_byte_and_in_a_chain(conn: Connection) -> None:
    """What is appended is read back to the byte, and each hash is that of the hash before it and six fields."""
    stream = log_events.stream()
    texts = ['{"a":  1,\t"龍": "🐉", "n": 1e3}', '{"z": null, "a": [1, 2]}', '{"text": "a\\u0000b\\\\ \\" %s"}']
    await append_one(conn, one(stream, 0, *(NewEvent("Made.v1", text, "{ }") for text in texts)))
    await append_one(conn, one(stream, 3, event(4)))
    events = await log.read(conn, stream)
    assert [each.data for each in events[:3]] == texts
    assert [each.version for each in events] == [1, 2, 3, 4]
    previous = bytes(32)
    for each in events:
        texts = [stream, str(each.version), each.type, each.data, each.metadata, str(each.recorded_at_ms)]
        fields = [text.encode() for text in texts]
        content = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
        previous = hashlib.sha256(previous + content).digest()
        assert each.hash == previous
        assert each.shard == canonical.shard_of(stream)
    head = await log.read_head(conn, stream)
    assert head is not None
    assert (head.version, head.head_hash) == (4, previous)


async def test_the_databases_hash_function_is_the_chains(conn: Connection) -> None:
    """``event_hash`` and ``shard_of`` give in SQL what the log stored, so that SQL alone can check a chain."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0, *(event(number, "é龍") for number in range(5)))])
    query = """
        SELECT bool_and(hash = event_hash(previous, stream_id, version, type, data, metadata,
            (extract(epoch FROM recorded_at) * 1000)::bigint) AND recorded_at = date_trunc('milliseconds', recorded_at)
            AND shard = shard_of(stream_id) AND data::jsonb ? 'number')
        FROM (
            SELECT *, lag(hash, 1, decode(repeat('00', 32), 'hex')) OVER (ORDER BY version) AS previous FROM events
        ) AS e
    """
    row = await (await conn.execute(query)).fetchone()
    assert row == (True,)


async def test_a_stale_version_is_refused_and_changes_nothing(conn: Connection) -> None:
    """Another version than the stream's is a conflict that says the stream's version, and appends nothing."""
    stream = log_events.stream()
    await append_one(conn, one(stream, 0, event(1), event(2)))
    for expected in (0, 1, 3, 10**12):
        done = await append_one(conn, one(stream, expected, key=f"stale {expected}"))
        assert (done.outcome, done.version, done.answer) == ("version_conflict", 2, b"")
        assert await log.find_request(conn, f"stale {expected}") is None
    assert len(await log.read(conn, stream)) == 2
    assert sum((await log.positions(conn)).values()) == 2


async def test_an_append_follows_the_event_it_names(conn: Connection) -> None:
    """With another hash than that of the last event an append is a conflict, at the right version, too."""
    stream = log_events.stream()
    first = await append_one(conn, one(stream, 0, event(1)))
    head = await log.read_head(conn, stream)
    assert head is not None
    assert first.hash == head.head_hash
    for hash_ in (bytes(32), hashlib.sha256(first.hash).digest()):
        wrong = one(stream, 1, expected_hash=hash_)
        for appends in ([wrong], [wrong, one(log_events.stream(), 0)]):
            done = (await log.append(conn, appends))[0]
            assert (done.outcome, done.version, done.hash) == ("version_conflict", 1, b"")
    second = await append_one(conn, one(stream, 1, event(2), event(3), expected_hash=first.hash))
    third, _ = await log.append(conn, [one(stream, 3, expected_hash=second.hash), one(log_events.stream(), 0)])
    assert [second.outcome, third.outcome] == ["appended"] * 2
    head = await log.read_head(conn, stream)
    assert head is not None
    assert (head.version, head.head_hash) == (4, third.hash)


async def test_a_process_of_the_release_before_appends_to_the_same_chain(conn: Connection) -> None:
    """Through the functions' former shapes events are recorded as today, alone and in a batch."""
    stream = log_events.stream()
    alone = "SELECT outcome, version FROM append_one(%s::uuid, 0, NULL, NULL, NULL, NULL, NULL, NULL, %s, %s, %s)"
    row = await (await conn.execute(alone, (stream, ["Made.v1"], ["{}"], ["{}"]))).fetchone()
    assert row == ("appended", 1)
    batch = (
        "SELECT outcome, version FROM append_batch(%s::uuid[], %s::bigint[], %s::text[], %s::bytea[], %s::bytea[],"
        " %s::int[], %s::text[], %s::text[], %s::int[], %s::text[], %s::text[], %s::text[])"
    )
    nothing = [None, None]
    events = [["Made.v1"] * 2, ["{}"] * 2, ["{}"] * 2]
    given = ([stream, stream], [1, 7], nothing, nothing, nothing, nothing, nothing, nothing, [1, 1], *events)
    assert await (await conn.execute(batch, given)).fetchall() == [("appended", 2), ("version_conflict", 2)]
    assert verify.verify(await log.read(conn, stream), await log.read_head(conn, stream)) == []


async def test_any_version_means_an_existing_stream(conn: Connection) -> None:
    """``expected`` None appends to whatever version there is, and never makes a stream."""
    stream = log_events.stream()
    missing = await append_one(conn, one(stream, None))
    assert (missing.outcome, missing.version) == ("version_conflict", 0)
    assert await log.read_head(conn, stream) is None
    await append_one(conn, one(stream, 0))
    done = await append_one(conn, one(stream, None))
    assert (done.outcome, done.first_version, done.version) == ("appended", 2, 2)


async def test_the_same_request_gets_the_first_answer(conn: Connection) -> None:
    """A repeated request appends nothing and is answered as the first time, whatever version it now expects."""
    stream = log_events.stream()
    first = await append_one(conn, one(stream, 0, event(1), event(2), key="ann:1", answer=b"first"))
    await append_one(conn, one(stream, 2))
    for expected in (0, 3, None):
        again = await append_one(conn, one(stream, expected, event(1), event(2), key="ann:1", answer=b"second"))
        assert again == Appended("already_appended", 2, b"first", 1, stream)
    assert first.outcome == "appended"
    assert len(await log.read(conn, stream)) == 3


async def test_the_same_request_that_would_make_another_stream_gets_the_first_one(conn: Connection) -> None:
    """A request that opens a table opens one, though each try makes up a new id for it."""
    first, second = log_events.stream(), log_events.stream()
    await append_one(conn, one(first, 0, key="open", answer=b"table one"))
    again = await append_one(conn, one(second, 0, key="open", answer=b"table two"))
    assert (again.outcome, again.answer, again.stream_id) == ("already_appended", b"table one", first)
    assert await log.read_head(conn, second) is None


async def test_a_request_with_other_content_is_refused(conn: Connection) -> None:
    """A used key with another digest is a conflict: nothing is appended and the first answer is not given away."""
    stream = log_events.stream()
    await append_one(conn, one(stream, 0, event(1), key="ann:1", answer=b"secret"))
    done = await append_one(conn, one(stream, 1, event(2), key="ann:1"))
    assert (done.outcome, done.answer) == ("request_conflict", b"")
    other = await append_one(conn, one(log_events.stream(), 0, event(3), key="ann:1"))
    assert (other.outcome, other.answer) == ("request_conflict", b"")
    assert len(await log.read(conn, stream)) == 1


async def test_mark_summary_and_rebuild_change_only_when_given(conn: Connection) -> None:
    """None leaves mark, summary and rebuild version as they are; a value replaces them; a refused append neither."""
    stream = log_events.stream()
    await append_one(conn, one(stream, 0, event(1), event(2), rebuild=1, mark="unsettled", summary='{"game": "x"}'))
    await append_one(conn, one(stream, 2))
    await append_one(conn, one(stream, 2, rebuild=0, mark="", summary="{}"))
    head, events = await log.read_for_rebuild(conn, stream)
    assert (head.rebuild_version, head.mark, json.loads(head.summary or "")) == (2, "unsettled", {"game": "x"})
    assert [each.version for each in events] == [2, 3]
    assert [each.stream_id for each in await log.streams_marked(conn, "unsettled")] == [stream]
    await append_one(conn, one(stream, 3, event(4), rebuild=0, mark=""))
    head, events = await log.read_for_rebuild(conn, stream)
    assert (head.rebuild_version, head.mark, len(events)) == (4, "", 1)
    assert await log.streams_marked(conn, "unsettled") == []


async def test_a_batch_with_a_refused_append_still_appends_the_others(conn: Connection) -> None:
    """In a batch every append has an outcome of its own, in the batch's order, also several of one stream."""
    first, second, missing = log_events.stream(), log_events.stream(), log_events.stream()
    await append_one(conn, one(first, 0, event(0), key="used"))
    done = await log.append(
        conn,
        [
            one(second, 0, event(1), event(2), mark="a"),
            one(first, 1, event(3)),
            one(missing, 4, event(4)),
            one(second, 2, event(5), mark="b", rebuild=0),
            one(first, 1, event(6)),
            one(first, None, event(0), key="used"),
            one(second, 3, event(7)),
        ],
    )
    assert [(each.outcome, each.version) for each in done] == [
        ("appended", 2),
        ("appended", 2),
        ("version_conflict", 0),
        ("appended", 3),
        ("version_conflict", 2),
        ("already_appended", 1),
        ("appended", 4),
    ]
    head, events = await log.read_for_rebuild(conn, second)
    assert (head.version, head.mark, head.rebuild_version, len(events)) == (4, "b", 3, 2)
    assert [json.loads(each.data)["number"] for each in await log.read(conn, second)] == [1, 2, 5, 7]


@pytest.mark.parametrize("together", [False, True], ids=["alone", "in a batch"])
async def test_a_request_that_changes_nothing_keeps_its_answer(conn: Connection, together: bool) -> None:
    """It is answered as the first time after the stream has changed; the stream, its moment and positions stay."""
    stream, other = log_events.stream(shard=5), log_events.stream(shard=6)
    await append_one(conn, one(stream, 0, event(1), event(2), mark="m", summary='{"n": 1}', rebuild=1))
    before, positions = await log.read_head(conn, stream), await log.positions(conn)
    assert before is not None
    asked = log_events.nothing(stream, 2, "k", expected_hash=before.head_hash, answer=b"first")
    beside = [log_events.nothing(stream, 2, "l", answer=b"beside"), one(other, 0, event(7))] if together else []
    done = await log.append(conn, [asked, *beside])
    assert {each.outcome for each in done} == {"appended"}
    assert (done[0].first_version, done[0].version, done[0].answer, done[0].hash) == (3, 2, b"first", before.head_hash)
    after = await log.read_head(conn, stream)
    assert after is not None
    assert msgspec.structs.replace(after, read_at_ms=0) == msgspec.structs.replace(before, read_at_ms=0)
    assert (await log.positions(conn))[5] == positions[5]
    await append_one(conn, one(stream, 2, event(3)))
    for again in (await log.append(conn, [asked]), await log.append(conn, [asked, one(other, None, event(8))])):
        assert (again[0].outcome, again[0].version, again[0].answer) == ("already_appended", 2, b"first")
    known = await log.find_request(conn, "k")
    assert known is not None
    assert (known.answer, known.first_version, known.last_version) == (b"first", 3, 2)
    assert (await append_one(conn, one(stream, 3, key="k"))).outcome == "request_conflict"
    assert verify.verify(await log.read(conn, stream), await log.read_head(conn, stream)) == []


async def test_a_request_that_changes_nothing_is_decided_on_the_newest(conn: Connection) -> None:
    """Where the stream has moved on, or went another way, or does not exist, nothing is recorded."""
    stream = log_events.stream()
    await append_one(conn, one(stream, 0, event(1), event(2)))
    for place, wrong in enumerate(
        (
            log_events.nothing(stream, 1, "k"),
            log_events.nothing(stream, 2, "k", expected_hash=bytes(32)),
            log_events.nothing(log_events.stream(), 1, "k"),
        )
    ):
        for done in (await append_one(conn, wrong), (await log.append(conn, [wrong, one(log_events.stream(), 0)]))[0]):
            assert (done.outcome, done.version) == ("version_conflict", 0 if place == 2 else 2)
    assert await log.find_request(conn, "k") is None


async def test_nothing_and_too_much(conn: Connection) -> None:
    """An empty batch is nothing; a key twice in a batch and a batch beyond the bound are refused in words."""
    assert await log.append(conn, []) == []
    with pytest.raises(ValueError, match="'k' occurs twice"):
        await log.append(conn, [one(log_events.stream(), 0, key="k"), one(log_events.stream(), 0, key="k")])
    with pytest.raises(ValueError, match="257 appends"):
        await log.append(conn, [one(log_events.stream(), 0)] * 257)


async def test_an_append_is_undone_with_its_transaction(conn: Connection) -> None:
    """An append in a transaction that rolls back leaves no event, no request, no stream and no hole."""
    stream = log_events.stream(shard=3)
    async with conn.transaction(force_rollback=True):
        done = await append_one(conn, one(stream, 0, key="k"))
        assert done.outcome == "appended"
    assert await log.read_head(conn, stream) is None
    assert await log.find_request(conn, "k") is None
    assert (await log.positions(conn))[3] == 0


@pytest.mark.parametrize("seed", range(4))
async def test_one_by_one_and_as_a_batch_say_the_same(conn: Connection, seed: int) -> None:
    """Random appends have the same outcomes and leave the same streams through both functions of the database."""
    dice = random.Random(seed)
    streams = [log_events.stream() for _ in range(4)]
    keys = [None, *(f"key {number}" for number in range(10))]
    appends = [
        one(
            dice.choice(streams),
            dice.choice([0, 0, 1, 2, 3, 4, None]),
            *(event(dice.randrange(2)) for _ in range(dice.randint(1, 3))),
            key=dice.choice(keys),
            answer=bytes([number]),
            mark=dice.choice([None, "", "m"]),
            summary=dice.choice([None, json.dumps({"n": number})]),
            rebuild=dice.choice([None, 0]),
        )
        for number in range(40)
    ]
    appends += [
        log_events.nothing(dice.choice(streams), dice.choice([1, 2, 3]), f"key {number}", answer=b"n")
        for number in range(20)
    ]
    dice.shuffle(appends)
    results = []
    for single in (True, False):
        async with conn.transaction(force_rollback=True):
            outcomes = []
            for append in appends:
                if single:
                    outcomes += await log.append(conn, [append])
                else:
                    async with conn.cursor(binary=True) as cursor:
                        await cursor.execute(queries.APPEND_BATCH, append_calls._parameters([append]))
                        outcomes += [Appended(*row) for row in await cursor.fetchall()]
            heads = [await log.read_head(conn, stream) for stream in streams]
            stored = [await log.read(conn, stream) for stream in streams]
            for events, head in zip(stored, heads, strict=True):
                assert verify.verify(events, head) == []
                assert not head or head.head_hash in [done.hash for done in outcomes]
            # Hashes hold the moment, which is another one the second time.
            told = [msgspec.structs.replace(done, hash=b"") for done in outcomes]
            kept = [(each.version, each.position, each.type, each.data) for events in stored for each in events]
            seen = [(head.version, head.rebuild_version, head.mark, head.summary) for head in heads if head]
            results.append((told, seen, kept))
    assert results[0] == results[1]
    assert {each.outcome for each in results[0][0]} >= {"appended", "version_conflict", "request_conflict"}


async def test_bad_values_are_the_databases_errors(conn: Connection) -> None:
    """A summary that is no JSON fails its statement and leaves nothing."""
    stream = log_events.stream()
    with pytest.raises(psycopg.DataError):
        await append_one(conn, one(stream, 0, summary="{nonsense"))
    assert await log.read_head(conn, stream) is None
