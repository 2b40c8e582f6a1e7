"""The mutation tool changes what it says, one place at a time, and the same seed makes the same sample."""

import ast
import sys
from datetime import datetime
from pathlib import Path

from tests.mutation import __main__ as tool
from tests.mutation import blocks, mutants, patch

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


def test_a_run_ends_at_the_next_such_time() -> None:
    """A time that is over today is tomorrow's, so that a run may pass midnight."""
    now = datetime(2026, 3, 5, 23, 30).astimezone()
    assert tool._next("23:45", now.timestamp()) - now.timestamp() == 15 * 60
    assert tool._next("00:15", now.timestamp()) - now.timestamp() == 45 * 60


def test_marks_tell_which_blocks_ran(tmp_path: Path) -> None:
    """A marked copy does what it did, and its marks name the blocks that ran since the last look, not the others."""
    (tmp_path / "services").mkdir()
    (tmp_path / "services" / "x.py").write_text(TEXT, encoding="utf-8")
    blocks.mark(tmp_path)
    marks = blocks.Marks(tmp_path)
    space: dict[str, object] = {}
    text = (tmp_path / "services" / "x.py").read_text(encoding="utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        exec(compile(text, "x.py", "exec"), space)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop(blocks.MARKS, None)
    assert not marks.taken()
    function = space["f"]
    assert callable(function)
    assert function(2, 1) == 3
    assert marks.taken() == {"services/x.py": [[5, 9]]}
    try:
        function(0)
    except ValueError:
        assert marks.taken() == {"services/x.py": [[5, 9], [8, 8]]}
    assert not marks.taken()


def test_a_mutant_is_put_into_live_functions(tmp_path: Path) -> None:
    """A change within a function reaches the functions that live; one that runs at import is refused."""
    file = tmp_path / "x.py"
    space: dict[str, object] = {}
    exec(compile(TEXT, str(file), "exec"), space)
    function = space["f"]
    assert callable(function)
    functions = patch.Functions(tmp_path)
    assert not functions.patch(file, TEXT, TEXT.replace("b: int = 3", "b: int = 1"))
    assert function(1, 1) == 2
    assert functions.patch(file, TEXT, TEXT.replace("a + b", "a - b"))
    assert function(1, 1) == 0
