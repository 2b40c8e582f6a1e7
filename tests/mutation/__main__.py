"""Samples mutants of the code by a seed and names those that no test notices: ``python -m tests.mutation --help``.

A mutant is one changed expression or statement. The tests of its room run against it in a copy of the checkout, one
process at a time. A survivor is a place that the tests do not hold, or a change that makes no difference: judge it by
reading. Nothing here fails the build.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.mutation import mutants
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
    "rules": ("tests/rules", "tests/properties"),
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
SECONDS = 900


def main() -> int:
    """Sample, run and report; return 1 where a mutant survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--count", type=int, default=20, help="mutants in the sample")
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="only these rooms")
    parser.add_argument("--list", action="store_true", help="show the sample and run nothing")
    parser.add_argument("--out", type=Path, help="write one JSON line for each mutant to this file")
    given = parser.parse_args()
    sample = sampled(given.seed, given.count, tuple(given.room or sorted(ROOMS)))
    if given.list:
        for one in sample:
            print(one.described())
        return 0
    survived = 0
    with tempfile.TemporaryDirectory(prefix="pitboss-mutation-") as folder:
        copy = _copy(Path(folder))
        for one in sample:
            verdict, seconds = _verdict(copy, one)
            survived += verdict == "survived"
            print(f"{verdict:9} {seconds:5.0f} s  {one.described()}", flush=True)
            if given.out:
                with given.out.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps({"verdict": verdict, "seconds": round(seconds), **one.record()}) + "\n")
    print(f"{len(sample) - survived} noticed, {survived} survived")
    return int(survived > 0)


def sampled(seed: int, count: int, rooms: tuple[str, ...]) -> list[Mutant]:
    """Return so many mutants, spread over the rooms in proportion to their lines, one for a line at most."""
    rng = random.Random(seed)
    found = [one for room in rooms for one in _of_room(room)]
    rng.shuffle(found)
    taken: dict[tuple[str, int], Mutant] = {}
    for one in found:
        if len(taken) < count:
            taken.setdefault((one.path, one.line), one)
    return sorted(taken.values(), key=lambda one: (one.path, one.line))


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


def _verdict(copy: Path, one: Mutant) -> tuple[str, float]:
    """Run the tests of the mutant's room; return what they say and how long they took."""
    file = copy / one.path
    text = file.read_text(encoding="utf-8")
    file.write_text(one.applied(text), encoding="utf-8")
    began = time.monotonic()
    try:
        tests = [name for name in ROOMS[Path(one.path).parts[1]] if (copy / name).exists()]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
            cwd=copy,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            env={**_environment(), "PYTHONPATH": f"{copy}:{copy / 'protos'}"},
        )
        verdict = "survived" if done.returncode == 0 else "noticed"
    except subprocess.TimeoutExpired:
        verdict = "noticed"
    finally:
        file.write_text(text, encoding="utf-8")
    return verdict, time.monotonic() - began


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(main())
