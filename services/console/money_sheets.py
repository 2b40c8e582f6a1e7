"""The money of a span as a table: for spreadsheets as text (CSV) and as a workbook (XLSX)."""

import io
from collections.abc import Callable, Mapping
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final

import openpyxl
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from services.runtime import csv_table

if TYPE_CHECKING:
    from services.console.pages.money import House

CSV: Final = "text/csv; charset=utf-8"
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SHARE_DIGITS: Final = 6
Cell = str | int | float | None
_HELD: Final = ("wallets", "chips_at_tables", "carried_pots", "liability", "house", "fees")
_MOVED: Final = ("deposits", "withdrawals", "adjustments")
_WORDS: Final = {"chips_at_tables": "at_tables", "house": "house_bank"}
_WIDE, _NARROW = 22, 16
"""Widths of columns, in characters."""


def rows(found: "House", games: Mapping[str, str], t: Callable[..., str]) -> list[list[Cell]]:
    """Return the rows: the span, what is held at its end, what moved within it, and a row for each game."""
    held, header = found.held, found.held.header
    first, last = (
        one.ToDatetime().isoformat(timespec="milliseconds") + "Z" for one in (header.from_time, header.to_time)
    )
    made: list[list[Cell]] = [
        [header.house, header.currency, first, last],
        [],
        [t("held")],
        *([t(_WORDS.get(name, name)), getattr(held, name)] for name in _HELD),
        [],
        [t("in_span")],
        [t("cash.opening"), -found.opening.cashier],
        *([t(name), getattr(held, name)] for name in _MOVED),
        [t("cash.closing"), -held.cashier],
        [],
        [
            *(
                t(key)
                for key in ("game", "rounds", "turnover", "paid", "fees_only", "rake", "house_bank", "carried_pots")
            ),
            *(t(key) for key in ("players_won", "return", "interval.low", "interval.high", "theory")),
        ],
    ]
    for one in found.games:
        low, high = one.interval or (None, None)
        made.append(
            [
                games.get(one.game, one.game),
                one.rounds,
                one.staked,
                one.paid,
                one.fees,
                one.rake,
                one.house,
                one.pools,
                one.players,
                *(None if share is None else round(share, SHARE_DIGITS) for share in (one.actual, low, high)),
                "; ".join(f"{bet} {share:.4f}" for bet, share in one.theory),
            ]
        )
    return made


def text(made: list[list[Cell]]) -> bytes:
    """Return rows as CSV in UTF-8, with the mark by which spreadsheets know it."""
    out = io.StringIO(newline="")
    csv_table.CsvTable(out).rows(made)
    return out.getvalue().encode("utf-8-sig")


def workbook(made: list[list[Cell]]) -> bytes:
    """Return rows as a workbook with one sheet; numbers stay numbers."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for column in ascii_uppercase[: max(map(len, made))]:
        sheet.column_dimensions[column].width = _WIDE if column == "A" else _NARROW
    for row in made:
        is_heading = not any(isinstance(cell, int | float) for cell in row)
        sheet.append([_cell(sheet, cell, is_heading=is_heading) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _cell(sheet: WriteOnlyWorksheet, cell: Cell, *, is_heading: bool) -> Any:
    made = WriteOnlyCell(sheet, csv_table.cell(cell))
    if isinstance(cell, int):
        made.number_format = "#,##0"
    made.font = Font(bold=is_heading)
    return made
