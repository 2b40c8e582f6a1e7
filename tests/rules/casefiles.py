"""Finds case files for tests: ours in ``tests/cases``, and those of the rule sheets where they lie beside us."""

from pathlib import Path

import pytest

from services.cli.certify import cases

ROOT = Path(__file__).resolve().parents[2]
OURS = ROOT / "tests" / "cases"
SHEETS = ROOT.parent / "shared" / "cases"


def of_family(family: str) -> list[object]:
    """Give every case of a family as a pytest parameter named ``game/case``."""
    folders = [folder / family for folder in (OURS, SHEETS) if (folder / family).is_dir()]
    return [pytest.param(case, id=f"{case.game}/{case.name}") for case in cases.load(folders)]
