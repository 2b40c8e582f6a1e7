"""The mutation tool changes what it says, one place at a time, and the same seed makes the same sample."""

import ast
from pathlib import Path

from tests.mutation import __main__ as tool
from tests.mutation import mutants

TEXT = '''"""A file."""


def f(a: int, b: int = 3) -> int:
    """Return something."""
    assert a < 7
    if not a or b >= 2:
        raise ValueError("é")
    return min(a + b, 4)
'''


def test_each_mutant_is_one_change_that_parses() -> None:
    """Every mutant differs from the file in one place, parses, and leaves assertions and annotations alone."""
    found = list(mutants.of_file(Path("x.py"), TEXT))
    kinds = {one.kind for one in found}
    assert kinds == {
        "comparison",
        "and/or",
        "dropped",
        "always",
        "never",
        "no error",
        "exchanged",
        "arithmetic",
        "off by one",
    }
    for one in found:
        changed = one.applied(TEXT)
        assert changed != TEXT
        ast.parse(changed)
        assert "assert a < 7" in changed
        assert "a: int, b: int = 3" in changed


def test_a_seed_makes_a_sample() -> None:
    """The same seed samples the same mutants, another seed others; a line is changed once at most."""
    first = tool.sampled(1, 30, ("house", "fairness"))
    assert first == tool.sampled(1, 30, ("house", "fairness"))
    assert first != tool.sampled(2, 30, ("house", "fairness"))
    assert len({(one.path, one.line) for one in first}) == len(first) == 30
