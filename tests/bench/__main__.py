"""``make bench``: everything that is measured, on this machine, in one run, as a table of ratios.

``python -m tests.bench [PART …]`` runs some parts: log, act, play, settle, watch, rules, deck, replay,
rebuild, memory, idle, due, sweep, front, console.
Whether an aim is met is said only where nothing else ran: the load beside each part is measured before and after it.
Nothing here fails for a figure; each is printed beside what it aims at. ``ab CLONE`` measures this checkout beside
another one (``cost_bench``).
"""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import psutil

from services.eventlog import migrate
from services.localhouse import embedded, local_house
from tests.bench import (
    act_bench,
    aims,
    climbing_bench,
    console_bench,
    cost_bench,
    deck_bench,
    due_bench,
    front_bench,
    idle_bench,
    log_bench,
    memory_bench,
    play_bench,
    replay_bench,
    rules_bench,
    settlement_bench,
    watch_bench,
)
from tests.bench.act_bench import Speed
from tests.bench.aims import Line

HEADINGS: Final = ("what", "ours", "beside it", "ratio", "aim", "")


Row = tuple[str, str, str, str, str, str]
"""A line with its verdict."""


@contextmanager
def servers() -> Iterator[tuple[str, str]]:
    """Run a fresh, migrated Postgres and a Redis; yield their URLs."""
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        Path(folder).chmod(0o711)
        postgres = embedded.EmbeddedPostgres(Path(folder) / "postgres")
        redis = embedded.EmbeddedRedis(Path(folder) / "redis")
        try:
            url = postgres.start()
            migrate.upgrade(url)
            yield url, redis.start()
        finally:
            redis.stop(immediate=True)
            postgres.stop(immediate=True)


@contextmanager
def house(
    dealers: int = 1, *, gateway: bool = False, with_console: bool = False, settings: dict[str, str] | None = None
) -> Iterator[local_house.LocalHouse]:
    """Run a whole house with so many dealers."""
    with tempfile.TemporaryDirectory(prefix="pitboss-bench-") as folder:
        Path(folder).chmod(0o711)
        var = Path(folder) / "var"
        with local_house.LocalHouse(
            var, dealers=dealers, gateway=gateway, console=with_console, settings=settings or {}
        ) as running:
            running.write_down()
            yield running


def log() -> list[Line]:
    """Durable appends against the same insert raw."""
    with servers() as (url, _):
        figures = log_bench.measure(url)
    return [
        (
            one.what,
            f"{one.ours:,.0f}/s",
            f"{one.other:,.0f}/s",
            f"{one.ratio:.2f}",
            "" if one.aim is None else f"{one.aim}",
        )
        for one in figures
    ]


def act() -> list[Line]:
    """Whole Act calls against echo servers, by one dealer and by a dealer for each core."""
    with house() as running:
        bare, committing = act_bench.of_echoes(running.environment["PITBOSS_DATABASE_URL"])
        alone = act_bench.of_acts(running)
    cores = os.cpu_count() or 1
    with house(cores) as running:
        shared = act_bench.of_acts(running)
    kinds = ("Act, bets", "Act, hold'em")
    return [
        line
        for what, one, all_ in zip(kinds, alone, shared, strict=True)
        for line in (*_act_lines(what, one, bare, committing), _throughput(f"{what}, {cores} dealers", all_, bare))
    ]


def _throughput(what: str, acting: Speed, bare: Speed) -> Line:
    return (
        f"{what}: 32 callers, beside echo",
        f"{acting.per_second:,.0f}/s",
        f"{bare.per_second:,.0f}/s",
        f"{acting.per_second / bare.per_second:.2f}",
        "0.5",
    )


def _act_lines(what: str, acting: Speed, bare: Speed, committing: Speed) -> list[Line]:
    return [
        _throughput(what, acting, bare),
        (
            f"{what}: 32 callers, beside echo + commit",
            f"{acting.per_second:,.0f}/s",
            f"{committing.per_second:,.0f}/s",
            f"{acting.per_second / committing.per_second:.2f}",
            "",
        ),
        (
            f"{what}: p50, one caller, beside echo + commit",
            f"{acting.p50_ms:.2f} ms",
            f"{committing.p50_ms:.2f} ms",
            f"{acting.p50_ms / committing.p50_ms:.2f}",
            "at most 1.5",
        ),
        (
            f"{what}: p99, one caller, beside echo + commit",
            f"{acting.p99_ms:.2f} ms",
            f"{committing.p99_ms:.2f} ms",
            f"{acting.p99_ms / committing.p99_ms:.2f}",
            "",
        ),
        (
            f"{what}: p50, one caller, beside echo",
            f"{acting.p50_ms:.2f} ms",
            f"{bare.p50_ms:.2f} ms",
            f"{acting.p50_ms / bare.p50_ms:.2f}",
            "",
        ),
    ]


def play() -> list[Line]:
    """Bets over one stream of play at 32 tables, beside bets by calls and beside echoes, in turns."""
    with house(settings=play_bench.QUOTAS) as running:
        found = play_bench.of_play(running)
    return play_bench.lines(found)


def watch() -> list[Line]:
    """Act at a table that 0, 100 and 1,000 watch, in turns of one run."""
    with house() as running:
        alone, *watched = watch_bench.of_watchers(running)
    return [
        line
        for one in watched
        for line in (
            (
                f"Act, bets: p50 with {one.watchers:,} watchers, beside none",
                f"{one.p50_ms:.2f} ms",
                f"{alone.p50_ms:.2f} ms",
                f"{one.beside(alone):.2f}",
                "at most 1.1",
            ),
            (
                f"Act, bets: p99 with {one.watchers:,} watchers, beside none",
                f"{one.p99_ms:.2f} ms",
                f"{alone.p99_ms:.2f} ms",
                f"{one.p99_ms / alone.p99_ms:.2f}",
                "",
            ),
        )
    ]


def front() -> list[Line]:
    """Measure a bet at a table that 500 watch through the gateway, and at one that a single spectator watches."""
    with house(gateway=True) as running:
        alone, watched = (front_bench.measure(running, count) for count in (1, front_bench.SPECTATORS))
    many = f"{watched.spectators} spectators through the gateway, beside one"
    return [
        (f"{many}: {what}", f"{ours:.1f} ms", f"{theirs:.1f} ms", f"{ours / theirs:.1f}", aim)
        for what, ours, theirs, aim in (
            ("all have seen a bet", watched.all_seen_ms, alone.all_seen_ms, ""),
            ("the slowest of the bets", watched.slowest_ms, alone.slowest_ms, ""),
            ("dealer, processor time a bet", watched.dealer_ms, alone.dealer_ms, ""),
            ("gateway, processor time a bet", watched.gateway_ms, alone.gateway_ms, ""),
        )
    ]


def console() -> list[Line]:
    """Measure the server time of each page of the console beside 1,000 tables and a million ended rounds."""
    with house(with_console=True) as running:
        found = console_bench.measure(running)
    aim = f"at most {console_bench.AIM_MS} ms"
    return [(f"console: {page}", f"{ms:.0f} ms", "", "", aim) for page, ms in found]


def settle() -> list[Line]:
    """Settle rounds with their statements together against the same statements one by one."""
    with servers() as (url, _):
        return settlement_bench.lines(url)


def rules() -> list[Line]:
    """Play hands of hold'em against PokerKit, and games of Fight the Landlord against RLCard, on the rules alone."""
    measured = (*rules_bench.compare(), *climbing_bench.compare())
    wanted = ("80", "", "", "20", "")
    return [
        (what, f"{ours:,.0f}/s", f"{theirs:,.0f}/s", f"{ours / theirs:.1f}", aim)
        for (what, ours, theirs), aim in zip(measured, wanted, strict=True)
    ]


def replay() -> list[Line]:
    """Events replayed against reading the same rows with COPY."""
    with servers() as (url, _):
        found = asyncio.run(replay_bench.replay_against_copy(url))
    ways = (("one process", found.alone, "0.3"), ("a process for each core", found.shared, "0.5"))
    return [
        (
            f"events replayed by {who}, beside COPY",
            f"{speed:,.0f}/s",
            f"{found.copied:,.0f}/s",
            f"{speed / found.copied:.2f}",
            aim,
        )
        for who, speed, aim in ways
    ]


def rebuild() -> list[Line]:
    """Rebuilding with a short and with a long past."""
    with servers() as (url, redis):
        found = asyncio.run(replay_bench.rebuild_short_and_long(url, redis))
    what = f"rebuild with {found.long_events:,} events behind it, beside {found.short_events}"
    return [
        (
            what,
            f"{found.long_ms:.2f} ms",
            f"{found.short_ms:.2f} ms",
            f"{found.long_ms / found.short_ms:.2f}",
            "at most 1.1",
        )
    ]


def memory() -> list[Line]:
    """Memory of a dealer over very many actions."""
    with house() as running:
        found = memory_bench.measure(running)
    first, last = found.mib[0], found.mib[-1]
    what = f"dealer's memory after {found.actions:,} actions, beside {found.actions // memory_bench.SAMPLES:,}"
    return [(what, f"{last:.1f} MiB", f"{first:.1f} MiB", f"{last / first:.2f}", "at most 1.1")]


def idle() -> list[Line]:
    """Measure a dealer with 10,000 open tables at which nothing happens."""
    with house() as running:
        found = idle_bench.measure(running)
    what = f"idle dealer with {found.tables:,} open tables"
    return [
        (f"{what}: share of a core", f"{found.core:.3f}", "", "", "at most 0.1"),
        (f"{what}: memory", f"{found.mib:.1f} MiB", "", "", "at most 300 MiB"),
    ]


def due() -> list[Line]:
    """Fire 100, 1,000 and 10,000 deadlines of one moment, by one dealer."""
    wanted = {1_000: "at most 2"}
    with house() as running:
        found = due_bench.of_due(running)
    return [
        (
            f"{one.due:,} deadlines of one moment: the last after",
            f"{one.last:.2f} s",
            "",
            "",
            wanted.get(one.due, ""),
        )
        for one in found
    ] + [
        (
            f"{one.due:,} deadlines of one moment: a second, beside {found[0].due}",
            f"{one.rate:,.0f}/s",
            f"{found[0].rate:,.0f}/s",
            f"{one.rate / found[0].rate:.2f}",
            "0.9",
        )
        for one in found[1:]
    ]


def sweep() -> list[Line]:
    """Measure dealers with 10 and with 10,000 tables in a round, side by side, while nothing happens."""
    with house() as small, house() as large:
        few, many = due_bench.of_idle([small, large])
    return [
        (
            f"{who} with {many.tables:,} tables in a round, beside {few.tables}: processor time a second",
            f"{statistics.median(ours):.1f} ms",
            f"{statistics.median(theirs):.1f} ms",
            f"{statistics.median(more - less for more, less in zip(ours, theirs, strict=True)):+.1f} ms",
            aim,
        )
        for who, ours, theirs, aim in (
            ("dealer", many.dealer, few.dealer, "at most +20 ms"),
            ("Redis", many.redis, few.redis, ""),
            ("Postgres", many.postgres, few.postgres, ""),
        )
    ]


PARTS: Final[dict[str, Callable[[], list[Line]]]] = {
    "log": log,
    "act": act,
    "play": play,
    "settle": settle,
    "watch": watch,
    "rules": rules,
    "deck": deck_bench.lines,
    "replay": replay,
    "rebuild": rebuild,
    "memory": memory,
    "idle": idle,
    "due": due,
    "sweep": sweep,
    "front": front,
    "console": console,
}


def show(rows: list[Row]) -> str:
    """Write lines with their verdicts as a Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [HEADINGS, ("---",) * len(HEADINGS), *rows])


def main(names: list[str]) -> int:
    """Measure the parts that were named, all if none was."""
    if names[:1] == ["ab"]:
        return cost_bench.main(names[1:])
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        sys.stderr.write(f"there is no part {', '.join(unknown)}; choose from {', '.join(PARTS)}\n")
        return 2
    rows: list[Row] = []
    for name in names or PARTS:
        before = aims.load()
        sys.stderr.write(f"measuring: {name} ({PARTS[name].__doc__}); load beside it {before:.1f}\n")
        lines = PARTS[name]()
        loads = before, aims.load()
        rows += [(*line, aims.verdict(line, loads)) for line in lines]
    cores, memory_gib = psutil.cpu_count(), psutil.virtual_memory().total / 2**30
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    load = ", ".join(f"{value:.1f}" for value in psutil.getloadavg())
    sys.stdout.write(
        f"{when}, {cores} cores, {memory_gib:.0f} GiB, Python {platform.python_version()}, load {load}\n\n"
    )
    sys.stdout.write(show(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
