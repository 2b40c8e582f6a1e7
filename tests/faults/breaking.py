"""A whole house that tests break: its processes die at named steps, its servers stop, and it is whole again."""

import asyncio
import json
import os
import re
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from pitboss import client
from pitboss.v1 import dealer_pb2

from services.cli import reach
from services.eventlog import log
from services.eventlog.records import StoredEvent
from services.journal import log_rows
from services.ledger import accounts, books, checks
from services.localhouse import local_house
from services.localhouse.process import Member
from services.table.events import Event
from tests.support import people, servers

SETTINGS = {
    "PITBOSS_DRAIN_SECONDS": "4",
    "PITBOSS_LOG_LEVEL": "debug",
    "PITBOSS_POOL_TIMEOUT_SECONDS": "0.5",
    "PITBOSS_CALL_SECONDS": "8",
}
DIE_SECONDS = 60.0
"""How long a process may take to reach the step at which it dies, and to die."""
START_SECONDS = 120.0
"""How long a process may take to start on a machine that others use too."""
ERRORS = re.compile(r'^.*"event": "call failed".*$', re.MULTILINE)


class Broken:
    """A house and what was done to it."""

    def __init__(self, running: local_house.LocalHouse, dooms: Path) -> None:
        self.running = running
        self._dooms = dooms
        self._doomed: dict[int, Member] = {}
        self._starting: set[str] = set()
        self._order = list(range(len(running.dealers)))
        self._read: dict[str, int] = {}

    async def arrange(self) -> reach.Reach:
        """Order the dealers such that those that serve come first, two at least; give the way to the house."""
        await self.up()
        self._order.sort(key=lambda at: self.running.dealers[at].name in self._starting)
        found = reach.of_folder(self.running.folder)
        return msgspec.structs.replace(found, dealers=tuple(found.dealers[at] for at in self._order))

    @property
    def settlement(self) -> Member:
        """The settlement process."""
        return self.running.members["settlement"]

    def dealer(self, number: int) -> Member:
        """One of the dealers, by its number in this test."""
        return self.running.dealers[self._order[number]]

    # What breaks the house, and what mends it.

    def doom(self, member: Member, step: str) -> None:
        """Make a process die, as by ``kill -9``, at a failpoint."""
        draft = self._dooms / "draft"
        draft.write_text(step, encoding="utf-8")
        draft.replace(self._dooms / str(member.pid))
        self._doomed[member.pid] = member

    def absolve(self) -> None:
        """Let all live that were doomed and have not reached their step; those that have are dead when it returns.

        A process deletes its doom before it dies, so it dies if its doom is gone, even if it still runs.
        """
        for pid, member in self._doomed.items():
            try:
                (self._dooms / str(pid)).unlink()
            except FileNotFoundError:
                if member.pid == pid:
                    member.wait_ended(DIE_SECONDS)
        self._doomed.clear()

    def revive_the_dead(self) -> None:
        """Begin to start the dealers that have died; those doomed ones that live are absolved first."""
        self.absolve()
        for member in self.running.dealers:
            if not member.running():
                self.revive(member)

    def signal(self, member: Member, number: signal.Signals) -> None:
        """Send a living process a signal: SIGTERM to drain, SIGSTOP to wait where it is, SIGCONT to go on."""
        os.kill(member.pid, number)

    async def died(self, member: Member, seconds: float = DIE_SECONDS) -> None:
        """Wait until a doomed process has died, by its own hand."""
        assert await asyncio.to_thread(member.wait_ended, seconds) == -signal.SIGKILL, f"{member.name} was to be killed"

    def revive(self, member: Member, more: Mapping[str, str] | None = None) -> None:
        """Begin to start a process that has ended; ``more`` is added to its environment this time."""
        member.launch(more)
        self._starting.add(member.name)

    async def until_up(self, member: Member) -> None:
        """Wait until a process that was revived serves."""
        if member.name in self._starting:
            await asyncio.to_thread(member.wait_ready, START_SECONDS)
            self._starting.discard(member.name)
        assert member.running(), f"{member.name} has ended and nobody has revived it"

    async def up(self, count: int = 2) -> list[int]:
        """Return the numbers of the dealers that serve; wait until at least ``count`` do."""
        numbered = [self.dealer(number) for number in range(len(self._order))]
        found = [at for at, one in enumerate(numbered) if one.running() and one.name not in self._starting]
        for at, one in enumerate(numbered):
            if len(found) < count and one.name in self._starting:
                await self.until_up(one)
                found.append(at)
        dead = [one.name for one in numbered if not one.running()]
        assert len(found) >= count, f"{len(found)} dealers live, {count} are needed; nobody has revived {dead}"
        return found

    def mend(self) -> None:
        """Make the house whole; processes may still be on their way (``up``)."""
        assert self.running.postgres is not None, "the house has servers of its own"
        assert self.running.redis is not None, "the house has servers of its own"
        self.running.postgres.start()
        self.running.redis.start()
        members = self.running.members.values()
        for member in members:
            if member.running():
                self.signal(member, signal.SIGCONT)
        self.absolve()
        for member in members:
            if not member.running():
                self.revive(member)
        for name in self._starting - {one.name for one in self.running.dealers}:
            self.running.members[name].wait_ready(START_SECONDS)
            self._starting.discard(name)

    async def end_rounds(self) -> None:
        """Void what a test left in mid-round, so that no deadline of its tables disturbs the next one."""
        async with await self.connect() as conn:
            left = [
                head.stream_id for mark in ("in_round", "unsettled") for head in await log.streams_marked(conn, mark)
            ]
        if not left:
            return
        async with people.Crowd(await self.arrange()) as crowd:
            staff = crowd.operator.house
            for table_id in left:
                request = dealer_pb2.VoidRoundRequest(request_id=f"void-{table_id}", table_id=table_id, reason="over")
                try:
                    await staff.call(staff.dealer.VoidRound, request)
                except client.Refused as refusal:
                    if refusal.reason != "ROUND_NOT_OPEN":  # settled meanwhile
                        raise

    def errors(self) -> list[str]:
        """Return the program errors that the processes have logged since the last call."""
        found: list[str] = []
        for path in sorted(self.running.folder.glob("*.log")):
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [f"{path.stem}: {line}" for line in ERRORS.findall(text, self._read.get(path.name, 0))]
            self._read[path.name] = len(text)
        return found

    def said(self) -> str:
        """Return everything that the processes and servers have logged."""
        paths = [*self.running.folder.glob("*.log"), *self.running.folder.glob("*/log")]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(paths))

    # -- looking behind the services

    @property
    def database_url(self) -> str:
        """The database, as its owner."""
        return self.running.environment["PITBOSS_DATABASE_URL"]

    @property
    def redis_url(self) -> str:
        """The Redis."""
        return self.running.environment["PITBOSS_REDIS_URL"]

    async def connect(self) -> psycopg.AsyncConnection[Any]:
        """Connect to the database."""
        return await psycopg.AsyncConnection.connect(self.database_url, autocommit=True)

    async def stored(self, table_id: str) -> list[StoredEvent]:
        """Read a table's stream."""
        async with await self.connect() as conn:
            return await log.read(conn, table_id, 0, 10_000)

    async def events(self, table_id: str) -> list[Event]:
        """Read what happened at a table; the first event is that of version 1."""
        return [log_rows.from_stored(one) for one in await self.stored(table_id)]

    async def counts(self) -> dict[str, int]:
        """Count the rows of every table that only grows."""
        async with await self.connect() as conn:
            found = {}
            for table in ("events", "requests", "entries", "legs", "streams", "accounts"):
                row = await (await conn.execute(f"SELECT count(*) FROM {table}".encode())).fetchone()
                assert row is not None, "a count is a row"
                found[table] = int(row[0])
            return found

    async def imbalance(self) -> int:
        """Return the total imbalance of the ledger in chips."""
        async with await self.connect() as conn:
            return await checks.imbalance(conn)

    async def wallet(self, player: str, currency: str = "CHIPS") -> int:
        """Return the balance of a wallet."""
        async with await self.connect() as conn:
            return await books.balance(conn, accounts.wallet(currency, player))

    async def at_seats(self, table_id: str) -> dict[int, int]:
        """Return the chips that the ledger holds for each seat of a table."""
        async with await self.connect() as conn:
            found = await books.accounts(conn, f"seat:{table_id}:")
        return {int(one.account.rpartition(":")[2]): one.balance for one in found if one.balance}

    def secrets(self) -> list[str]:
        """List every secret of the house, those of its servers included."""
        kept = json.loads((self.running.folder / "secrets.json").read_text(encoding="utf-8"))
        found = [value for value in kept.values() if not value.startswith("{")]
        for value in kept.values():
            if value.startswith("{"):
                found += list(msgspec.json.decode(value.encode(), type=dict[str, str]).values())
        for url in (self.database_url, self.redis_url):
            found.append(url.rpartition("@")[0].rpartition(":")[2])
        return [value for value in found if len(value) >= 16]


@contextmanager
def opened(dealers: int = 3) -> Iterator[Broken]:
    """Start a house with servers of its own in a folder that goes with it."""
    with pytest.MonkeyPatch.context() as environment, servers.Nest() as nest:
        for name in [name for name in os.environ if name.startswith("PITBOSS_")]:
            environment.delenv(name)
        folder: Path = nest.folder / "house"
        dooms = nest.folder / "dooms"
        dooms.mkdir()
        told = SETTINGS | {"PITBOSS_DIE_AT": f"@{dooms}"}
        with local_house.LocalHouse(folder, dealers=dealers, scripted_decks=True, settings=told) as running:
            running.write_down()
            yield Broken(running, dooms)


def healthz(member: Member) -> tuple[int, dict[str, object]]:
    """Ask a process for its health; return the status and what it says."""
    url = member.metrics_url.replace("/metrics", "/healthz")
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def metrics_of(member: Member) -> str:
    """Return what a process tells Prometheus."""
    with urllib.request.urlopen(member.metrics_url, timeout=60) as answer:
        return str(answer.read().decode())
