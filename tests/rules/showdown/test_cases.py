"""Worked examples of the showdown games, the sheet's and ours."""

import pytest

from services.cli.certify import rules_only
from services.cli.certify.cases import Case
from tests.rules import casefiles


@pytest.mark.parametrize("case", casefiles.of_family("showdown"))
def test_case_comes_out_as_written(case: Case) -> None:
    """Every step is taken or refused as written, and chips and facts come out as written."""
    rules_only.play(case)
