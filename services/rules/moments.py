"""Moments as text, without a clock or a calendar of the system."""

from typing import Final

_DAY: Final = 86_400
_DAYS_BEFORE_1970: Final = 719_468
"""From 1 March of the year 0: a year that begins in March ends with its leap day."""
_DAYS_IN_400_YEARS: Final = 146_097


def utc(second: int) -> str:
    """Return a second since 1970 in UTC as RFC 3339 writes it.

    >>> utc(1_796_075_105)
    '2026-11-30T21:45:05Z'
    """
    days, rest = divmod(second, _DAY)
    cycle, day = divmod(days + _DAYS_BEFORE_1970, _DAYS_IN_400_YEARS)
    year = (day - day // 1460 + day // 36_524 - day // (_DAYS_IN_400_YEARS - 1)) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    year += 400 * cycle + (month >= 10)
    month = month - 9 if month >= 10 else month + 3
    return f"{year:04}-{month:02}-{day:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"
