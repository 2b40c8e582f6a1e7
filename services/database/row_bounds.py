"""The bound on the rows of one page."""

from typing import Final

MOST_ROWS: Final = 10_000
"""Maximum number of rows that one call returns."""


def bounded(limit: int) -> int:
    """Return the requested number of rows. Raises ValueError unless it is 1 to ``MOST_ROWS``."""
    if not 1 <= limit <= MOST_ROWS:
        message = f"{limit} rows; ask for 1 to {MOST_ROWS}"
        raise ValueError(message)
    return limit
