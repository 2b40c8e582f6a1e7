"""The interceptor's data of each method: names, roles, bound, and the metrics of its calls."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from prometheus_client import Counter

from services.runtime import metrics
from services.runtime.identity import Role
from services.runtime.quotas import Kind


class Method:
    """One method: its names, its roles, the seconds that a call may take, its kind, and its metrics."""

    def __init__(self, path: str, roles: frozenset[Role], bound: float, kind: Kind = Kind.READS) -> None:
        self.path, self.roles, self.bound, self.kind = path, roles, bound, kind
        self.service, self.name = path.strip("/").rsplit(".", 1)[-1].split("/", 1)
        self.seconds = metrics.REQUEST_SECONDS.labels(self.service, self.name)
        self.streams = metrics.OPEN_STREAMS.labels(self.service, self.name)
        self._counters: dict[grpc.StatusCode, Counter] = {}

    def count(self, code: grpc.StatusCode) -> None:
        """Count one answer."""
        counter = self._counters.get(code)
        if counter is None:
            counter = self._counters[code] = metrics.REQUESTS.labels(self.service, self.name, code.name)
        counter.inc()


class Outcome:
    """The end of a call; OK until it is refused."""

    __slots__ = ("code",)

    def __init__(self) -> None:
        self.code = grpc.StatusCode.OK


@contextmanager
def measured(method: Method) -> Iterator[Outcome]:
    """Measure a call: its time, and its code in every case."""
    started, outcome = time.perf_counter(), Outcome()
    try:
        yield outcome
    except asyncio.CancelledError:
        outcome.code = grpc.StatusCode.CANCELLED
        raise
    finally:
        method.seconds.observe(time.perf_counter() - started)
        method.count(outcome.code)
