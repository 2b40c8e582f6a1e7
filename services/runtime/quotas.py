"""Rate limits: a token bucket for each subject and kind of method, in every process.

Kinds differ in what a call leaves behind. A table or a command leaves records that are kept for years; an act changes a
round that is bounded by its rules; a read leaves nothing. Acts and reads are counted in this process alone: a round
trip to Redis would cost more than the act itself, and the bound protects this process. Calls that leave records are
also counted in all processes together (``Shared``), so that several dealers allow no more than one dealer does over the
span in which a burst is earned again. While the shared counts are away, those of each process apply.
"""

import enum
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Protocol

import msgspec
from google.protobuf.descriptor import MethodDescriptor

from services.livestate.tallies import Tallies
from services.rules.refusals import Reason, Refused
from services.runtime import metrics
from services.runtime.identity import Caller, Role
from services.runtime.settings import Settings

MOST_BUCKETS: Final = 20_000
"""Maximum buckets of a process; the oldest is dropped first, which fills it."""


class Kind(enum.StrEnum):
    """The kind of records that a call leaves behind."""

    TABLES = "tables"
    """A new table with all its records."""
    RECORDS = "records"
    """Records in the log, the ledger or the registry."""
    CODES = "codes"
    """Tries of a code, of which a wrong one leaves nothing."""
    ACTS = "acts"
    """Acts within a round, bounded by its rules."""
    READS = "reads"
    """Nothing."""


SHARED: Final = frozenset({Kind.TABLES, Kind.RECORDS, Kind.CODES})
"""Kinds that all processes count together."""


def kind_of(method: MethodDescriptor) -> Kind:
    """Return the default kind of a method: a command carries a request id and leaves records."""
    return Kind.RECORDS if "request_id" in method.input_type.fields_by_name else Kind.READS


class Quota(msgspec.Struct, frozen=True):
    """A burst of calls at once, and a rate per second."""

    burst: int
    per_second: float

    @classmethod
    def parse(cls, text: str) -> "Quota":
        """Parse ``per second/at once``, such as ``3/200``."""
        per_second, _, burst = text.partition("/")
        return cls(int(burst), float(per_second))

    def times(self, factor: int) -> "Quota":
        """Return a quota that is ``factor`` times as large."""
        return Quota(self.burst * factor, self.per_second * factor)

    @property
    def within_span(self) -> int:
        """Return the most calls that one process allows within the span: the burst, and the calls earned meanwhile."""
        return self.burst + math.floor(self.span_seconds * self.per_second)

    @property
    def span_seconds(self) -> int:
        """Return the whole seconds in which the burst is earned again, at least one."""
        return max(1, math.ceil(self.burst / self.per_second))


class Shared(Protocol):
    """Counts that several processes share."""

    async def count(self, subject: str, kind: str, most: int, span_seconds: int) -> float | None:
        """Count a call; return the seconds to wait, 0 if it may proceed, None if the shared counts are away."""
        ...


class Quotas:
    """The buckets of one process; ``clock`` returns monotonic seconds."""

    def __init__(
        self, settings: Settings, shared: Shared | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        own = {
            Kind.TABLES: settings.quota_tables,
            Kind.RECORDS: settings.quota_records,
            Kind.CODES: settings.quota_codes,
            Kind.ACTS: settings.quota_acts,
            Kind.READS: settings.quota_reads,
        }
        self._players = {kind: Quota.parse(text) for kind, text in own.items()}
        self._staff = {kind: quota.times(settings.quota_staff_factor) for kind, quota in self._players.items()}
        self._shared, self._clock = shared, clock
        self._full_at: dict[tuple[str, Kind], float] = {}

    async def spend(self, kind: Kind, caller: Caller) -> None:
        """Charge one call to a caller's buckets. Raises Refused (``TOO_MANY_REQUESTS``) with the pause to wait.

        Services call for others, whose calls were counted where they arrived. Test players have no money and serve the
        tests of a laboratory: they may call as fast as staff.
        """
        if caller.role is Role.SERVICE:
            return
        quota = (self._players if caller.role is Role.PLAYER and not caller.test else self._staff)[kind]
        key, now = (caller.subject, kind), self._clock()
        wait_seconds = self._take(key, quota, now)
        if wait_seconds == 0 and self._shared is not None and kind in SHARED:
            wait_seconds = await self._shared.count(caller.subject, kind, quota.within_span, quota.span_seconds) or 0.0
            if wait_seconds > 0:  # until then the calls need not ask again
                self._full_at[key] = now + wait_seconds + (quota.burst - 1) / quota.per_second
        if wait_seconds > 0:
            metrics.HASTE.labels(kind.value).inc()
            raise Refused(
                Reason.TOO_MANY_REQUESTS,
                f"{quota.burst} {kind} at once and {quota.per_second:g} a second are allowed;"
                f" try again in {wait_seconds:.3g} seconds",
                metadata={"kind": kind.value},
                retry_seconds=wait_seconds,
            )

    def _take(self, key: tuple[str, Kind], quota: Quota, now: float) -> float:
        """Take one call out of a bucket; return the seconds until it holds one, 0 if it held one.

        A bucket is the moment at which it will be full again; each call postpones it by its share of a second.
        """
        full_at = max(self._full_at.get(key, now), now) + 1 / quota.per_second
        wait_seconds = full_at - now - quota.burst / quota.per_second
        if wait_seconds > 0:
            return wait_seconds
        if len(self._full_at) >= MOST_BUCKETS and key not in self._full_at:
            del self._full_at[next(iter(self._full_at))]
        self._full_at[key] = full_at
        return 0.0


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Quotas]:
    """Open the quotas of a process; they are shared if the settings name a Redis."""
    url = settings.redis_url.get_secret_value()
    shared = Tallies(url, settings.redis_timeout_seconds) if url else None
    try:
        yield Quotas(settings, shared)
    finally:
        if shared is not None:
            await shared.close()
