"""Every worked example, those of the rule sheets (``tests/cases/sheets``) and ours, on the rules alone."""

from pathlib import Path

import pytest

from services.cli.certify import cases, rules_only
from services.cli.certify.cases import Case

CASES = Path(__file__).resolve().parents[1] / "cases"


def _all() -> list[object]:
    """Return every case as a pytest parameter named ``game/case``."""
    return [pytest.param(case, id=f"{case.game}/{case.name}") for case in cases.load([CASES])]


@pytest.mark.parametrize("case", _all())
def test_case_comes_out_as_written(case: Case) -> None:
    """Every step is accepted or refused as written, and chips and facts come out as the case expects."""
    rules_only.play(case)
