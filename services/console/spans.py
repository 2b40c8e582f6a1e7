"""The span of time that a page of money shows: the last days, or one day; kept in its address."""

import datetime as dt
import urllib.parse
from typing import Final

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from services.console.desk import Desk

DAYS: Final = (1, 7, 30, 365)
_MOST_MS: Final = 253_402_300_799_000


class Span(msgspec.Struct, frozen=True):
    """From a moment until before another, in milliseconds since 1970; ``days`` is 0 for one day by its date."""

    from_ms: int
    to_ms: int
    days: int = 0
    date: str = ""

    @property
    def from_time(self) -> Timestamp:
        """The first moment."""
        return _timestamp(self.from_ms)

    @property
    def to_time(self) -> Timestamp:
        """The moment at which the span has ended."""
        return _timestamp(self.to_ms)

    def lines(
        self, account: str = "", kind: str = "", game: str = "", *, currency: str = "", whole: bool = False
    ) -> str:
        """Return the address of the lines of the ledger in this span; ``whole``: from the house's opening on."""
        named = {"account": account, "kind": kind, "game": game, "currency": currency}
        span = {"from": "0" if whole else str(self.from_ms), "to": str(self.to_ms)}
        return "/money/lines?" + urllib.parse.urlencode({**{k: v for k, v in named.items() if v}, **span})


def asked(desk: Desk) -> Span:
    """Return the span that an address names: ``date`` (a day, UTC), else the last ``days`` until now."""
    now = dt.datetime.now(dt.UTC)
    try:
        day = dt.datetime.strptime(desk.query("date"), "%Y-%m-%d").replace(tzinfo=dt.UTC)
        last = min(day + dt.timedelta(days=1), max(now, day))
        return Span(_ms(day), _ms(last), date=f"{day:%Y-%m-%d}")
    except (ValueError, OverflowError):
        days = next((one for one in DAYS if str(one) == desk.query("days")), DAYS[0])
    return Span(_ms(now - dt.timedelta(days=days)), _ms(now), days)


def of_lines(desk: Desk) -> Span:
    """Return the span of an address of lines: ``from`` and ``to`` in milliseconds since 1970, else all until now."""
    now = _ms(dt.datetime.now(dt.UTC))
    first, last = (desk.query(name) for name in ("from", "to"))
    begin = min(int(first), _MOST_MS) if first.isdecimal() else 0
    return Span(begin, max(begin, min(int(last), _MOST_MS) if last.isdecimal() else now))


def _ms(moment: dt.datetime) -> int:
    return int(moment.timestamp() * 1000)


def _timestamp(at_ms: int) -> Timestamp:
    made = Timestamp()
    made.FromMilliseconds(at_ms)
    return made
