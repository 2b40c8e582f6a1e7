"""The only writer of CSV. It protects texts that a spreadsheet would run as formulas."""

import csv
import json
from collections.abc import Iterable
from typing import Any, Final, TextIO

FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings that a spreadsheet takes for a formula, which could send data elsewhere."""


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
    """Return a value as a cell. A text that would be a formula gets an apostrophe in front."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULAS):
        return "'" + value
    return value
