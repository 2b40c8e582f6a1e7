"""What a connection sends to its database, as libpq writes it down: round trips, and statements in their order."""

import itertools
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import pq

_STATEMENT = re.compile(r'^F\t\d+\t(?:Parse\t "[^"]*"|Query\t) "\s*([^"\n]*)', re.MULTILINE)


class Trace:
    """The messages of a connection between the begin and the end of the trace."""

    text = ""

    def trips(self) -> int:
        """Return how often the client has sent something and then waited for the answer."""
        sides = [line[0] for line in self.text.splitlines() if line[:2] in ("F\t", "B\t")]
        return sum(before == "F" and side == "B" for before, side in itertools.pairwise(sides))

    def statements(self) -> list[str]:
        """Return the first line of every statement in order; those that were prepared earlier are not among them."""
        return _STATEMENT.findall(self.text)


@contextmanager
def of(conn: psycopg.AsyncConnection[Any]) -> Iterator[Trace]:
    """Write down what a connection sends and gets; the trace can be read at the end."""
    trace = Trace()
    with tempfile.TemporaryFile("r+", encoding="utf-8", errors="replace") as file:
        conn.pgconn.trace(file.fileno())
        conn.pgconn.set_trace_flags(pq.Trace.SUPPRESS_TIMESTAMPS)
        try:
            yield trace
        finally:
            conn.pgconn.untrace()
            file.seek(0)
            trace.text = file.read()
