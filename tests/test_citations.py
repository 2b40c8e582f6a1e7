"""Every rule and requirement that code, tests and pages cite stands in ``docs``.

A citation is written in brackets: ``[R43]`` for a requirement, ``[poker 0.4]`` for a section, ``[blackjack D1]`` for a
decision, ``[napoleon Play 3, D6]`` for a step and a decision, ``[rules "From claims to chips" 3]`` for a step under a
heading. ``rules`` is the page that all sheets share; other names are families or games.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from services.rules import catalogue

ROOT = Path(__file__).resolve().parents[1]
SHEETS = ROOT / "docs" / "rules"
REQUIREMENTS = ROOT / "docs" / "requirements.md"
FAMILIES = ("poker", "banker", "showdown", "tricks", "climbing", "survival")
NAMES = ("rules", *FAMILIES, *catalogue.FILES)
PLACE = r'(?:D\d+(?: to D\d+)?|0(?:\.\d+)?(?: to 0\.\d+)?(?: rule \d+)?|Play \d+|"[^"]+"(?: \d+)?)'
ITEM = rf"(?:R\d+|(?:{'|'.join(NAMES)}) {PLACE})"
CITATION = re.compile(rf"\[({ITEM}(?:[,;] (?:{ITEM}|{PLACE}))*)\]")
NEARLY = re.compile(
    r"requirements? R\d|\bengine D\d|\((?:step )?\d+(?:, (?:\d+|D\d+))*\)\.?\"\"\"|\(D\d+(?:, D\d+)*\)|rules/README, "
    rf"|\[(?:{'|'.join(NAMES)}) (?:D\d|0\.\d|Play|\")[^\]]*\]|\[R\d+[^\]]*\]"
)
"""What looks like a citation; each must be one."""


def _texts() -> list[Path]:
    folders = ("services", "tests", "migrations", "protos/pitboss", "docs")
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.suffix in {".py", ".md"}]
    return [path for path in found if "_pb2" not in path.name and path != Path(__file__)]


@cache
def _page(name: str) -> str:
    """Return the part of the sheets that a name stands for: a game's own section, or a family's page without games."""
    if name in FAMILIES or name == "rules":
        text = (SHEETS / f"{'README' if name == 'rules' else name}.md").read_text(encoding="utf-8")
        return re.sub(r"(?ms)^## `\w+`.*?(?=^## |\Z)", "", text)
    for sheet in sorted(SHEETS.glob("*.md")):
        found = re.search(rf"(?ms)^## `{name}`.*?(?=^## |\Z)", sheet.read_text(encoding="utf-8"))
        if found:
            return found[0]
    return ""


def _section(page: str, heading: str) -> str:
    """Return the text under a heading, or behind a bold word at the start of a paragraph; empty where there is none."""
    found = re.search(rf"(?ms)^(#+) {re.escape(heading)}\b.*?(?=^#{{1,3}} |\Z)", page)
    if found:
        return found[0]
    bold = re.search(rf"(?ms)^(?:- |\d+\. )?\*\*{re.escape(heading)}\b.*?(?=\n\n|\n- \*\*|\Z)", page)
    return bold[0] if bold else ""


def _stands(name: str, place: str) -> bool:
    page = _page(name)
    if place.startswith("D"):
        return all(re.search(rf"(?m)(?:^- |\s){one} ", page) for one in re.findall(r"D\d+", place))
    if place.startswith("0"):
        sections, _, rule = place.partition(" rule ")
        whole = [_section(page, one if "." in one else f"{one}.") for one in sections.split(" to ")]
        return all(whole) and (not rule or bool(re.search(rf"(?m)^{rule}\. ", whole[0])))
    form = re.fullmatch(r'(?:"([^"]+)"|Play)(?: (\d+))?', place)
    assert form is not None, f"{place} is not a place on a sheet"
    heading, number = form.groups()
    section = _section(page, heading or "Play")
    return bool(section) and (number is None or bool(re.search(rf"(?:^|\s){number}\. ", section)))


def _places(citation: str) -> Iterator[tuple[str, str]]:
    """Return (name, place) of each item of a citation; requirements have the name ``R``."""
    name = ""
    for item in re.split(r"[,;] (?=[^\"]*(?:\"[^\"]*\"[^\"]*)*$)", citation):
        if re.fullmatch(r"R\d+", item):
            yield "R", item
            continue
        first, _, rest = item.partition(" ")
        name, place = (first, rest) if first in NAMES else (name, item)
        yield name, place


def test_every_citation_resolves() -> None:
    """Each cited requirement, section, decision and step is found where the citation says."""
    requirements = REQUIREMENTS.read_text(encoding="utf-8")
    lost: list[str] = []
    count = 0
    for path in _texts():
        for found in CITATION.finditer(path.read_text(encoding="utf-8")):
            for name, place in _places(found[1]):
                count += 1
                known = f"| {place} |" in requirements if name == "R" else _stands(name, place)
                if not known:
                    lost.append(f"{path.relative_to(ROOT)}: {found[0]}")
    assert lost == []
    assert count > 200


def test_citations_have_one_form() -> None:
    """Nothing that looks like a citation is written in another form."""
    odd: list[str] = []
    for path in _texts():
        if path.is_relative_to(ROOT / "docs" / "rules"):
            continue
        text = path.read_text(encoding="utf-8")
        odd += [
            f"{path.relative_to(ROOT)}: {one[0]}" for one in NEARLY.finditer(text) if not CITATION.fullmatch(one[0])
        ]
    assert odd == []


@pytest.mark.parametrize(
    "citation", ["[poker 0.99]", "[poker D99]", "[napoleon Play 99]", '[rules "No such heading"]', "[R999]"]
)
def test_a_citation_of_nothing_is_found(citation: str) -> None:
    """A citation of a section, decision, step, heading or requirement that does not exist does not resolve."""
    found = CITATION.fullmatch(citation)
    [(name, place)] = _places(found[1]) if found else [("", "D0")]
    assert name == "R" or not _stands(name, place)
    assert name != "R" or f"| {place} |" not in REQUIREMENTS.read_text(encoding="utf-8")
