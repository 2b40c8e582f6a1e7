"""Chooses the tests of a mutant: those that run its block by the map, cheap and near ones first."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutation.blocks import Map
from tests.mutation.mutants import Mutant

SHARED = {"postgres_server", "_migrated", "redis_server"}
"""Fixtures of the whole run that cost nothing here: their servers run already."""
WHOLE_SECONDS = 8.0
"""What a fixture costs that outlives a test, such as a house: the map has it with the first test that asks for it."""
UNKNOWN_SECONDS = 1.0
MOST_UNMAPPED = 200
"""Tests of a mutant that no recorded test runs: those of the files that name its module."""


class Choice:
    """The tests of a session and what is known of them."""

    def __init__(self, copy: Path, items: Sequence[pytest.Item], recorded: Map) -> None:
        self._items = items
        self._map = recorded
        self._texts = {item.path: item.path.read_text(encoding="utf-8") for item in items}
        self._copy = copy

    def tests(self, one: Mutant) -> list[pytest.Item]:
        """Return the tests that run the mutant's block and unmapped ones that name its module, in the order to run.

        Cheap and near ones come first, and of each test function one case before others. For a mutant that runs at
        import these are the tests that run or name its module.
        """
        distances = {file: distance(text, file, one.path) for file, text in self._texts.items()}
        at_import = self.at_import(one)
        blocks = self._map.known[one.path] if at_import else {self._map.block(one.path, one.line)}
        ran = {test for block in blocks if block for test in self._map.ran.get(block, ())}
        chosen = [item for item in self._items if item.nodeid in ran]
        named = [
            item
            for item in self._items
            if distances[item.path] < 2
            and item.nodeid not in ran
            and (at_import or not ran or item.nodeid not in self._map.seconds)
        ]
        return self._ordered([*chosen, *named[:MOST_UNMAPPED]], distances, Path(one.path))

    def _ordered(self, items: Sequence[pytest.Item], distances: dict[Path, int], one: Path) -> list[pytest.Item]:
        cases: Counter[str] = Counter()
        cost: dict[str, float] = {}
        for item in sorted(items, key=self.seconds):
            function = item.nodeid.partition("[")[0]
            cases[function] += 1
            far = distances[item.path] - (one.stem in item.nodeid and distances[item.path] > 1)
            cost[item.nodeid] = (0.05 + self.seconds(item)) * (1, 4, 8, 30)[far] * cases[function]
        return sorted(items, key=lambda item: cost[item.nodeid])

    def within(self, items: Sequence[pytest.Item], seconds: float) -> list[pytest.Item]:
        """Return the first of the tests that fit into so many seconds together."""
        found = []
        for item in items:
            if self.seconds(item) <= seconds:
                seconds -= self.seconds(item)
                found.append(item)
        return found or list(items[:1])

    def at_import(self, one: Mutant) -> bool:
        """Whether an import runs the mutant, so that only a fresh process shows what it changes."""
        block = self._map.block(one.path, one.line)
        return block is None or block in self._map.imported

    def seconds(self, item: pytest.Item) -> float:
        """Return what a test is expected to cost."""
        info = getattr(item, "_fixtureinfo", None)
        found = info.name2fixturedefs.items() if info else ()
        whole = sum(defs[-1].scope != "function" for name, defs in found if name not in SHARED)
        return self._map.seconds.get(item.nodeid, UNKNOWN_SECONDS) + WHOLE_SECONDS * bool(whole)

    def bound_seconds(self, item: pytest.Item) -> float:
        """Return the seconds after which a test is taken to hang."""
        return max(30.0, 10 * self.seconds(item))


def distance(text: str, file: Path, changed: str) -> int:
    """Return how far a test file is from a module: 0 imports it, 1 names it, 2 is in its room, 3 all others."""
    module = Path(changed).with_suffix("")
    folder, dotted = re.escape(".".join(module.parts[:-1])), re.escape(".".join(module.parts))
    imported = re.compile(rf"from {folder} import [^\n]*\b{module.name}\b|\b{dotted}\b")
    if imported.search(text) or file.stem == f"test_{module.name}":
        return 0
    if re.search(rf"\b{module.name}\b", text):
        return 1
    return 2 if module.parts[1] in file.parts else 3
