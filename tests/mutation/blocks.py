"""Which blocks of the code each test runs: marks written into a copy of ``services``, read after each test.

The first statement of every function and of every branch of a copy sets one byte of a file that all processes share.
So the marks tell of houses and dealers in processes of their own as well. ``record`` is slow only by the tests.
"""

import ast
import json
import mmap
import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

MARKS = "pitboss_marks"
"""The module, in the root of the copy, that maps the shared bytes."""
MODULE = '''"""Bytes that every process of the copy shares; one for each block."""

import mmap
from pathlib import Path

with Path(__file__).with_suffix(".bin").open("r+b") as _file:
    HIT = mmap.mmap(_file.fileno(), 0)
'''
MOST_BLOCKS = 1 << 16


def mark(copy: Path) -> None:
    """Write the marks into the copy, and beside them which block each byte is: path, first and last line."""
    blocks: list[tuple[str, int, int]] = []
    for file in sorted((copy / "services").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        marker = _Marker(file.relative_to(copy).as_posix(), blocks)
        tree = ast.parse(text)
        marker.visit(tree)
        at = next((i for i, one in enumerate(tree.body) if not _opens(one)), len(tree.body))
        tree.body.insert(at, ast.parse(f"from {MARKS} import HIT as __HIT__").body[0])
        file.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
    assert len(blocks) <= MOST_BLOCKS
    (copy / f"{MARKS}.py").write_text(MODULE, encoding="utf-8")
    (copy / f"{MARKS}.bin").write_bytes(bytes(MOST_BLOCKS))
    (copy / f"{MARKS}.json").write_text(json.dumps(blocks), encoding="utf-8")


def _opens(statement: ast.stmt) -> bool:
    """Whether the statement must stay before all others: the docstring or an import from the future."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


class _Marker(ast.NodeTransformer):
    """Puts a mark at the beginning of each block within a function."""

    def __init__(self, path: str, blocks: list[tuple[str, int, int]]) -> None:
        self._path = path
        self._blocks = blocks
        self._depth = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Mark the blocks of a statement, then those within it."""
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        self._depth += function
        if self._depth:
            for name in ("body", "orelse", "finalbody"):
                body = getattr(node, name, None)
                if isinstance(body, list) and body and not isinstance(node, ast.ClassDef):
                    self._mark(body)
        self.generic_visit(node)
        self._depth -= function
        return node

    def _mark(self, body: list[ast.stmt]) -> None:
        last = body[-1].end_lineno
        assert last is not None
        self._blocks.append((self._path, body[0].lineno, last))
        found = ast.parse(f"__HIT__[{len(self._blocks) - 1}] = 1").body[0]
        for one in ast.walk(found):
            ast.copy_location(one, body[0])
        body.insert(1 if _opens(body[0]) else 0, found)


class Marks:
    """The shared bytes of a copy."""

    def __init__(self, copy: Path) -> None:
        with (copy / f"{MARKS}.bin").open("r+b") as file:
            self._bytes = mmap.mmap(file.fileno(), 0)
        self.all: list[list[object]] = json.loads((copy / f"{MARKS}.json").read_text(encoding="utf-8"))

    def taken(self) -> dict[str, list[list[object]]]:
        """Return the blocks that ran since the last call, by file: first and last line."""
        found: dict[str, list[list[object]]] = defaultdict(list)
        for one in re.finditer(b"\x01", self._bytes):
            path, first, last = self.all[one.start()]
            found[str(path)].append([first, last])
            self._bytes[one.start()] = 0
        return found


Block = tuple[str, int, int]
"""A file, and the first and last line of a block of it."""


@dataclass
class Map:
    """What was recorded: the seconds of each test, and the tests that run each block."""

    seconds: dict[str, float] = field(default_factory=dict)
    ran: dict[Block, set[str]] = field(default_factory=lambda: defaultdict(set))
    imported: set[Block] = field(default_factory=set)
    known: dict[str, set[Block]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def read(cls, file: Path) -> "Map":
        """Return the map that the recorder wrote to the file; an empty one where there is none."""
        found = cls()
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            one = json.loads(line)
            for path, first, last in one.get("all", ()):
                found.known[path].add((path, first, last))
            ran = {(path, first, last) for path, spans in one["blocks"].items() for first, last in spans}
            if one["test"] is None:
                found.imported |= ran
                continue
            found.seconds[one["test"]] = one["seconds"]
            for place in ran:
                found.ran[place].add(one["test"])
        return found

    def block(self, path: str, line: int) -> Block | None:
        """Return the smallest block with the line; None for a line outside of all functions."""
        holding = [one for one in self.known.get(path, ()) if one[1] <= line <= one[2]]
        return min(holding, key=lambda one: one[2] - one[1], default=None)
