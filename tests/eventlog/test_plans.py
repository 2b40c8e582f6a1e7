"""What an append and a rebuild cost does not grow with the log: index lookups, pages touched, updates in place."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from services.eventlog import append_calls, log, queries
from tests.support import log_events
from tests.support.log_events import Connection, event, one

ROWS = 100_000
FILL = f"""
SET session_replication_role = replica;
INSERT INTO streams (stream_id, shard, version, head_hash, rebuild_version)
SELECT id, shard_of(id), 100, sha256(id::text::bytea), 96 FROM (
    SELECT md5(n::text)::uuid AS id FROM generate_series(1, {ROWS // 100}) AS n
) AS made;
ALTER TABLE events DROP CONSTRAINT events_position_once;
INSERT INTO events
SELECT stream_id, v, shard, 1000 + row_number() OVER (PARTITION BY shard ORDER BY stream_id, v),
    'ActionTaken.v1', '{{"number": 1}}', '{{}}', now(), head_hash
FROM (SELECT *, generate_series(1, 100) AS v FROM streams WHERE version = 100) AS s;
ALTER TABLE events ADD CONSTRAINT events_position_once UNIQUE (shard, position);
UPDATE shards SET head = (SELECT coalesce(max(position), 0) FROM events WHERE events.shard = shards.shard);
INSERT INTO requests SELECT 'request ' || n, sha256('x'), md5(n::text)::uuid, 1, 1, ''
FROM generate_series(1, {ROWS}) AS n;
SET session_replication_role = origin;
"""


@pytest.fixture(params=["never analysed", "analysed"])
async def filled(request: pytest.FixtureRequest, conn: Connection) -> Connection:
    """Return a log of 100,000 events in 1,000 streams, without statistics for the planner and then with them."""
    await conn.execute(FILL.encode())
    if request.param == "analysed":
        await conn.execute("ANALYZE")
    return conn


async def plans_of(conn: Connection, statement: str, parameters: Sequence[object] | Mapping[str, object]) -> list[str]:
    """Run a statement and return the plans of it and of all that its functions run."""
    plans: list[str] = []
    conn.add_notice_handler(lambda notice: plans.append(notice.message_primary or ""))
    await conn.execute(b"LOAD 'auto_explain'")
    for setting in ("log_min_duration = 0", "log_nested_statements = on", "log_format = text"):
        await conn.execute(f"SET auto_explain.{setting}".encode())
    await conn.execute(b"SET client_min_messages = log")
    for _ in range(7):  # the driver prepares, the server turns to its generic plan
        plans.clear()
        async with conn.transaction(force_rollback=True), conn.cursor(binary=True) as cursor:
            await cursor.execute(statement, parameters, prepare=True)
    await conn.execute(b"SET client_min_messages = warning")
    return [each for each in plans if " plan:" in each]


def assert_indexed(plans: list[str], *indexes: str) -> None:
    """No plan reads a table of the log from end to end, and each index is used."""
    text = "\n".join(plans)
    assert not re.search(r"Seq Scan on (events|streams|requests|shards)", text), text
    for index in indexes:
        assert re.search(index, text), f"{index} is not used in\n{text}"


async def any_stream(conn: Connection) -> str:
    """Return one of the filled streams."""
    row = await (
        await conn.execute("SELECT stream_id::text FROM streams WHERE version >= 100 ORDER BY 1 LIMIT 1")
    ).fetchone()
    assert row is not None
    return str(row[0])


async def test_an_append_looks_everything_up(filled: Connection) -> None:
    """With 100,000 events and requests, one append and a batch of three use indexes throughout."""
    stream = await any_stream(filled)
    single = one(stream, 100, key="new", rebuild=0, summary="{}", mark="m")
    indexes = ("requests_pkey", "streams_pkey", "shards_pkey")
    plans = await plans_of(filled, queries.APPEND_ONE, append_calls._parameters_of_one(single))
    assert any("INSERT INTO events" in each for each in plans)
    assert_indexed(plans, *indexes)
    batch = [single, one(log_events.stream(), 0, key="k2"), one(stream, 101, key="k3")]
    plans = await plans_of(filled, queries.APPEND_BATCH, append_calls._parameters(batch))
    assert any("INSERT INTO events" in each for each in plans)
    assert_indexed(plans, *indexes)


async def test_reading_looks_everything_up(filled: Connection) -> None:
    """Rebuilding, reading a page and following use the indexes of version and position."""
    stream = await any_stream(filled)
    assert_indexed(
        await plans_of(filled, queries.READ_FOR_REBUILD, {"stream": stream}), "streams_pkey", "events_.._pkey"
    )
    page = {"stream": stream, "after": 50, "limit": 20}
    assert_indexed(await plans_of(filled, queries.READ, page), "events_.._pkey")
    follower = ([0, 5], [100, 200], 10)
    follow = queries.FOLLOW.replace("unnest(%s, %s)", "unnest(%s::smallint[], %s::bigint[])")
    assert_indexed(await plans_of(filled, follow, follower), "events_.._shard_position_key")


async def test_lists_walk_over_open_streams_only(filled: Connection) -> None:
    """A list of open tables, and the streams that carry a mark, are found by an index that holds nothing else."""
    await filled.execute(
        "UPDATE streams SET summary = json_build_object('closed', rebuild_version > 0), mark = 'unsettled'"
        " WHERE stream_id::text < '8'"
    )
    await filled.execute("SET plan_cache_mode = force_generic_plan")
    lowest = "00000000-0000-0000-0000-000000000000"
    listed = await plans_of(filled, queries.LIST_OPEN, ('{"closed": false, "game": "loo"}', 0, lowest, 50))
    assert_indexed(listed, "streams_open")
    newest = await plans_of(filled, queries.LIST_OPEN_NEWEST, ('{"closed": false}', 1 << 60, "f" * 32, 50))
    assert_indexed(newest, "streams_open")
    assert_indexed(await plans_of(filled, queries.MARKED, ("unsettled", lowest, 50)), "streams_by_mark")
    tips = await plans_of(filled, queries.TIPS, ([lowest],))
    assert_indexed(tips, "streams_pkey")
    briefly = ("game", "closed", "unsettled", lowest, 50)
    assert_indexed(await plans_of(filled, queries.MARKED_BRIEFLY, briefly), "streams_by_mark")


MANY_GAMES = """
INSERT INTO streams (stream_id, shard, version, head_hash, summary, created_at)
SELECT id, shard_of(id), 1, sha256(''), json_build_object('closed', false, 'test', false, 'game', 'loo'), now()
FROM (SELECT md5('loo ' || n)::uuid AS id FROM generate_series(1, {count}) AS n) AS made
"""


@pytest.mark.parametrize("analyse", ["SELECT 1", "ANALYZE streams"], ids=["never analysed", "analysed"])
@pytest.mark.parametrize("query", [queries.LIST_OF_GAMES, queries.LIST_NEWEST_OF_GAMES], ids=["oldest", "newest"])
async def test_a_list_of_a_game_keeps_its_price_however_many_tables_of_others_are_open(
    conn: Connection, query: str, analyse: str
) -> None:
    """A list of a game that has no open table touches a few pages, beside 10,000 tables of another as beside none."""
    stream = "00000000-0000-0000-0000-000000000000" if query == queries.LIST_OF_GAMES else "f" * 32
    created_us = 0 if query == queries.LIST_OF_GAMES else 1 << 60
    wanted = json.dumps({"closed": False, "game": "war"})
    touched = []
    for count in (0, 10_000):
        await conn.execute(MANY_GAMES.format(count=count).encode())
        await conn.execute(analyse.encode())
        parameters = (["war"], wanted, created_us, stream, 51, 51)
        found: Any = await (
            await conn.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", parameters)
        ).fetchone()
        plan = found[0][0]["Plan"]
        touched.append(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
    assert touched[1] <= touched[0] + 6, touched


async def pages(conn: Connection, stream: str, expected: int) -> int:
    """Return the number of pages that one append touches."""
    parameters = append_calls._parameters_of_one(one(stream, expected, key=f"{stream} {expected}"))
    async with conn.cursor() as cursor:
        await cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {queries.APPEND_ONE}", parameters)
        row: Any = await cursor.fetchone()
    plan = row[0][0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


async def test_appends_keep_their_price(conn: Connection) -> None:
    """An append to a log of 100,000 events touches at most a few index levels more than one to an empty log."""
    stream = log_events.stream()
    await log.append(conn, [one(stream, 0)])
    empty = min([await pages(conn, stream, version) for version in range(1, 8)])
    await conn.execute(FILL.encode())
    full = min([await pages(conn, await any_stream(conn), version) for version in range(100, 107)])
    assert full <= empty + 12, f"{empty} pages in an empty log, {full} in a full one"


async def test_rebuilding_costs_the_same_behind_a_long_past(conn: Connection) -> None:
    """A table with 10 rounds behind it and one with 10,000 are rebuilt from as many rows and about as many pages."""
    touched = []
    for rounds in (10, 10_000):
        stream = log_events.stream()
        await conn.execute("SET session_replication_role = replica")
        await conn.execute(
            "INSERT INTO events"
            " SELECT %(stream)s, v, shard_of(%(stream)s), v + 20 * %(rounds)s, 'RoundStarted.v1', '{}', '{}', now(),"
            " sha256('') FROM generate_series(1, %(rounds)s) AS v",
            {"stream": stream, "rounds": rounds},
        )
        await conn.execute(
            "INSERT INTO streams VALUES (%(stream)s, shard_of(%(stream)s), %(rounds)s, sha256(''), %(rounds)s - 4)",
            {"stream": stream, "rounds": rounds},
        )
        row: Any = await (
            await conn.execute(
                f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {queries.READ_FOR_REBUILD}", {"stream": stream}
            )
        ).fetchone()
        plan = row[0][0]["Plan"]
        assert plan["Actual Rows"] == 5, json.dumps(plan)
        touched.append(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
    assert touched[1] <= touched[0] + 6, touched


async def test_ordinary_appends_stay_on_their_page(conn: Connection) -> None:
    """Nearly all updates of streams and shards are heap-only: no index grows by an append that changes no summary."""
    streams = [log_events.stream() for _ in range(10)]
    for version in range(40):
        await log.append(conn, [one(each, version, event(version)) for each in streams])
    await conn.execute("SELECT pg_stat_force_next_flush()")
    rows = await (
        await conn.execute(
            "SELECT relname, n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname IN ('streams', 'shards')"
        )
    ).fetchall()
    assert len(rows) == 2
    for table, updates, hot in rows:
        assert updates >= 40, table
        assert hot >= 0.9 * updates, f"{table}: {hot} of {updates} updates stayed on their page"
