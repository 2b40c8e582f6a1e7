"""``pitboss report NAME``: reports as JSON lines or CSV, with all pages, for any time span."""

import asyncio
import datetime as dt
import json
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Final, TextIO

import msgspec
import typer
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from pitboss import client
from pitboss.v1 import back_office_pb2 as pb

from services.cli import backoffice, reach
from services.runtime.csv_table import CsvTable


def moment(text: str) -> dt.datetime:
    """Parse a date or time, UTC if it names no time zone. Raises typer.BadParameter."""
    try:
        return _utc(dt.datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is not a date or time; write 2027-01-31 or 2027-01-31T12:00:00") from None


def require(first: dt.datetime | None, last: dt.datetime | None) -> None:
    """Raise typer.BadParameter if the span is empty or in the future (None: not given).

    A time without a time zone is UTC.
    """
    begin, end = (None if given is None else _utc(given) for given in (first, last))
    if begin is not None and begin > dt.datetime.now(dt.UTC):
        raise typer.BadParameter(f"--from {begin:%Y-%m-%dT%H:%M:%S} is in the future (UTC)")
    if begin is not None and end is not None and end <= begin:
        raise typer.BadParameter(f"--to {end:%Y-%m-%dT%H:%M:%S} is not after --from {begin:%Y-%m-%dT%H:%M:%S} (UTC)")


def _utc(given: dt.datetime) -> dt.datetime:
    return given.replace(tzinfo=given.tzinfo or dt.UTC).astimezone(dt.UTC)


FORMATS: Final = ("jsonl", "csv")
PERIODS: Final = {
    "": pb.REPORT_PERIOD_UNSPECIFIED,
    "day": pb.REPORT_PERIOD_DAY,
    "month": pb.REPORT_PERIOD_MONTH,
    "year": pb.REPORT_PERIOD_YEAR,
}


class Report(msgspec.Struct, frozen=True):
    """A report: its method, the field with its lines ("": the answer itself is the only line), and their order.

    ``takes`` names the fields of the request that have an option. An ``order_by`` of "" is the order of the method.
    """

    method: str
    lines: str
    takes: tuple[str, ...] = ()
    order_by: str = ""


REPORTS: Final = {
    "games": Report("ListGamePerformance", "games", ("currency", "period")),
    "turnover": Report("ListTurnover", "lines", ("currency", "period")),
    "liability": Report("GetHouseLiability", "", ("currency",)),
    "events": Report("ListSignificantEvents", "significant_events"),
    "statement": Report("GetPlayerStatement", "", ("currency", "player")),
    "rounds": Report("ListPlayedRounds", "rounds", ("currency", "player"), order_by="end_time"),
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join(REPORTS)}.")],
    first: Annotated[str, typer.Option("--from", help="Begin, such as 2026-11-01 or 2026-11-01T12:00:00 (UTC).")] = "",
    last: Annotated[str, typer.Option("--to", help="End, not included. Default: now.")] = "",
    form: Annotated[str, typer.Option("--format", help="jsonl or csv.")] = "jsonl",
    period: Annotated[str, typer.Option(help="Group by day, month or year. Default: the whole span.")] = "",
    player: Annotated[str, typer.Option(help="Player of the statement or rounds.")] = "",
    currency: Annotated[str, typer.Option(help="Default: the house's own.")] = "",
    out: Annotated[Path, typer.Option(help="File to write; - for standard output.")] = Path("-"),
    folder: backoffice.Folder = Path("var"),
    operator: backoffice.Name = "",
) -> None:
    """Write a report: its heading, then its lines."""
    if name not in REPORTS or form not in FORMATS or period not in PERIODS:
        raise typer.BadParameter(
            f"reports: {', '.join(REPORTS)}; formats: {', '.join(FORMATS)}; periods: day, month, year"
        )
    if "player" in REPORTS[name].takes and not player:
        raise typer.BadParameter(f"the report {name!r} is about one player; name it with --player")
    given: dict[str, Any] = {"currency": currency, "player": player, "period": PERIODS[period]}
    request = getattr(pb, f"{REPORTS[name].method}Request")(**{key: given[key] for key in REPORTS[name].takes})
    begin, end = (moment(text) if text else None for text in (first, last))
    require(begin, end)
    for field, bound in (("from_time", begin), ("to_time", end)):
        if bound is not None:
            getattr(request, field).FromDatetime(bound)
    if REPORTS[name].order_by:
        request.order_by = REPORTS[name].order_by
    asyncio.run(_write(REPORTS[name], request, form, out, folder, operator))


async def _write(kind: Report, request: Any, form: str, out: Path, folder: Path, name: str) -> None:
    count = 0
    async with backoffice.operator(folder, name) as house:
        with _opened(out) as file:
            writer = Lines(file) if form == "jsonl" else Table(file)
            async for page in _pages(house, kind, request):
                if count == 0:
                    writer.heading(_heading(kind, page))
                lines: Iterable[Message] = getattr(page, kind.lines) if kind.lines else [page]
                for line in lines:
                    writer.line({key: value for key, value in plain(line).items() if key not in _HEADINGS})
                count += 1


_HEADINGS: Final = ("header", "next_page_token")


def _heading(kind: Report, page: Message) -> dict[str, Any]:
    """Return a report's heading and the other fields beside its lines."""
    whole = plain(page)
    beside = {key: value for key, value in whole.items() if kind.lines and key not in (*_HEADINGS, kind.lines)}
    heading: dict[str, Any] = whole["header"]
    return heading | beside


async def _pages(house: client.House, kind: Report, request: Any) -> AsyncIterator[Any]:
    paged = "page_size" in request.DESCRIPTOR.fields_by_name
    if paged:
        request.page_size = 500
    while True:
        page = await backoffice.call(house, kind.method, request)
        yield page
        if not paged or not page.next_page_token:
            return
        request.page_token = page.next_page_token


def plain(message: Message) -> dict[str, Any]:
    """Return all fields of a message by name, in their order. An absent message is ""."""
    return {field.name: _value(message, field) for field in message.DESCRIPTOR.fields}


def _value(message: Message, field: Any) -> Any:
    value = getattr(message, field.name)
    if field.is_repeated:
        return [plain(entry) if isinstance(entry, Message) else entry for entry in value]
    if isinstance(value, Message):
        if not message.HasField(field.name):
            return ""
        return value.ToJsonString() if isinstance(value, Timestamp) else plain(value)
    return field.enum_type.values_by_number[value].name if field.enum_type is not None else value


class Lines:
    """Writes JSON lines: the heading first."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def heading(self, heading: dict[str, Any]) -> None:
        """Write the heading."""
        self.line(heading)

    def line(self, line: dict[str, Any]) -> None:
        """Write one line."""
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")


class Table:
    """Writes CSV: the heading in two columns, an empty line, then column names and lines."""

    def __init__(self, file: TextIO) -> None:
        self._table = CsvTable(file)
        self._columns: list[str] = []

    def heading(self, heading: dict[str, Any]) -> None:
        """Write the heading."""
        self._table.rows(heading.items())
        self._table.row(())

    def line(self, line: dict[str, Any]) -> None:
        """Write one line. The first one also writes the column names; nested values are JSON."""
        if not self._columns:
            self._columns = list(line)
            self._table.row(self._columns)
        self._table.row(line.get(column, "") for column in self._columns)


def _opened(out: Path) -> AbstractContextManager[TextIO]:
    return nullcontext(sys.stdout) if str(out) == "-" else reach.opened(out)
