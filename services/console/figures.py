"""Numbers and times as people read them: chips grouped, changes signed, moments with their zone."""

import datetime as dt
from typing import Any, Final

from google.protobuf.timestamp_pb2 import Timestamp

MINUS: Final = "−"


def chips(amount: int) -> str:
    """Return an amount, grouped: ``1,200``."""
    return f"{amount:,}".replace("-", MINUS)


def signed(amount: int) -> str:
    """Return a change with its sign: ``+1,200``, ``−300``, ``0``."""
    return f"{amount:+,}".replace("-", MINUS) if amount else "0"


def moment(value: Any) -> str:
    """Return a timestamp to the second, in UTC; empty where it is not set."""
    at = _time(value)
    return "" if at is None else at.strftime("%Y-%m-%d %H:%M:%S UTC")


def clock(value: Any) -> str:
    """Return the time of the day of a timestamp, to the tenth of a second, in UTC."""
    at = _time(value)
    return "" if at is None else f"{at:%H:%M:%S}.{at.microsecond // 100_000}"


def seconds_since(value: Any, now: dt.datetime | None = None) -> int | None:
    """Return the whole seconds from a timestamp until now; None where it is not set."""
    at = _time(value)
    return None if at is None else max(0, int(((now or dt.datetime.now(dt.UTC)) - at).total_seconds()))


def _time(value: Any) -> dt.datetime | None:
    if isinstance(value, int):
        return dt.datetime.fromtimestamp(value / 1000, dt.UTC) if value else None
    if not isinstance(value, Timestamp) or not (value.seconds or value.nanos):
        return None
    return value.ToDatetime(tzinfo=dt.UTC)
