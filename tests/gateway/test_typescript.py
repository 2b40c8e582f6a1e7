"""The TypeScript package: types, linters, and its own tests in Node and in a real browser against a real house."""

import fcntl
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.localhouse.local_house import LocalHouse
from services.runtime.identity import Role

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "protos" / "typescript"
PLAYERS = ("ann", "bob", "cid", "dee", "eve", "fay", "gus", "hal", "ida", "jon", "kim", "lee", "moe")
SECONDS = 280
pytestmark = pytest.mark.timeout(600)


def npm(*arguments: str, **environment: str) -> str:
    """Run npm in the package; it must succeed. Return what it wrote."""
    line = [sys.executable, str(PACKAGE / "npm.py"), *arguments]
    done = subprocess.run(
        line, env=os.environ | environment, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="session")
def package() -> Path:
    """Return the folder of the package, built from the protos as they are now."""
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    with (folder / "typescript.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make = ["make", "--no-print-directory", "-C", str(ROOT), "typescript"]
        done = subprocess.run(make, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return PACKAGE


@pytest.fixture
def described(house: LocalHouse, tmp_path: Path) -> Path:
    """Return a file with the addresses of the house and tokens of its people."""
    tokens = {name: house.token(name) for name in PLAYERS} | {"boss": house.token("boss", Role.OPERATOR)}
    addresses = {"gateway": "gateway", "dealer": "dealer-1", "settlement": "settlement"}
    told: dict[str, Any] = {name: house.members[member].address for name, member in addresses.items()}
    path = tmp_path / "house.json"
    path.write_text(json.dumps(told | {"tokens": tokens}), encoding="utf-8")
    return path


@pytest.mark.parametrize("where", ["node", "browser"])
def test_the_package_plays_at_a_real_house(package: Path, described: Path, where: str) -> None:
    """The package's own tests pass: in Node over gRPC, and in a real browser over gRPC-Web."""
    cache = package / "node_modules" / ".cache"
    cache.mkdir(exist_ok=True)
    if where == "browser":
        npm("run", "browser", TMPDIR=str(cache))
    npm("run", f"test:{where}", PITBOSS_TEST_HOUSE=str(described), TMPDIR=str(cache))


def test_the_twenty_lines_of_its_readme_play_a_round(package: Path, house: LocalHouse) -> None:
    """The example of the page runs as it stands, but for this house's addresses, and prints what both seats won."""
    page = (package / "README.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    assert len(example.splitlines()) <= 24
    for here, there in {
        "127.0.0.1:7480": house.members["gateway"].address,
        "../../.venv/bin/pitboss": str(Path(sys.executable).with_name("pitboss")),
        "../../var": str(house.folder),
    }.items():
        assert here in example
        example = example.replace(here, there)
    (package / "dist" / "readme.mjs").write_text(example, encoding="utf-8")
    said = npm("exec", "--offline", "--", "node", "dist/readme.mjs")
    assert said.count("pitboss.v1.SeatResult") == 2, said


def test_the_lock_file_names_no_host() -> None:
    """The lock file pins each package by its hash and holds no address of a registry."""
    text = (PACKAGE / "package-lock.json").read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert "://" not in "".join(str(one.get("resolved", "")) for one in packages.values())
    assert [name for name, one in packages.items() if name and "integrity" not in one] == []


def test_types_are_generated_and_not_kept() -> None:
    """No generated file is tracked: the types cannot fall behind the protos."""
    listed = subprocess.run(
        ["git", "ls-files", str(PACKAGE)], cwd=ROOT, capture_output=True, text=True, timeout=30, check=True
    ).stdout
    assert "src/house.ts" in listed
    assert "src/gen" not in listed
    assert "dist/" not in listed
