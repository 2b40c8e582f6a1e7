"""A pytest plugin that writes, test by test, the blocks that ran and the seconds: one JSON line each."""

import json
import os
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.mutation import blocks, plan

MARKS = blocks.Marks(Path.cwd())
OUT = Path(os.environ[plan.MAP_ENV])


def _write(test: str | None, **more: object) -> None:
    with OUT.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"test": test, **more, "blocks": MARKS.taken()}) + "\n")


def pytest_collection_finish() -> None:
    """Write all blocks, and those that imports ran."""
    _write(None, all=MARKS.all)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write what one test ran, its fixtures with it."""
    began = time.monotonic()
    returned = yield
    _write(item.nodeid, seconds=round(time.monotonic() - began, 3))
    return returned
