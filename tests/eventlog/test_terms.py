"""Terms of streams: they follow the summaries, and lists of a person's tables are lookups."""

import json
import random
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from services.eventlog import log, migrate, queries
from services.eventlog.records import StreamHead
from tests.eventlog.test_migrate import empty_url
from tests.support import log_events
from tests.support.log_events import Connection, one

__all__ = ["empty_url"]

PEOPLE = ("ann", "bob", "cid: dan", "龍")


def summary(dice: random.Random) -> dict[str, Any]:
    """Return a summary with people in random places, in odd shapes at times."""
    made: dict[str, Any] = {
        "closed": dice.random() < 0.2,
        "game": dice.choice(["loo", "war"]),
        "stake": dice.randrange(4),
    }
    for field in ("seated", "members", "line"):
        if dice.random() < 0.8:
            made[field] = [{"player": who, "seat": n} for n, who in enumerate(PEOPLE) if dice.random() < 0.5]
    if dice.random() < 0.1:
        made["seated"] = dice.choice([[], None, "ann", [{"seat": 1}], [{"player": ""}]])
    return made


def terms_of(made: dict[str, Any]) -> set[str]:
    """Return the terms of a summary."""
    found = set()
    for field, word in (("seated", "seated"), ("members", "member")):
        people = made.get(field)
        found |= (
            {f"{word}:{one['player']}" for one in people if one.get("player")} if isinstance(people, list) else set()
        )
    return found


async def written(conn: Connection, dice: random.Random, streams: list[str]) -> dict[str, dict[str, Any]]:
    """Append to streams at random, alone and in batches, with and without summaries; return their last summaries."""
    held: dict[str, dict[str, Any]] = {}
    versions = dict.fromkeys(streams, 0)
    for _ in range(60):
        batch = []
        for stream in dice.choices(streams, k=dice.choice([1, 1, 4])):
            made = summary(dice) if versions[stream] == 0 or dice.random() < 0.6 else None
            batch.append(one(stream, versions[stream], summary=None if made is None else json.dumps(made)))
            versions[stream] += 1
            held[stream] = held[stream] if made is None else made
        assert {done.outcome for done in await log.append(conn, batch)} == {"appended"}
    return held


@pytest.mark.parametrize("seed", range(3))
async def test_terms_follow_the_summaries(conn: Connection, seed: int) -> None:
    """Whatever is appended, each stream has the terms of its summary; a refused append changes none."""
    dice = random.Random(seed)
    streams = [log_events.stream() for _ in range(6)]
    held = await written(conn, dice, streams)
    stale = one(next(iter(held)), 0, summary=json.dumps({"seated": [{"player": "eve"}]}))
    assert (await log.append(conn, [stale]))[0].outcome == "version_conflict"
    found = await (await conn.execute("SELECT stream_id::text, term FROM stream_terms")).fetchall()
    assert sorted(found) == sorted((stream, term) for stream, made in held.items() for term in terms_of(made))


@pytest.mark.parametrize("seed", range(3))
async def test_lists_of_a_person_are_those_of_all_that_hold_it(conn: Connection, seed: int) -> None:
    """In every order and page by page, a person's tables are the ones that a search through all tables finds."""
    dice = random.Random(f"lists {seed}")
    await written(conn, dice, [log_events.stream() for _ in range(12)])
    for who in PEOPLE:
        for field in ("seated", "members"):
            for more in ({}, {"closed": False}, {"closed": False, "game": "loo"}):
                wanted: dict[str, Any] = {field: [{"player": who}], **more}
                statement = "SELECT stream_id::text FROM streams WHERE summary @> %s"
                all_ids = {row[0] for row in await (await conn.execute(statement, (Jsonb(wanted),))).fetchall()}
                oldest = await paged(conn, wanted)
                assert {head.stream_id for head in oldest} == all_ids
                ages = [(head.created_at_us, head.stream_id) for head in oldest]
                assert ages == sorted(ages)
                newest = await log.list_newest(conn, wanted)
                assert [head.stream_id for head in newest] == [head.stream_id for head in reversed(oldest)]
                for sign in (1, -1):
                    ordered = await log.list_by(conn, wanted, "stake", sign, (-(2**62), *log.OLDEST))
                    assert {head.stream_id for head in ordered} == all_ids
                    stakes = [sign * json.loads(head.summary or "")["stake"] for head in ordered]
                    assert stakes == sorted(stakes)


async def test_people_by_another_word_are_searched_for(conn: Connection) -> None:
    """A summary names people by their folded names too; those have no term, and are found all the same."""
    stream = log_events.stream()
    made = {"closed": False, "seated": [{"player": "Ann", "person": "ann"}]}
    await log.append(conn, [one(stream, 0, summary=json.dumps(made))])
    for who in ({"person": "ann"}, {"player": "Ann"}, {"person": "ann", "player": "Ann"}):
        found = await log.list_streams(conn, {"seated": [who], "closed": False})
        assert [head.stream_id for head in found] == [stream]
        assert [head.stream_id for head in await log.list_newest(conn, {"seated": [who]})] == [stream]


async def paged(conn: Connection, wanted: dict[str, Any]) -> list[StreamHead]:
    """Read a list in pages of two."""
    found: list[StreamHead] = []
    after = log.OLDEST
    while page := await log.list_streams(conn, wanted, after, 2):
        found += page
        after = page[-1].created_at_us, page[-1].stream_id
    return found


MANY = """
INSERT INTO streams (stream_id, shard, version, head_hash, summary)
SELECT id, shard_of(id), 1, sha256(''), '{"closed": false, "game": "loo", "seated": [{"player": "other"}]}'
FROM (SELECT md5('many ' || n)::uuid AS id FROM generate_series(1, 10000) AS n) AS made
"""


@pytest.mark.parametrize("analyse", [False, True], ids=["never analysed", "analysed"])
@pytest.mark.parametrize("query", [queries.LIST_OF_TERM, queries.LIST_NEWEST_OF_TERM], ids=["oldest", "newest"])
async def test_a_persons_list_keeps_its_price(conn: Connection, query: str, analyse: bool) -> None:
    """The tables of one person take a few pages, beside 10,000 tables of others as beside none."""
    for _ in range(3):
        made = json.dumps({"closed": False, "seated": [{"player": "ann"}]})
        await log.append(conn, [one(log_events.stream(), 0, summary=made)])
    await conn.execute("SET plan_cache_mode = force_generic_plan")
    created_us, stream = log.OLDEST if query == queries.LIST_OF_TERM else log.NEWEST
    touched = []
    for fill in (False, True):
        if fill:
            await conn.execute(MANY.encode())
            terms = (
                "INSERT INTO stream_terms SELECT stream_id, 'seated:other' FROM streams WHERE summary->>'game' = 'loo'"
            )
            await conn.execute(terms.encode())
        if analyse:
            await conn.execute("ANALYZE streams, stream_terms")
        parameters = ("seated:ann", '{"closed": false}', created_us, stream, 51)
        found: Any = await (
            await conn.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}", parameters)
        ).fetchone()
        plan = found[0][0]["Plan"]
        assert plan["Actual Rows"] == 3
        touched.append(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
    assert touched[1] <= touched[0] + 12, touched


def test_a_log_of_before_gets_its_terms(empty_url: str) -> None:
    """The migration gives the streams of an older log their terms, those without people none."""
    migrate.upgrade(empty_url, "0021")
    streams = [log_events.stream() for _ in range(3)]
    summaries: list[Any] = [
        {"seated": [{"player": "ann"}, {"player": "bob"}, {"player": "ann"}], "members": [{"player": "cid"}]},
        {"closed": False},
        None,
    ]
    with psycopg.connect(empty_url, autocommit=True) as conn:
        for stream, made in zip(streams, summaries, strict=True):
            conn.execute(
                "INSERT INTO streams (stream_id, shard, head_hash, summary) VALUES (%s, shard_of(%s), '', %s)",
                (stream, stream, None if made is None else Jsonb(made)),
            )
        migrate.upgrade(empty_url)
        found = conn.execute("SELECT stream_id::text, term FROM stream_terms ORDER BY term").fetchall()
    assert found == [(streams[0], term) for term in ("member:cid", "seated:ann", "seated:bob")]
