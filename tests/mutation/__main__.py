"""Samples mutants of the code by a seed and names those that no test notices: ``python -m tests.mutation --help``.

A mutant is one changed expression or statement. The tests of its room run against it in a copy of the checkout, one
process at a time, the test files that name the changed module first. A survivor is a place that the tests do not hold,
or a change that makes no difference: judge it by reading. ``unfinished`` means that the tests took too long to say.

Mutants run in the order in which they were drawn, so the first part of a run is a sample too. A later run with the same
``--out`` goes on where the last one ended. Nothing here fails the build.
"""

import argparse
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
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
    """Sample, run and report; return 1 where a mutant survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample")
    parser.add_argument("--count", type=int, default=20, help="mutants in the sample")
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="only these rooms")
    parser.add_argument("--list", action="store_true", help="show the sample and run nothing")
    parser.add_argument("--out", type=Path, help="write one JSON line for each mutant to this file")
    parser.add_argument("--seconds", type=int, default=900, help="time of the tests of one mutant")
    parser.add_argument("--near", action="store_true", help="run only the test files that name the changed module")
    parser.add_argument("--until", help="begin no mutant after this local time, such as 17:30")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets background commands ignore it
    sample = sampled(given.seed, given.count, tuple(given.room or sorted(ROOMS)))
    if given.list:
        for one in sorted(sample, key=lambda one: (one.path, one.line)):
            print(one.described())
        return 0
    done = _done(given.out)
    verdicts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="pitboss-mutation-") as folder:
        copy = _copy(Path(folder))
        for one in sample:
            if given.until and time.strftime("%H:%M") >= given.until:
                break
            if (one.path, one.line, one.new) in done:
                continue
            verdict, seconds = _verdict(copy, one, given.seconds, near=given.near)
            verdicts[verdict] += 1
            print(f"{verdict:9} {seconds:5.0f} s  {one.described()}", flush=True)
            if given.out:
                _report(given.out, {"verdict": verdict, "seconds": round(seconds), **one.record()})
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    return int(verdicts["survived"] > 0)


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


def _report(out: Path, record: dict[str, object]) -> None:
    with out.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(record) + "\n")


def _done(out: Path | None) -> set[tuple[str, int, str]]:
    """Return place and change of the mutants that an earlier run reported to this file."""
    lines = out.read_text(encoding="utf-8").splitlines() if out and out.exists() else []
    return {(one["path"], one["line"], one["new"]) for one in map(json.loads, lines)}


def nearest_first(tests: list[Path], changed: str, *, near: bool = False) -> list[Path]:
    """Return the test files in order: those that import the changed module, that name it, of its folder, all others.

    With ``near`` the last two kinds are left out, unless nothing would be left.
    """
    module = Path(changed).with_suffix("")
    folder, dotted = re.escape(".".join(module.parts[:-1])), re.escape(".".join(module.parts))
    imported = re.compile(rf"from {folder} import [^\n]*\b{module.name}\b|\b{dotted}\b")

    def distance(file: Path) -> int:
        text = file.read_text(encoding="utf-8")
        if imported.search(text) or file.stem == f"test_{module.name}":
            return 0
        if re.search(rf"\b{module.name}\b", text):
            return 1
        return 2 if module.parts[-2] in file.parts else 3

    order = sorted((distance(file), file) for file in tests)
    return [file for far, file in order if not near or far < 2] or [file for _, file in order]


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


def _verdict(copy: Path, one: Mutant, limit_seconds: int, *, near: bool) -> tuple[str, float]:
    """Run the tests of the mutant's room; return what they say and how long they took."""
    file = copy / one.path
    text = file.read_text(encoding="utf-8")
    file.write_text(one.applied(text), encoding="utf-8")
    began = time.monotonic()
    try:
        named = [copy / name for name in ROOMS[Path(one.path).parts[1]] if (copy / name).exists()]
        files = [file for name in named for file in (sorted(name.rglob("test_*.py")) if name.is_dir() else [name])]
        returned = _returned(copy, nearest_first(files, one.path, near=near), limit_seconds)
        verdict = {None: "unfinished", 0: "survived"}.get(returned, "noticed")
    finally:
        file.write_text(text, encoding="utf-8")
    return verdict, time.monotonic() - began


def _returned(copy: Path, tests: list[Path], limit_seconds: int) -> int | None:
    """Run the tests and return pytest's exit code, or None if they took longer than the limit."""
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**_environment(), "PYTHONPATH": f"{copy}:{copy / 'protos'}"},
    )
    try:
        return run.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)  # pytest ends the servers that it started
        try:
            run.wait(60)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
        return None


def _environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


if __name__ == "__main__":
    sys.exit(main())
