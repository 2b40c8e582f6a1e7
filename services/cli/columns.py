"""Lists for people: one line for each row, in aligned columns, without borders."""

from collections.abc import Sequence

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDEST = 10_000
"""Characters of a line, so that no list is wrapped or cut, in a terminal or in a file."""


def write(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print headings and rows to standard output. Texts are printed as they are, without markup."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(width=WIDEST, highlight=False)
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())
