"""The table of ``make bench``: figures are judged by their aims, and only on a quiet machine."""

import pytest

from tests.bench import aims
from tests.bench.aims import Line


@pytest.mark.parametrize(
    ("ours", "ratio", "aim", "met"),
    [
        ("946/s", "0.28", "0.5", False),
        ("946/s", "0.50", "0.5", True),
        ("1,659/s", "1.02 (best 1.10)", "at least 1.0", True),
        ("3.30 ms", "2.17", "at most 1.5", False),
        ("22.0 ms", "+7.4 ms", "at most +20 ms", True),
        ("0.019", "", "at most 0.1", True),
        ("1,149.5 MiB", "", "at most 300 MiB", False),
        ("1,543/s", "0.52", "", None),
    ],
)
def test_a_figure_is_compared_with_its_aim(ours: str, ratio: str, aim: str, met: bool | None) -> None:
    """The ratio counts, or our own figure where there is none; an aim is the least or the most."""
    line: Line = ("what", ours, "beside", ratio, aim)
    assert aims.met(line) is met
    assert aims.verdict(line, (0.2, 1.4)) == {None: "", True: "met", False: "missed"}[met]
    assert aims.verdict(line, (0.2, 2.5)) == ("" if met is None else "not judged: load 2.5")


def test_the_load_counts_what_waits_for_the_cores() -> None:
    """The load is a number of tasks, none below zero."""
    assert aims.load() >= 0
