"""How the registry's modules send statements."""

from typing import Final

from services.database.retry import Connection
from services.database.statements import rows, tell

__all__ = ["MOST_ROWS", "Connection", "bounded", "rows", "tell"]

MOST_ROWS: Final = 10_000
"""Rows that one call gives at most."""


def bounded(limit: int) -> int:
    """Return the number of rows asked for back. Raises ValueError where it is too small or too great."""
    if not 1 <= limit <= MOST_ROWS:
        message = f"{limit} rows; ask for 1 to {MOST_ROWS}"
        raise ValueError(message)
    return limit
