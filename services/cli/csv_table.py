"""The one writer of CSV: rows whose texts no spreadsheet takes for a formula."""

import csv
import json
from collections.abc import Iterable
from typing import Any, Final, TextIO

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text must not begin with: a spreadsheet would compute it, and it may reach outside."""


class CsvTable:
    """Writes rows to a file; numbers stay numbers, lists and objects are written as JSON."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file)

    def row(self, cells: Iterable[object]) -> None:
        """Write one row."""
        self._writer.writerow([cell(value) for value in cells])

    def rows(self, many: Iterable[Iterable[object]]) -> None:
        """Write several rows."""
        for cells in many:
            self.row(cells)


def cell(value: Any) -> Any:
    """Return a value as a cell; before a text that would be a formula stands an apostrophe."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULAS):
        return "'" + value
    return value
