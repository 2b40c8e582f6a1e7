"""Build artefacts: complete wheels, current stubs, a correct health probe and valid scripts."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from services.runtime import server
from tests.support import echo, scripts

ROOT = Path(__file__).parents[2]


def wheel(source: Path, out: Path) -> Path:
    """Build the wheel of a project with what is installed here, and return its path."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", str(out), str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = out.glob("*.whl")
    return made


def files(folder: Path, root: Path) -> set[str]:
    """Return the files below a folder that a program needs at run time, by their paths from a root."""
    found = {
        str(path.relative_to(root))
        for pattern in ("*.py", "*.sql", "*.proto", "*.pyi", "py.typed")
        for path in folder.rglob(pattern)
    }
    assert found
    return found


def test_two_wheels_hold_contract_and_client_and_code_and_migrations(tmp_path: Path) -> None:
    """The client's wheel holds the contract with its types, the house's one what processes need; neither both."""
    for name in ("services", "protos", "migrations", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    held = {}
    for name, source in (("client", tmp_path / "protos"), ("house", tmp_path)):
        with zipfile.ZipFile(wheel(source, tmp_path / f"{name} wheel")) as archive:
            held[name] = set(archive.namelist())
    assert files(tmp_path / "protos" / "pitboss", tmp_path / "protos") - held["client"] == set()
    for folder in ("services", "migrations"):
        assert files(tmp_path / folder, tmp_path) - held["house"] == set()
    packages = {
        name: {path.partition("/")[0] for path in paths if ".dist-info/" not in path} for name, paths in held.items()
    }
    assert packages == {"client": {"pitboss"}, "house": {"services", "migrations"}}


def test_the_client_needs_only_what_it_declares(tmp_path: Path) -> None:
    """In a fresh environment with its declared dependencies alone every module of the client can be imported."""
    shutil.copytree(ROOT / "protos", tmp_path / "protos", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    made = wheel(tmp_path / "protos", tmp_path / "wheel")
    venv.create(tmp_path / "venv", symlinks=True)
    (site,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    with zipfile.ZipFile(made) as archive:
        archive.extractall(site)
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
    waiting = re.findall(r"^Requires-Dist: ([\w.-]+)$", metadata, re.MULTILINE)
    assert waiting == ["grpcio", "protobuf", "googleapis-common-protos"]
    installed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in installed:
            continue
        installed.add(name)
        found = importlib.metadata.distribution(name)
        waiting += [re.split(r"[^\w.-]", one)[0] for one in found.requires or () if "extra ==" not in one]
        for file in found.files or ():
            if not str(file).startswith(".."):
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                (site / file).symlink_to(str(found.locate_file(file)))
    assert "cryptography" not in installed
    modules = sorted(
        ".".join(path.relative_to(site).with_suffix("").parts) for path in (site / "pitboss").rglob("*.py")
    )
    program = f"import importlib\nfor name in {modules}: importlib.import_module(name.removesuffix('.__init__'))"
    python = [str(tmp_path / "venv" / "bin" / "python"), "-I", "-c"]
    done = subprocess.run([*python, program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for absent in ("services", "psycopg"):
        assert subprocess.run([*python, f"import {absent}"], capture_output=True, check=False).returncode == 1


def test_the_stubs_are_what_the_protos_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """Protos and stubs match."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert scripts.load(ROOT / "protos" / "generate.py").outdated() == []


async def test_the_probe_tells_health(monkeypatch: pytest.MonkeyPatch) -> None:
    """The probe exits with 0 while the process serves, else with 1; --alive checks only whether it is stuck."""
    probe = scripts.load(ROOT / "deploy" / "probe.py")
    async with server.running("echo", echo.given(), echo.build) as run:
        monkeypatch.setenv("PITBOSS_METRICS_LISTEN", f"0.0.0.0:{run.metrics_port}")
        assert probe.main([]) == 0
        await run.process.health.stop()
        assert probe.main([]) == 1
        assert probe.main(["--alive"]) == 0
    assert probe.main([]) == 1
    assert probe.main(["--alive"]) == 1


def test_scripts_are_executable_and_sound() -> None:
    """The shell reads each script, and each may be run."""
    for name, shell in ((".ci/run", "bash"), ("deploy/postgres/init.sh", "sh")):
        path = ROOT / name
        assert os.access(path, os.X_OK), name
        subprocess.run([shell, "-n", str(path)], check=True)


def test_make_knows_every_command_of_the_readme() -> None:
    """Each target can be planned, and a run once passes the flag on."""

    def plan(*arguments: str) -> str:
        done = subprocess.run(["make", "-n", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    for target in ("install", "run", "test", "lint", "bench", "protos", "docs", "contract", "secrets"):
        assert plan("-o", ".venv/installed", target) is not None
    assert "pitboss up --demo --once" in plan("-o", ".venv/installed", "run", "ONCE=1")
    assert "--once" not in plan("-o", ".venv/installed", "run")
    assert "-n 2" in plan("-o", ".venv/installed", "test", "JOBS=2")
