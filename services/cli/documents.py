"""Reads exported rounds: files of JSON lines, line by line."""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import typer


def read(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Yield the documents of the files, ``-`` for standard input. Raises typer.BadParameter."""
    for file in files:
        if str(file) != "-" and not file.exists():
            raise typer.BadParameter(f"there is no file {file}")
        lines = sys.stdin if str(file) == "-" else file.open(encoding="utf-8")
        found = 0
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                document = json.loads(line)
            except ValueError as error:
                raise typer.BadParameter(f"{file}, line {number} is not JSON: {error}") from None
            if not isinstance(document, dict):
                raise typer.BadParameter(f"{file}, line {number} is not an exported round")
            found += 1
            yield document
        if not found:
            raise typer.BadParameter(f"{file} is empty; expected exported rounds")
