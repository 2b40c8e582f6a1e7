"""The conformance page names a test for every line that a licensed house must show, and every named test is there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "conformance.md"
REQUIREMENTS = ROOT / "docs" / "requirements.md"
CORE = (
    "R1",
    "R2",
    "R4",
    "R5",
    "R6",
    "R7",
    "R9",
    "R10",
    "R11",
    "R12",
    "R14",
    "R15",
    "R16",
    "R17",
    "R18",
    "R21",
    "R22",
    "R23",
    "R24",
    "R25",
    "R27",
    "R28",
    "R29",
    "R32",
    "R35",
    "R36",
    "R37",
    "R38",
    "R39",
    "R42",
    "R46",
    "R48",
)
"""The lines of the first house."""


def lines() -> dict[str, list[str]]:
    """Return the tests that the page names for each line."""
    found: dict[str, list[str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if re.fullmatch(r"R\d+", cells[0]):
            assert cells[0] not in found, f"{cells[0]} stands twice"
            found[cells[0]] = re.findall(r"`(tests/[\w/]+\.py::\w+)`", cells[-1])
    return found


@cache
def names_in(path: str) -> set[str]:
    """Return the names of the test functions in a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_core_line_is_on_the_page_with_a_test() -> None:
    """A line without a test is not met."""
    page = lines()
    assert [one for one in CORE if not page.get(one)] == []


@pytest.mark.parametrize("line", list(lines()))
def test_every_named_test_is_there(line: str) -> None:
    """Each path is a file, each name a test function in it."""
    missing = []
    for named in lines()[line]:
        path, name = named.split("::")
        if not (ROOT / path).is_file() or name not in names_in(path):
            missing.append(named)
    assert missing == []


def test_the_core_lines_are_those_of_the_requirements() -> None:
    """The list above is the one that the requirements call core."""
    found = re.findall(r"^\| (R\d+) \|.*\| core \|$", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(found) == CORE


@pytest.mark.parametrize("page", ["SECURITY.md", "docs/audit.md"])
def test_tests_named_by_a_page_exist(page: str) -> None:
    """Every test file, and every test in it, that a page names as its proof is there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lost = [path for path in re.findall(r"`(tests/[\w/]+\.py)`", text) if not (ROOT / path).is_file()]
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
        if not (ROOT / path).is_file() or name not in names_in(path):
            lost.append(f"{path}::{name}")
    assert lost == []
