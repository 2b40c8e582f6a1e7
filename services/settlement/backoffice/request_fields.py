"""Fields that requests to the back office share: spans, pages, reasons, currencies and players."""

import time
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec
from google.protobuf import timestamp_pb2
from google.protobuf.message import Message
from pitboss.v1 import back_office_pb2 as pb

from services.contract import pages, requests, wire_sums, wire_tables
from services.ledger import sums
from services.registry.records import Command
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, identity
from services.runtime.identity import Role
from services.runtime.settings import TEST_CURRENCY, Settings
from services.table import commands

MOST_PER_PAGE: Final = 500
AFTER_ALL: Final = 2**63 - 1
NOTHING: Final = "no activity"


class Span(msgspec.Struct, frozen=True):
    """From a moment to another, which is not part of it, in milliseconds since 1970."""

    from_ms: int
    to_ms: int


def span(request: Any) -> Span:
    """Read a request's span. Raises Refused where it ends before it begins."""
    first = moment(request.from_time, "from_time") if request.HasField("from_time") else sums.BEGINNING
    last = moment(request.to_time, "to_time") if request.HasField("to_time") else sums.FOREVER
    if last < first:
        raise invalid("to_time", "the span ends before it begins")
    return Span(first, last)


def moment(at: timestamp_pb2.Timestamp, field: str) -> int:
    """Read a moment, in milliseconds since 1970. Raises Refused."""
    return min(requests.moment_us(at, field) // 1000, sums.FOREVER)


def page_size(request: Any) -> int:
    """Return the number of rows of a page. Raises Refused."""
    return pages.size(request, MOST_PER_PAGE, default=100)


def after_number(request: Any) -> int:
    """Return the number of the last row of the page before, 0 for the first page. Raises Refused."""
    return pages.after(request, pages.Number, 0)


def numbered_place(request: Any, time_field: str) -> tuple[int, bool]:
    """Return the number of the last row of the page before, and whether the newest rows come first.

    The list is ordered by a field that holds a time. Raises Refused.
    """
    newest_first = pages.order(request, {time_field: False, f"{time_field} desc": True})
    return pages.after(request, pages.Number, AFTER_ALL if newest_first else 0), newest_first


class Numbered(Protocol):
    """A row of a list in the order of its numbers."""

    @property
    def number(self) -> int:
        """The number."""


Row = TypeVar("Row", bound=Numbered)


def numbered(request: Message, found: Sequence[Row], size: int) -> tuple[list[Row], str]:
    """Return the rows of a page and the token of the next one, of a list in the order of its numbers."""
    return pages.cut(request, found, size, lambda row: row.number)


def reason(request: Any) -> str:
    """Read the reason, which staff must state. Raises Refused."""
    text: str = request.reason.strip()
    commands.require_reason(text)
    return text


def currency(request: Any, settings: Settings) -> str:
    """Read the currency of a report, which may be one that the house no longer uses. Raises Refused."""
    return requests.currency(request.currency or settings.default_currency)


def own_currency(request: Any, settings: Settings) -> str:
    """Read the currency of a command, one of the house's. Raises Refused."""
    return requests.currency(request.currency or settings.default_currency, settings.all_currencies())


def real_currency(request: Any, settings: Settings) -> str:
    """Read the currency of a report. Raises Refused for that of test tables, which are in no report."""
    text = currency(request, settings)
    if text == TEST_CURRENCY:
        raise invalid("currency", f"{TEST_CURRENCY} is the currency of test tables, which reports leave out")
    return text


def player(request: Any) -> str:
    """Read the player: the calling player, or for staff any player. Raises Refused."""
    caller = context.caller()
    text: str = request.player
    if caller.role is Role.PLAYER:
        if text not in ("", caller.subject):
            raise Refused(Reason.PERMISSION_DENIED, "players may see and set only their own")
        return caller.subject
    if not identity.SUBJECT.fullmatch(text):
        raise invalid("player", "1 to 64 letters, digits and . _ @ | -")
    return text


def command(request: Any) -> Command:
    """Return the key and digest of a command. Raises Refused."""
    made = requests.command(context.caller().subject, request)
    return Command(made.key, made.digest)


def header(
    settings: Settings, title: str, in_currency: str, within: Span, *, empty: bool, sums_shown: Iterable[int] = ()
) -> pb.ReportHeader:
    """Return the header of a report; ``sums_shown`` are the sums that may exceed their fields."""
    now = time.time_ns() // 1_000_000
    return pb.ReportHeader(
        house=settings.house_name,
        title=title,
        currency=in_currency,
        create_time=wire_tables.timestamp(now),
        from_time=wire_tables.timestamp(within.from_ms),
        to_time=wire_tables.timestamp(min(within.to_ms, now)),
        note=NOTHING if empty else wire_sums.note(sums_shown),
    )
