"""The table in the page: its logic in Node, and recorded rounds of every game in a real browser."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.web import recorded

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "protos" / "typescript"
PAGE = ROOT / "services" / "web" / "page"
SECONDS = 280
pytestmark = pytest.mark.timeout(600)


def npm(folder: Path, *arguments: str, **environment: str) -> str:
    """Run npm in a folder; it must succeed. Return what it wrote."""
    line = [sys.executable, str(CLIENT / "npm.py"), "--in", str(folder), *arguments]
    done = subprocess.run(
        line, env=os.environ | environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="session")
def browser() -> Path:
    """Build the client, install the page's packages, unpack the browser. Return the folder that holds the browser."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    for name, line in {
        "typescript": ["typescript"],
        "page": [str(PAGE.relative_to(ROOT) / "node_modules/.installed")],
    }.items():
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            make = ["make", "--no-print-directory", "-C", str(ROOT), *line]
            done = subprocess.run(make, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    cache = CLIENT / "node_modules" / ".cache"
    cache.mkdir(exist_ok=True)
    npm(CLIENT, "run", "browser", TMPDIR=str(cache))
    return cache


def test_the_table_is_seen_and_played(browser: Path, tmp_path: Path) -> None:
    """In every game nothing overlaps, axe finds nothing, and clicks and keys send what the options allow."""
    recorded.main(tmp_path)
    said = npm(PAGE, "run", "test:table", PITBOSS_RECORDED=str(tmp_path), TMPDIR=str(browser))
    assert "nothing overlaps" in said
