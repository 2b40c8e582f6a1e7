"""Mutants of a Python file: one changed expression or statement each, found by its syntax tree."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
"""What each comparison becomes."""
COUNTED: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
}
"""What each arithmetic operator becomes."""
OPERATIONS = (ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.Compare, ast.IfExp, ast.Lambda, ast.Await)
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}
QUIET = {"log", "trace", "metrics"}
"""Names whose calls report only; a skipped one changes no behaviour that tests of behaviour see."""


@dataclass(frozen=True)
class Mutant:
    """One change: bytes ``start`` to ``end`` of a file are replaced by ``new``."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    old: str
    new: str

    def applied(self, text: str) -> str:
        """Return the file with the change."""
        data = text.encode()
        assert data[self.start : self.end].decode() == self.old, "the file is the one that the mutant was made of"
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()

    def described(self) -> str:
        """Return place and change in one line."""
        return f"{self.path}:{self.line} {self.kind}: {' '.join(self.old.split())} -> {self.new}"

    @property
    def room(self) -> str:
        """Return the folder of ``services`` that the file is in."""
        return Path(self.path).parts[1]

    def record(self) -> dict[str, object]:
        """Return what a report keeps."""
        return {"path": self.path, "line": self.line, "kind": self.kind, "old": self.old, "new": self.new}


def of_file(path: Path, text: str) -> Iterator[Mutant]:
    """Return every mutant of a file; assertions and type annotations are left alone."""
    finder = _Finder(path.as_posix(), text)
    finder.visit(ast.parse(text))
    yield from finder.found


class _Finder(ast.NodeVisitor):
    """Walks a tree and collects mutants."""

    def __init__(self, path: str, text: str) -> None:
        self.found: list[Mutant] = []
        self._path = path
        self._data = text.encode()
        self._begins = [0]
        for line in text.splitlines(keepends=True):
            self._begins.append(self._begins[-1] + len(line.encode()))

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._begins[node.lineno - 1] + node.col_offset, self._begins[node.end_lineno - 1] + node.end_col_offset

    def _add(self, node: ast.expr | ast.stmt, kind: str, new: str) -> None:
        start, end = self._span(node)
        self.found.append(Mutant(self._path, node.lineno, kind, start, end, self._data[start:end].decode(), new))

    def _source(self, node: ast.expr) -> str:
        """Return the text of an operand, in brackets where it has operators of its own."""
        start, end = self._span(node)
        text = self._data[start:end].decode()
        return f"({text})" if isinstance(node, OPERATIONS) else text

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave assertions alone: they guard what cannot happen."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Look at the value and not at the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Look at the body: whether a record is frozen or has slots changes nothing that the house does."""
        for statement in node.body:
            self.visit(statement)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Look at the body and not at annotations and decorators; what only developers see is left alone."""
        if node.name != "__repr__":
            for statement in node.body:
                self.visit(statement)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Look at the body and not at annotations and decorators."""
        for statement in node.body:
            self.visit(statement)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Change a comparison of two values."""
        if len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
            left, right = self._source(node.left), self._source(node.comparators[0])
            self._add(node, "comparison", f"{left} {COMPARED[type(node.ops[0])]} {right}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Change an arithmetic operator between numbers."""
        texts = any(
            isinstance(side, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) or _is_text(side)
            for side in (node.left, node.right)
        )
        if type(node.op) in COUNTED and not texts:
            new = f"({self._source(node.left)} {COUNTED[type(node.op)]} {self._source(node.right)})"
            self._add(node, "arithmetic", new)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Exchange and for or."""
        word = " or " if isinstance(node.op, ast.And) else " and "
        self._add(node, "and/or", "(" + word.join(self._source(value) for value in node.values) + ")")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Drop a not or a minus."""
        if isinstance(node.op, ast.Not | ast.USub):
            self._add(node, "dropped", f"({self._source(node.operand)})")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        """Take a branch always, or never."""
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self._add(node.test, "always", "True")
            self._add(node.test, "never", "False")
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Drop an error."""
        if node.exc is not None and not (isinstance(node.exc, ast.Name) and node.exc.id == "NotImplementedError"):
            self._add(node, "no error", "pass")

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change a number by one, or a truth value."""
        if isinstance(node.value, bool):
            self._add(node, "truth", str(not node.value))
        elif isinstance(node.value, int):
            self._add(node, "off by one", str(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        """Exchange min for max, and the arguments of a call of two."""
        if isinstance(node.func, ast.Name) and node.func.id in SWAPPED:
            self._add(node.func, "exchanged", SWAPPED[node.func.id])
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Skip a call whose answer nobody uses, unless it only reports."""
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            root = call.func
            while isinstance(root, ast.Attribute | ast.Call):
                root = root.value if isinstance(root, ast.Attribute) else root.func
            if not (isinstance(root, ast.Name) and root.id in QUIET):
                self._add(node, "skipped", "pass")
            self.generic_visit(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
