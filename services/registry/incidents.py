"""Refused sign-ins and errors of a process, recorded after its answers at a bounded rate.

Ten thousand refusals a second must not fill the registry. The same incident within one beat is one record with a count;
at most ``MOST_KINDS`` different ones are recorded by themselves, the rest are counted together.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final

import msgspec
import psycopg

from services.database import retry
from services.database.retry import Connection
from services.registry import significant
from services.registry.records import Significant

BEAT_SECONDS: Final = 1.0
MOST_KINDS: Final = 20
CLOSE_SECONDS: Final = 1.0
"""Maximum wait for a silent database when the process ends."""

OTHERS: Final = "others"

Connect = Callable[[], AbstractAsyncContextManager[Connection]]


class Incident(msgspec.Struct, frozen=True):
    """A refused sign-in or an error: the caller if known, the method, and the reason in words."""

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
        """Store an incident; the next beat records it."""
        incident = Incident(kind, actor, subject, reason)
        if incident not in self._waiting and len(self._waiting) >= MOST_KINDS:
            incident = Incident(incident.kind, "", OTHERS, "too many different incidents at once")
        self._waiting[incident] += 1

    async def flush(self, connect: Connect) -> None:
        """Record the waiting incidents. Raises psycopg.Error; then they are kept for the next beat."""
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
        """Record the waiting incidents, if the database answers within ``CLOSE_SECONDS``."""
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
