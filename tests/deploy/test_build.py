"""What is built and shipped: the wheel is whole, stubs are current, the probe tells health, scripts are sound."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from services.runtime import server
from tests.support import echo

ROOT = Path(__file__).parents[2]


def module(path: Path) -> ModuleType:
    """Load a script by its path."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def test_a_wheel_holds_code_contract_stubs_and_migrations(tmp_path: Path) -> None:
    """Whatever the processes need at run time is in the wheel, and the contract with its types."""
    for name in ("services", "protos", "migrations", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "."]
    done = subprocess.run(
        [*command, "--wheel-dir", str(tmp_path / "wheel")], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    for folder, root in (("services", tmp_path), ("migrations", tmp_path), ("pitboss", tmp_path / "protos")):
        wanted = {
            str(path.relative_to(root))
            for pattern in ("*.py", "*.sql", "*.proto", "*.pyi", "py.typed")
            for path in (root / folder).rglob(pattern)
        }
        assert wanted
        assert wanted - held == set()
    assert not any(name.startswith("tests") for name in held)


def test_the_stubs_are_what_the_protos_give(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody changed a proto without its stubs, or a stub without its proto."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert module(ROOT / "protos" / "generate.py").outdated() == []


async def test_the_probe_tells_health(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 0 while the process serves; 1 while it does not, or is gone; --alive asks only whether it is stuck."""
    probe = module(ROOT / "deploy" / "probe.py")
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
