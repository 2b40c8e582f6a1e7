"""The family's case files, the sheet's and ours, on the rules alone."""

import pytest

from services.cli.certify import rules_only
from services.cli.certify.cases import Case
from tests.rules.casefiles import of_family


@pytest.mark.parametrize("case", of_family("survival"))
def test_case_comes_out_as_written(case: Case) -> None:
    """Every case of the survival family comes out to the chip."""
    rules_only.play(case)
