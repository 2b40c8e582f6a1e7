"""Puts a mutant into the functions of a running process, so that nothing is imported again."""

import gc
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType


class Functions:
    """The functions of a folder's modules that live in this process, by file, name and line."""

    def __init__(self, folder: Path) -> None:
        self._found: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for one in gc.get_objects():
            if type(one) is FunctionType and one.__code__.co_filename.startswith(f"{folder}/"):
                self._found[_key(one.__code__)].append(one)

    def patch(self, file: Path, before: str, after: str) -> bool:
        """Put the code of the changed text into live functions; return False where that is not the whole change.

        It is not where a module or a class body changes, or a default: they ran when the module was imported.
        """
        changes = _changes(compile(before, str(file), "exec"), compile(after, str(file), "exec"))
        pairs = [(function, new) for old, new in _within(changes or []) for function in self._found.get(_key(old), ())]
        if changes is None or not pairs:
            return False
        for function, new in pairs:
            if len(function.__code__.co_freevars) != len(new.co_freevars):
                return False
            function.__code__ = new
        return True


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _inner(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def _changes(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]] | None:
    """Return the outermost functions that differ; None if what runs at import differs."""
    plain = [one for one in old.co_consts if not isinstance(one, CodeType)]
    alike = plain == [one for one in new.co_consts if not isinstance(one, CodeType)] and list(map(type, plain)) == [
        type(one) for one in new.co_consts if not isinstance(one, CodeType)
    ]
    if not alike or old.co_code != new.co_code or len(_inner(old)) != len(_inner(new)):
        return None
    found: list[tuple[CodeType, CodeType]] = []
    for one, other in zip(_inner(old), _inner(new), strict=True):
        if one == other:
            continue
        if one.co_flags & 0x1:  # CO_OPTIMIZED: a function, not the body of a class
            found.append((one, other))
        else:
            below = _changes(one, other)
            if below is None:
                return None
            found += below
    return found


def _within(changes: list[tuple[CodeType, CodeType]]) -> list[tuple[CodeType, CodeType]]:
    """Return the changed functions and those defined within them."""
    found: list[tuple[CodeType, CodeType]] = []
    for old, new in changes:
        found.append((old, new))
        found += _within(
            [pair for pair in zip(_inner(old), _inner(new), strict=False) if pair[0].co_name == pair[1].co_name]
        )
    return found
