"""Samples mutants of the code by a seed and names those that no test notices: ``python -m tests.mutation --help``.

A mutant is one changed expression or statement. ``--record`` runs the tests once and writes which of them run which
block of the code. A sample then runs, for each mutant, the tests that run its block, cheap and near ones first, until
one fails. Everything happens in a copy of the checkout. All mutants share one warm process, which forks for each, and
one Postgres and one Redis. A test that notices a mutant must pass without it.

A survivor is a place that the tests do not hold, or a change that makes no difference: judge it by reading. ``hung``
means that a test took many times its usual time. With ``left`` above 0 the time was over before all tests had run.

Mutants run in the order in which they were drawn, so the first part of a run is a sample too. A later run with the same
``--out`` goes on where the last one ended; ``--again`` gives more time to what was not noticed. Nothing here fails the
build. For example::

    python -m tests.mutation --record --map build/mutation.map
    python -m tests.mutation --map build/mutation.map --seed 7 --count 200 --out build/mutation.jsonl --until 17:30
"""

import argparse
import compileall
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.mutation import blocks, mutants, plan
from tests.mutation.mutants import Mutant

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "services",
    "protos",
    "migrations",
    "tests",
    "docs",
    "deploy",
    "pyproject.toml",
    "README.md",
    "Makefile",
    "docker-compose.yml",
    ".ci",
    "requirements",
)
ROOMS: dict[str, tuple[str, ...]] = {
    "rules": ("tests/rules", "tests/properties", "tests/privacy/test_texts.py"),
    "limits": ("tests/limits",),
    "journal": ("tests/table", "tests/contract"),
    "contract": ("tests/contract", "tests/dealer", "tests/e2e"),
    "privacy": ("tests/privacy",),
    "leaves": ("tests/audit",),
    "fairness": ("tests/fairness", "tests/dealer/test_vault.py"),
    "house": ("tests/house", "tests/rules/test_cases.py"),
    "table": ("tests/table", "tests/audit"),
    "eventlog": ("tests/eventlog",),
    "ledger": ("tests/ledger", "tests/settlement"),
    "registry": ("tests/settlement", "tests/e2e/test_switches.py"),
    "livestate": ("tests/livestate",),
    "database": ("tests/database",),
    "dealer": ("tests/dealer", "tests/e2e"),
    "settlement": ("tests/settlement", "tests/e2e"),
    "audit": (
        "tests/audit",
        "tests/attacks/test_tampering.py",
        "tests/e2e/test_exports.py",
        "tests/e2e/test_recall.py",
    ),
    "runtime": ("tests/runtime",),
}
"""The tests that are to notice a change in each room of ``services``."""


def main() -> int:
    """Record, or sample and run; return 1 where a mutant survived."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--count", type=int, default=20, help="mutants in the sample")
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="only these rooms")
    parser.add_argument("--list", action="store_true", help="show the sample and run nothing")
    parser.add_argument("--record", action="store_true", help="run the tests of the rooms and write the map")
    parser.add_argument("--map", type=Path, default=ROOT / "build/mutation.map", help="which tests run which blocks")
    parser.add_argument("--out", type=Path, help="write one JSON line for each mutant to this file")
    parser.add_argument("--seconds", type=int, default=60, help="time of the tests of one mutant")
    parser.add_argument("--until", help="begin no mutant after this local time, such as 17:30, today or tomorrow")
    parser.add_argument("--again", action="store_true", help="run those of --out again that no test noticed")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets background commands ignore it
    rooms = tuple(given.room or sorted(ROOMS))
    sample = sampled(given.seed, given.count, rooms)
    if given.list:
        for one in sorted(sample, key=lambda one: (one.path, one.line)):
            print(one.described())
        return 0
    with tempfile.TemporaryDirectory(prefix="pitboss-mutation-") as folder:
        copy = _copy(Path(folder))
        (copy / "tmp").mkdir()
        if given.record:
            return record(copy, rooms, given.map.resolve())
        out = (given.out or copy / "out.jsonl").resolve()
        done = _done(out, again=given.again)
        left = [one for one in sample if (one.path, one.line, one.new) not in done]
        until = _next(given.until, time.time()) if given.until else math.inf
        plan.Plan(left, given.seconds, until, out, given.map.resolve()).write(copy)
        compileall.compile_dir(copy / "services", quiet=2)
        _pytest(copy, "tests.mutation.forks", _tests(copy, {one.room for one in left} or set(rooms)))
        verdicts = Counter(_done(out, again=False).values())
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    return int(verdicts["survived"] > 0)


def record(copy: Path, rooms: Iterable[str], file: Path) -> int:
    """Run the rooms' tests in a marked copy and write the map; return 0, whatever the tests say."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    blocks.mark(copy)
    _pytest(copy, "tests.mutation.recorder", _tests(copy, rooms), {plan.MAP_ENV: str(file)})
    return 0


def _pytest(copy: Path, plugin: str, tests: list[str], environment: dict[str, str] | None = None) -> None:
    """Run pytest with a plugin of this folder on the copy; an interrupt ends it and the servers that it started."""
    options = ["-q", "-p", "no:cacheprovider", "-p", plugin, "--basetemp", str(copy / "tmp" / "pytest")]
    search = {"PYTHONPATH": f"{copy}:{copy / 'protos'}", "PYTHONDONTWRITEBYTECODE": ""}
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *tests], cwd=copy, env=os.environ | search | (environment or {})
    )
    try:
        run.wait()
    except KeyboardInterrupt:
        run.wait(60)


def _tests(copy: Path, rooms: Iterable[str]) -> list[str]:
    """Return the folders and files of the rooms' tests, each once."""
    return [
        name for name in dict.fromkeys(name for room in sorted(rooms) for name in ROOMS[room]) if (copy / name).exists()
    ]


def _next(clock: str, now: float) -> float:
    """Return when it is so late (``17:30``, local time) for the next time, in seconds since 1970."""
    hour, minute = map(int, clock.split(":"))
    begin = datetime.fromtimestamp(now).astimezone()
    at = begin.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (at if at > begin else at + timedelta(days=1)).timestamp()


def sampled(seed: int, count: int, rooms: tuple[str, ...]) -> list[Mutant]:
    """Return so many mutants in the order drawn, spread over the rooms by their lines, one for a line at most."""
    rng = random.Random(seed)
    found = [one for room in rooms for one in _of_room(room)]
    rng.shuffle(found)
    taken: dict[tuple[str, int], Mutant] = {}
    for one in found:
        if len(taken) < count:
            taken.setdefault((one.path, one.line), one)
    return list(taken.values())


def _lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []


def _done(out: Path, *, again: bool) -> dict[tuple[str, int, str], str]:
    """Return the last verdict of each mutant in a report, by place and change; only what was noticed with ``again``."""
    found = {(one["path"], one["line"], one["new"]): str(one["verdict"]) for one in _lines(out)}
    return {place: verdict for place, verdict in found.items() if not again or verdict == "noticed"}


def _of_room(room: str) -> Iterator[Mutant]:
    for path in sorted((ROOT / "services" / room).rglob("*.py")):
        yield from mutants.of_file(path.relative_to(ROOT), path.read_text(encoding="utf-8"))


def _copy(folder: Path) -> Path:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)
    return folder


if __name__ == "__main__":
    sys.exit(main())
