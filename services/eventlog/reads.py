"""Reads of streams, requests and lists; each function is one statement, so its result is one snapshot."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from services.database.retry import Connection
from services.database.row_bounds import MOST_ROWS, bounded
from services.database.statements import Statement, rows
from services.eventlog import queries
from services.eventlog.records import Request, StoredEvent, StreamHead

LOWEST: Final = "00000000-0000-0000-0000-000000000000"
"""The stream id that sorts before all others."""
OLDEST: Final = (0, LOWEST)
"""Comes before every stream, in the order of their age."""
NEWEST: Final = (1 << 60, "ffffffff-ffff-ffff-ffff-ffffffffffff")
"""Comes after every stream, in the order of their age."""
TERMS: Final = (("seated", "seated"), ("members", "member"))
"""Fields of a summary that hold people, each with the word of its terms."""


class UnknownStreamError(Exception):
    """There is no stream with this id."""


async def read(conn: Connection, stream_id: str, after_version: int = 0, limit: int = 1000) -> list[StoredEvent]:
    """Return the events of a stream that follow a version, oldest first; an unknown stream has none."""
    found = await rows(conn, queries.READ, {"stream": stream_id, "after": after_version, "limit": bounded(limit)})
    return [StoredEvent(*row) for row in found]


async def first_of_types(
    conn: Connection, stream_id: str, version: int, types: Sequence[str], *, backwards: bool = False
) -> StoredEvent | None:
    """Return the first event of one of the types at or after a version (or the last one at or before it)."""
    query = queries.LAST_OF_TYPES if backwards else queries.FIRST_OF_TYPES
    found = await rows(conn, query, {"stream": stream_id, "version": version, "types": list(types)})
    return StoredEvent(*found[0]) if found else None


async def read_head(conn: Connection, stream_id: str) -> StreamHead | None:
    """Return a stream's head (latest version and hash); None where there is no such stream."""
    found = await rows(conn, queries.READ_HEAD, (stream_id,))
    return StreamHead(*found[0]) if found else None


async def read_for_rebuild(conn: Connection, stream_id: str) -> tuple[StreamHead, list[StoredEvent]]:
    """Return a stream's head and all events from the one that restates the table, in one snapshot.

    Raises UnknownStreamError.
    """
    return rebuilt_from(await rows(conn, *rebuild_statement(stream_id)), stream_id)


def rebuild_statement(stream_id: str) -> Statement:
    """Return the statement of ``read_for_rebuild``, to be sent with others of its transaction."""
    return Statement(queries.READ_FOR_REBUILD, {"stream": stream_id})


def rebuilt_from(found: Sequence[Any], stream_id: str) -> tuple[StreamHead, list[StoredEvent]]:
    """Return what ``read_for_rebuild`` does, from its rows. Raises UnknownStreamError."""
    if not found:
        message = f"there is no stream {stream_id}"
        raise UnknownStreamError(message)
    head = StreamHead(*found[0][:10])
    events = [StoredEvent(head.stream_id, row[10], head.shard, *row[11:]) for row in found]
    assert events[-1].version == head.version, f"stream {stream_id} is at {head.version}, its events end before"
    assert len(events) == head.version - head.rebuild_version + 1, f"stream {stream_id} lacks events"
    return head, events


async def find_request(conn: Connection, key: str) -> Request | None:
    """Return a request and its stored answer; None where it was never answered."""
    return request_from(await rows(conn, *request_statement(key)))


def request_statement(key: str) -> Statement:
    """Return the statement of ``find_request``, to be sent with others of its transaction."""
    return Statement(queries.FIND_REQUEST, (key,))


def request_from(found: Sequence[Any]) -> Request | None:
    """Return what ``find_request`` does, from its rows."""
    return Request(*found[0]) if found else None


async def streams_marked(conn: Connection, mark: str, limit: int = 100, after: str = LOWEST) -> list[StreamHead]:
    """Return the streams that carry a mark, by id, those after the id ``after``."""
    return [StreamHead(*row) for row in await rows(conn, queries.MARKED, (mark, after, bounded(limit)))]


async def marked_briefly(
    conn: Connection, mark: str, fields: tuple[str, str], limit: int = 100, after: str = LOWEST
) -> list[tuple[str, int, str | None, str | None]]:
    """Return id, version and two fields of the summary of streams that carry a mark, by id, after the id ``after``."""
    return [tuple(row) for row in await rows(conn, queries.MARKED_BRIEFLY, (*fields, mark, after, bounded(limit)))]


async def list_streams(
    conn: Connection,
    summary: Mapping[str, object] | None = None,
    after: tuple[int, str] = OLDEST,
    limit: int = 50,
    *,
    games: Sequence[str] = (),
) -> list[StreamHead]:
    """Return the streams whose summary holds all the given keys and values, oldest first.

    They are those after one that was created at ``after``, in microseconds since 1970, with its id. With ``closed:
    False`` among the values an index of open streams is used, however many are closed; with ``game`` beside it, or with
    ``games`` that all of them are of, one of open streams by game, however many there are of others. The streams of one
    person (``seated``, ``members``) are looked up. Streams without a summary are not listed.
    """
    ways = queries.LIST, queries.LIST_OPEN, queries.LIST_OF_GAMES, queries.LIST_OF_TERM
    return await _listed(conn, ways, dict(summary or {}), games, (*after, bounded(limit)))


async def _listed(
    conn: Connection,
    ways: tuple[str, str, str, str],
    wanted: dict[str, object],
    games: Sequence[str],
    page: tuple[int, str, int],
) -> list[StreamHead]:
    """Return a page of a list by the best of its statements: all streams, open ones, those of some games, of a term."""
    of_all, of_open, of_games, of_term = ways
    chosen = [str(wanted["game"])] if "game" in wanted else list(games)
    parameters = (json.dumps(wanted), *page)
    if term := _term(wanted):
        found = await rows(conn, of_term, (term, *parameters))
    elif wanted.get("closed") is not False:
        found = await rows(conn, of_all, parameters)
    elif chosen:
        found = await rows(conn, of_games, (chosen, *parameters, page[-1]))
    else:
        found = await rows(conn, of_open, parameters)
    return [StreamHead(*row) for row in found]


def _term(wanted: Mapping[str, Any]) -> str:
    """Return the term of a person whose streams are wanted, as ``terms_of`` writes it in the database; else ""."""
    for field, word in TERMS:
        people = wanted.get(field)
        if people and "player" in people[0]:  # other words about a person, such as a folded name, have no term
            return f"{word}:{people[0]['player']}"
    return ""


async def list_with_seats(conn: Connection, game: str, limit: int) -> list[StreamHead]:
    """Return the open streams of a game whose summary has ``open_seats``, oldest first."""
    return [StreamHead(*row) for row in await rows(conn, queries.LIST_WITH_SEATS, (game, bounded(limit)))]


async def list_newest(
    conn: Connection,
    summary: Mapping[str, object],
    before: tuple[int, str] = NEWEST,
    limit: int = 50,
    *,
    games: Sequence[str] = (),
) -> list[StreamHead]:
    """Return streams as ``list_streams`` does, the newest first: those before a time of creation and an id."""
    ways = (
        queries.LIST_NEWEST,
        queries.LIST_OPEN_NEWEST,
        queries.LIST_NEWEST_OF_GAMES,
        queries.LIST_NEWEST_OF_TERM,
    )
    return await _listed(conn, ways, dict(summary), games, (*before, bounded(limit)))


async def list_by(
    conn: Connection,
    summary: Mapping[str, object],
    field: str,
    sign: int,
    after: tuple[int, int, str],
    limit: int = 50,
) -> list[StreamHead]:
    """Return streams as ``list_streams`` does, in the order of a number of their summary times ``sign``, then of age.

    They are those after this product, a time of creation and an id.
    """
    value, created_us, stream = after
    parameters: dict[str, object] = {
        "summary": json.dumps(dict(summary)),
        "field": field,
        "sign": sign,
        "limit": bounded(limit),
    }
    parameters |= {"value": value, "created_us": created_us, "stream": stream}
    if term := _term(summary):
        found = await rows(conn, queries.LIST_BY_OF_TERM, {**parameters, "term": term})
    else:
        found = await rows(conn, queries.LIST_BY, parameters)
    return [StreamHead(*row) for row in found]


async def read_heads(conn: Connection, streams: Sequence[str]) -> list[StreamHead]:
    """Return the heads of these streams, in no order; streams without a summary are left out."""
    assert len(streams) <= MOST_ROWS, f"{len(streams)} streams at once"
    return [StreamHead(*row) for row in await rows(conn, queries.READ_HEADS, (list(streams),))]


async def tips(conn: Connection, streams: Sequence[str]) -> dict[str, tuple[int, bytes]]:
    """Return version and hash of the last event of each of these streams; unknown ones are left out."""
    assert len(streams) <= MOST_ROWS, f"{len(streams)} streams at once"
    return {row[0]: (row[1], bytes(row[2])) for row in await rows(conn, queries.TIPS, (list(streams),))}


async def open_versions(conn: Connection, limit: int) -> list[tuple[str, int]]:
    """Return id and version of the streams whose summary says that they are open, the oldest first."""
    return await rows(conn, queries.OPEN_VERSIONS, (limit,))


async def heads(conn: Connection, after: str = LOWEST, limit: int = 1000) -> list[tuple[str, int, bytes]]:
    """Return (stream id, version, hash of the last event) of streams by id, those after the id ``after``."""
    return await rows(conn, queries.HEADS, (after, bounded(limit)))


async def positions(conn: Connection) -> dict[int, int]:
    """Return the position of the last event of every shard."""
    return dict(await rows(conn, queries.POSITIONS, ()))
