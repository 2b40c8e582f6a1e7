"""Archaic and private forms that the style guide bans are in no text of the repository.

The list holds only forms that are wrong wherever they occur. What depends on the sentence is left to the reader.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("services", "tests", "protos", "migrations", "deploy", "docs")
KINDS = {".py", ".ts", ".proto", ".md", ".yml", ".yaml", ".sh", ".toml"}
LEFT_OUT = (
    "docs/rules/",  # the sheets keep the words of the games
    "docs/requirements.md",  # quoted from its source
    "docs/style.md",  # names the forms
    "tests/test_style.py",
    "tests/cases/",  # the cases quote the sheets
    "tests/hands/",
)
FORMS = {
    "told": (r"\b(?:is|are|was|were|be|been|being) told\b|\btold (?:of|as|apart)\b", "report, notify, distinguish"),
    "is none": (r"(?<!there )(?<!There )\b(?:is|are) none\b(?! of\b)", "is not a valid …"),
    "nought": (r"\b[Nn]oughts?\b|_noughts?\b", "zero"),
    "for ever": (r"\b[Ff]or ever\b|_for_ever\b", "forever, permanently, without end"),
    "whoever": (r"[Ww]hoever|_whoever\b", "anyone who, the person who, the caller"),
    "decided again": (r"\bdecide[sd]? (?:\w+ ){0,5}again\b", "replayed; run again on the new version"),
    "shall": (r"\bshall\b", "must, should, will"),
    "thereof": (r"\b(?:thereof|therein|whence|thence|hitherto|wherein|whereof)\b", "of it, in it, from where"),
}
"""Each form: what is searched for, and what to write instead."""

OPENINGS = {"Give", "Gives", "Say", "Says", "Tell", "Tells", "Have", "Hear"}
"""Verbs that open no docstring: *return, report, notify, run* are meant."""

ALLOWED = {
    ("services/rules/actions.py", "Give"): "a player gives up its hand",
    ("services/rules/poker/betting.py", "Give"): "chips are given back to a seat",
}
"""Places where such a word has its plain meaning: file and word, and why."""


MADE = {"node_modules", "dist", "gen"}
"""Folders that tools fill."""


@cache
def _texts() -> dict[str, str]:
    """Return every text that people wrote, by its path in the checkout."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))]
    paths += [*sorted(ROOT.glob("*.md")), ROOT / "Makefile"]
    named = {path.relative_to(ROOT).as_posix(): path for path in paths if path.is_file() and not MADE & {*path.parts}}
    return {
        name: path.read_text(encoding="utf-8")
        for name, path in named.items()
        if (path.suffix in KINDS or name == "Makefile") and "_pb2" not in name and not name.startswith(LEFT_OUT)
    }


def _docstrings() -> Iterator[tuple[str, int, str, str]]:
    """Yield file, line, name of the function or class (empty for a module) and text of every docstring."""
    for name, text in _texts().items():
        if not name.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found = ast.get_docstring(node)
                if found:
                    named = "" if isinstance(node, ast.Module) else node.name
                    yield name, node.body[0].lineno, named, found


@pytest.mark.parametrize("form", FORMS)
def test_no_text_holds_a_banned_form(form: str) -> None:
    """No text outside of the sheets holds a form that the style guide bans."""
    pattern, instead = FORMS[form]
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in _texts().items()
        if (name, form) not in ALLOWED
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert not found, f"{len(found)} x {form!r}; write: {instead}\n" + "\n".join(found)


def test_docstrings_open_with_standard_verbs() -> None:
    """No docstring opens with a verb of telling or giving where *return* or *report* is meant."""
    opened = [(name, line, text.split()[0]) for name, line, _, text in _docstrings()]
    found = [
        f"{name}:{line}: {word}" for name, line, word in opened if word in OPENINGS and (name, word) not in ALLOWED
    ]
    assert not found, "\n".join(found)


def test_no_claim_opens_with_a_free_relative() -> None:
    """No test's docstring opens with "Who does this …": it names the person, as in "A player who …"."""
    found = [
        f"{name}:{line}: {text.splitlines()[0]}"
        for name, line, named, text in _docstrings()
        if named.startswith("test_") and text.startswith("Who ")
    ]
    assert not found, "\n".join(found)


def test_every_exception_is_needed() -> None:
    """The allow-list names only places that hold the word."""
    texts = _texts()
    stale = [(name, word) for name, word in ALLOWED if word not in texts.get(name, "")]
    assert not stale
