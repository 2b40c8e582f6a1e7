"""A pytest plugin that runs mutants in forks of one warm process: everything is imported and collected once.

``__main__`` starts it in the copy. A mutant in a function is put into the functions of the fork, and into its file for
the processes that tests start. A mutant that runs at import needs a pytest of its own. Postgres and Redis run once.
"""

import contextlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from services.eventlog import migrate
from tests.mutation import choice, patch, plan
from tests.mutation.blocks import Map
from tests.mutation.mutants import Mutant
from tests.support import servers

MOST_COLD = 60
"""Tests of a mutant that needs a pytest of its own."""
CONTROLS = 3
"""Tests that may fail without the mutant before the tool gives up on it."""
_failed: list[pytest.TestReport] = []


@dataclass
class Result:
    """What the tests said to one mutant."""

    verdict: str
    by: str = ""
    ran: int = 0
    left: int = 0
    way: str = "fork"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember what failed."""
    if report.failed:
        _failed.append(report)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Run the plan's mutants in place of the tests."""
    copy = Path.cwd()
    wanted = plan.Plan.read(copy)
    with _servers():
        Runner(session, copy, wanted).run()
    return True


@contextlib.contextmanager
def _servers() -> Iterator[None]:
    """Start a migrated Postgres and a Redis for all mutants, which the environment names."""
    with servers.postgres() as postgres, servers.redis() as found:
        os.environ[servers.POSTGRES_ENV] = postgres
        os.environ[servers.REDIS_ENV] = found
        base = postgres.rpartition("/")[0]
        with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {servers.TEMPLATE}")
        migrate.upgrade(f"{base}/{servers.TEMPLATE}")
        yield


class Runner:
    """Runs mutants one after the other and writes what was found."""

    def __init__(self, session: pytest.Session, copy: Path, wanted: plan.Plan) -> None:
        self._copy = copy
        self._plan = wanted
        self._functions = patch.Functions(copy)
        self._choice = choice.Choice(copy, session.items, Map.read(wanted.map))
        self._flaky: set[str] = set()

    def run(self) -> None:
        """Run each mutant of the plan until its time is over."""
        for one in self._plan.sample:
            if time.time() >= self._plan.until:
                break
            began = time.monotonic()
            found = self._result(one)
            seconds = time.monotonic() - began
            record = {**found.__dict__, "seconds": round(seconds, 1), **one.record()}
            with self._plan.out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(record) + "\n")
            print(f"{found.verdict:9} {seconds:5.1f} s  {one.described()}  [{found.by}]", flush=True)

    def _result(self, one: Mutant) -> Result:
        chosen = self._choice.tests(one)
        found = Result("survived")
        for _ in range(CONTROLS):
            tests = [item for item in chosen if item.nodeid not in self._flaky]
            with self._written(one) as (before, after):
                if self._choice.at_import(one):
                    found = self._cold(tests)
                else:
                    found = self._forked(tests, (self._copy / one.path, before, after))
            if found.verdict == "noticed" and found.way == "fork":
                control = self._forked([item for item in tests if item.nodeid == found.by], None)
                if control.verdict != "survived":
                    self._flaky.add(found.by)
                    continue
            break
        return found

    @contextlib.contextmanager
    def _written(self, one: Mutant) -> Iterator[tuple[str, str]]:
        """Change the file for as long as the mutant runs; yield its text before and after."""
        file = self._copy / one.path
        before, status = file.read_text(encoding="utf-8"), file.stat()
        after = one.applied(before)
        _empty()
        file.write_text(after, encoding="utf-8")
        os.utime(file, (status.st_mtime + 10, status.st_mtime + 10))  # not the time of what is compiled already
        try:
            yield before, after
        finally:
            file.write_text(before, encoding="utf-8")
            os.utime(file, (status.st_mtime, status.st_mtime))
            for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
                compiled.unlink()

    def _forked(self, tests: Sequence[pytest.Item], change: tuple[Path, str, str] | None) -> Result:
        """Run tests in a fork that has the change, or in one without any."""
        log = self._copy / "pitboss_fork.jsonl"
        log.unlink(missing_ok=True)
        child = multiprocessing.get_context("fork").Process(target=self._child, args=(tests, change, log))
        child.start()
        child.join(self._plan.seconds + 90)
        if child.is_alive():
            assert child.pid is not None
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.join()
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
        if any(line.get("cold") for line in lines):
            return self._cold(tests)
        if not tests:
            return Result("survived")
        ended = lines[-1] if lines else {"test": ""}
        ran = sum("failed" in line for line in lines)
        if "failed" not in ended:  # nothing was said of the last test that began
            return Result("hung", str(ended["test"]), ran)
        if ended["failed"]:
            return Result("hung" if ended["hung"] else "noticed", str(ended["test"]), ran)
        return Result("survived", ran=ran, left=len(tests) - ran)

    def _child(self, tests: Sequence[pytest.Item], change: tuple[Path, str, str] | None, log: Path) -> None:
        os.setsid()
        nowhere = os.open(self._copy / "pitboss_fork.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        with log.open("a", encoding="utf-8", buffering=1) as lines:
            if change and not self._functions.patch(*change):
                lines.write(json.dumps({"cold": True}) + "\n")
                return
            began = time.monotonic()
            for index, item in enumerate(tests):
                if time.monotonic() - began > self._plan.seconds:
                    break
                lines.write(json.dumps({"test": item.nodeid}) + "\n")
                following = tests[index + 1] if index + 1 < len(tests) else None
                item.add_marker(pytest.mark.timeout(self._choice.bound_seconds(item)), append=False)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                told = " ".join(str(one.longrepr) for one in _failed)
                lines.write(
                    json.dumps({"test": item.nodeid, "failed": bool(_failed), "hung": "Timeout (>" in told}) + "\n"
                )
                if _failed:
                    break
            setup: Any = tests[0].session._setupstate if tests else None
            if setup is not None:
                with contextlib.suppress(BaseException):
                    setup.teardown_exact(None)
        os._exit(0)

    def _cold(self, tests: Sequence[pytest.Item]) -> Result:
        """Run the tests in a pytest of their own, which imports the changed file."""
        names = [item.nodeid for item in self._choice.within(tests, self._plan.seconds / 2)[:MOST_COLD]]
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout", "120", *names]
        run = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        try:
            told, _ = run.communicate(timeout=self._plan.seconds + 60)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.communicate(timeout=20)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return Result("survived", left=len(tests), way="cold, not ended")
        by = next((line for line in told.splitlines() if line.startswith(("FAILED", "ERROR"))), "")[:200]
        if run.returncode == 0:
            return Result("survived", ran=len(names), left=len(tests) - len(names), way="cold")
        return Result("hung" if "Timeout (>" in told else "noticed", by or "import", way="cold")


def _empty() -> None:
    """Empty the Redis that all mutants share."""
    with redis.Redis.from_url(os.environ[servers.REDIS_ENV]) as client:
        client.flushall()
