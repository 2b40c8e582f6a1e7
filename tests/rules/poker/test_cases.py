"""The worked examples of the poker games, the sheet's and our own, come out to the chip on the rules alone."""

import pytest

from services.cli.certify import rules_only
from services.cli.certify.cases import Case
from tests.rules import casefiles


@pytest.mark.parametrize("case", casefiles.of_family("poker"))
def test_case_comes_out_as_written(case: Case) -> None:
    """Every step is accepted or refused as written, and what the case expects is what the rules give."""
    rules_only.play(case)
