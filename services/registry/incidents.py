"""Refused sign-ins and errors, gathered in a process and recorded behind its answers, at a bounded rate.

Whoever knocks ten thousand times a second must not fill the registry: the same incident within one beat is one record
that says how often it happened, and of different ones at most ``MOST_KINDS`` are told apart, the rest counted.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final

import msgspec
import psycopg

from services.database import retry
from services.registry import significant
from services.registry.paging import Connection
from services.registry.records import Significant

BEAT_SECONDS: Final = 1.0
MOST_KINDS: Final = 20
CLOSE_SECONDS: Final = 1.0
"""A database that is silent is waited for so long at the end."""

OTHERS: Final = "others"

Connect = Callable[[], AbstractAsyncContextManager[Connection]]


class Incident(msgspec.Struct, frozen=True):
    """What happened: a refused sign-in or an error, who (as far as known), in which method, and why in words."""

    kind: str
    actor: str
    subject: str
    reason: str


class Incidents:
    """The incidents of one process that wait to be recorded."""

    def __init__(self, component: str) -> None:
        self._component = component
        self._waiting: Counter[Incident] = Counter()

    def happened(self, kind: str, actor: str, subject: str, reason: str) -> None:
        """Take an incident; it is recorded with the next beat."""
        incident = Incident(kind, actor, subject, reason)
        if incident not in self._waiting and len(self._waiting) >= MOST_KINDS:
            incident = Incident(incident.kind, "", OTHERS, "too many different ones at once")
        self._waiting[incident] += 1

    async def flush(self, connect: Connect) -> None:
        """Record what waits. Raises psycopg.Error; then it waits on."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, Counter()
        try:
            await retry.transaction(connect, lambda conn: self._write(conn, waiting))
        except BaseException:
            self._waiting.update(waiting)
            raise

    async def _write(self, conn: Connection, waiting: Counter[Incident]) -> None:
        for incident, times in waiting.items():
            await significant.record(conn, self._record(incident, times))

    async def close(self, connect: Connect) -> None:
        """Record what still waits, if the database answers soon."""
        with suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.flush(connect)

    async def serve(self, connect: Connect) -> None:
        """Record beat by beat until cancelled."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.flush(connect)

    def _record(self, incident: Incident, times: int) -> Significant:
        return Significant(
            kind=incident.kind,
            component=self._component,
            actor=incident.actor,
            subject=incident.subject,
            reason=incident.reason,
            after=f"{times} times" if times > 1 else "",
        )
