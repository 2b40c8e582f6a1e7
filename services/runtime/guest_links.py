"""One-time links of guests: a guest's token waits in a file until one visitor takes it by its code.

The file holds no code and no token. The code of a link is 24 random bytes; from it come the name under which the entry
is found and the key that the token is encrypted with. Who reads the file learns neither.
"""

import base64
import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MOST_LINKS: Final = 100
"""Links that wait at once; the oldest is forgotten beyond it."""
LIFE_SECONDS: Final = 24 * 3600
"""A link that nobody has used so long is forgotten."""
_CODE_BYTES: Final = 24
_NONCE: Final = bytes(12)
"""Each key encrypts one token, so that one nonce does for all."""


class _Link(msgspec.Struct, forbid_unknown_fields=True):
    """A waiting link: the encrypted token as base64, and the last moment at which it is taken."""

    sealed: str
    until: float


def add(path: Path, token: str, now: float | None = None) -> str:
    """Keep a token until its link is used. Return the code of the link."""
    moment = time.time() if now is None else now
    code = base64.urlsafe_b64encode(os.urandom(_CODE_BYTES)).decode()
    name, cipher = _parts(code)
    sealed = base64.b64encode(cipher.encrypt(_NONCE, token.encode(), name.encode())).decode()
    with _held(path, moment) as kept:
        kept[name] = _Link(sealed, moment + LIFE_SECONDS)
        for oldest in list(kept)[:-MOST_LINKS]:
            del kept[oldest]
    return code


def take(path: Path, code: str, now: float | None = None) -> str | None:
    """Return the token of a code and forget both; None where the code is wrong, was used or is too old."""
    if not path.exists():
        return None
    name, cipher = _parts(code)
    with _held(path, time.time() if now is None else now) as kept:
        found = kept.pop(name, None)
    if found is None:
        return None
    try:
        return cipher.decrypt(_NONCE, base64.b64decode(found.sealed), name.encode()).decode()
    except (InvalidTag, ValueError):
        return None


def _parts(code: str) -> tuple[str, ChaCha20Poly1305]:
    """Return the name of a code's entry, and the cipher of its token."""
    drawn = HKDF(SHA256(), 64, salt=None, info=b"pitboss guest link").derive(code.encode())
    return drawn[:32].hex(), ChaCha20Poly1305(drawn[32:])


@contextmanager
def _held(path: Path, now: float) -> Iterator[dict[str, _Link]]:
    """Yield the links while no other process reads or writes them; what is changed is stored before they are freed."""
    lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = _read(path, now)
        yield kept
        draft = path.with_suffix(f".{os.getpid()}")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(msgspec.json.encode(kept))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        os.close(lock)


def _read(path: Path, now: float) -> dict[str, _Link]:
    """Return the links that may still be taken, the oldest first; entries of another shape are left out."""
    try:
        written: Any = json.loads(path.read_bytes()) if path.exists() else {}
    except ValueError:
        return {}
    kept: dict[str, _Link] = {}
    for name, entry in written.items() if isinstance(written, dict) else ():
        try:
            found = msgspec.convert(entry, _Link)
        except msgspec.ValidationError:
            continue
        if found.until > now:
            kept[name] = found
    return kept
