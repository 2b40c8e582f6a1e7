"""Deadlines that one process knows by itself, in the order of their moments: those that are due are found at once."""

import heapq
from collections.abc import Mapping
from typing import Final

import msgspec

SPARE: Final = 1000
"""Outdated places in the order, beyond as many as there are deadlines, before it is made anew."""


class Known(msgspec.Struct, frozen=True):
    """A deadline of a table at a version of it; ``due_ms`` is ms since 1970."""

    version: int
    due_ms: int
    family: str


class KnownDeadlines:
    """One deadline for each table at most."""

    def __init__(self) -> None:
        self._by_table: dict[str, Known] = {}
        self._order: list[tuple[int, str]] = []
        self._due: dict[str, Known] = {}

    def __len__(self) -> int:
        """Return the number of deadlines."""
        return len(self._by_table)

    def __contains__(self, table_id: str) -> bool:
        """Return whether a table's deadline is known."""
        return table_id in self._by_table

    def get(self, table_id: str) -> Known | None:
        """Return a table's deadline; None where it is not known."""
        return self._by_table.get(table_id)

    def keep(self, table_id: str, known: Known) -> None:
        """Keep a table's deadline, instead of one that was known of no newer version."""
        if (held := self._by_table.get(table_id)) is not None and held.version > known.version:
            return  # a save that failed late is no news
        self._due.pop(table_id, None)
        self._by_table[table_id] = known
        heapq.heappush(self._order, (known.due_ms, table_id))
        if len(self._order) > 2 * len(self._by_table) + SPARE:
            self._order = [(one.due_ms, table) for table, one in self._by_table.items() if table not in self._due]
            heapq.heapify(self._order)

    def outdate(self, table_id: str, version: int) -> None:
        """Forget a table's deadline, unless it is known of a newer version than this one."""
        if (held := self._by_table.get(table_id)) is not None and held.version <= version:
            self.forget(table_id)

    def forget(self, table_id: str) -> None:
        """Forget a table's deadline, if it is known."""
        self._by_table.pop(table_id, None)
        self._due.pop(table_id, None)

    def due(self, now_ms: int) -> Mapping[str, Known]:
        """Return the deadlines at or before ``now_ms``, by table; they stay known until they are forgotten."""
        while self._order and self._order[0][0] <= now_ms:
            due_ms, table_id = heapq.heappop(self._order)
            known = self._by_table.get(table_id)
            if known is not None and known.due_ms == due_ms:
                self._due[table_id] = known
        return self._due
