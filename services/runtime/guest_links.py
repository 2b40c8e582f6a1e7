"""One-time links of guests: a guest's token waits in a file until one visitor takes it by its code.

The file holds no code, only its digest; the token itself it holds in clear, so that only the house's own account may
read it. It is a token of play money.
"""

import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MOST_LINKS: Final = 100
"""Links that wait at once; the oldest is forgotten beyond it."""
_CODE_BYTES: Final = 24


def add(path: Path, token: str) -> str:
    """Keep a token until its link is used. Return the code of the link."""
    code = secrets.token_urlsafe(_CODE_BYTES)
    with _held(path) as kept:
        kept[_digest(code)] = token
        for oldest in list(kept)[:-MOST_LINKS]:
            del kept[oldest]
    return code


def take(path: Path, code: str) -> str | None:
    """Return the token of a code and forget both; None where the code is wrong or was used."""
    if not path.exists():
        return None
    with _held(path) as kept:
        return kept.pop(_digest(code), None)


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


@contextmanager
def _held(path: Path) -> Iterator[dict[str, str]]:
    """Yield the links while no other process reads or writes them; what is changed is stored."""
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        yield kept
        draft = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(kept, file)
        draft.replace(path)
    finally:
        os.close(lock)
