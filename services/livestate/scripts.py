"""Scripts that Redis runs: named by their digest, sent whole where the server does not have them yet."""

import functools
import hashlib
from collections.abc import Iterable, Sequence
from operator import methodcaller
from typing import Any

from services.livestate.node import Ask


@functools.cache
def digest(script: str) -> str:
    """Return Redis' own name of a script: the SHA-1 of its text."""
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()


def ask(group: int, script: str, keys: Sequence[str], arguments: Iterable[Any]) -> Ask:
    """Return the command that runs a script on keys of one group."""
    given = (len(keys), *keys, *arguments)
    return Ask(group, methodcaller("evalsha", digest(script), *given), methodcaller("eval", script, *given))
