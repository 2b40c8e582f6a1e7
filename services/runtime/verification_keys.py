"""Public keys that tokens are checked with, from a key set (JWKS, RFC 7517) in a file or at an address.

Each key serves one algorithm, that of the key and never that of a token's header. A set is kept in memory. It is read
again when it is old, and when a token names a key that it does not hold, but no more often than its bound.
"""

import asyncio
import base64
import hashlib
import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import jwt
import structlog

from services.runtime.settings import PREFIX, SettingsRefused

ALGORITHMS: Final = {"RSA": "RS256", "P-256": "ES256", "Ed25519": "EdDSA"}
"""The algorithm of each kind of key (``kty``, or ``crv`` for curves). Keys of other kinds check no token."""
MOST_KEYS: Final = 32
"""Keys in one set."""
MOST_BYTES: Final = 64 * 1024
"""Bytes of one set."""
SMALLEST_RSA_BITS: Final = 2048
READ_SECONDS: Final = 5.0
"""Patience with an address."""
AGE_SECONDS: Final = 300.0
"""After so long a set is read again, so that a key which was withdrawn is forgotten."""
PAUSE_SECONDS: Final = 10.0
"""Least time between two reads, whatever keys tokens name."""
PLACE: Final = re.compile(r"https://\S+|http://(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?(/\S*)?|/\S*")
"""Where a set may be: at an address whose answer nobody on the way can change, or in a file by its whole path."""

log: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger("token keys")
"""``logs`` itself knows callers, and callers stand on this module."""


class Key(NamedTuple):
    """A public key and the one algorithm that it serves."""

    algorithm: str
    public: Any


def parse(text: str) -> dict[str, Key]:
    """Return the keys of a set by their ids, without those that check no token. Raises ValueError in words."""
    try:
        entries = json.loads(text)["keys"]
    except (ValueError, LookupError, TypeError):
        raise ValueError('not a key set; it must be JSON of the form {"keys": [...]}') from None
    if not isinstance(entries, list) or len(entries) > MOST_KEYS:
        raise ValueError(f"a key set holds a list of at most {MOST_KEYS} keys")
    found: dict[str, Key] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            raise ValueError("a key of the set is not an object")  # noqa: TRY004 - a fault of the text, not of a type
        if "d" in entry or entry.get("kty") == "oct":
            raise ValueError("the set holds a private or secret key; it must hold public keys only")
        if (key := _key(entry)) is None:
            continue
        name = entry.get("kid") or thumbprint(entry)
        if not isinstance(name, str) or name in found:
            raise ValueError(f"the key id {str(name)[:80]!r} is not a text, or two keys have it")
        found[name] = key
    return found


def _key(entry: Mapping[str, Any]) -> Key | None:
    """Return a key, None where it is not made for checking signatures that this house takes."""
    algorithm = ALGORITHMS.get(str(entry.get("kty") if entry.get("kty") == "RSA" else entry.get("crv")), "")
    if not algorithm or entry.get("alg", algorithm) != algorithm or entry.get("use", "sig") != "sig":
        return None
    try:
        public = jwt.PyJWK(dict(entry), algorithm).key
    except (jwt.PyJWTError, ValueError, TypeError):
        raise ValueError(f"the key {str(entry.get('kid'))[:80]!r} cannot be read") from None
    if algorithm == "RS256" and public.key_size < SMALLEST_RSA_BITS:
        raise ValueError(f"an RSA key has {SMALLEST_RSA_BITS} bits or more; one of the set has {public.key_size}")
    return Key(algorithm, public)


def thumbprint(entry: Mapping[str, Any]) -> str:
    """Return the id that follows from a key itself (RFC 7638)."""
    names = ("e", "kty", "n") if entry.get("kty") == "RSA" else ("crv", "kty", "x", "y")
    needed = {name: entry[name] for name in names if name in entry}
    text = json.dumps(needed, separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


class KeySource:
    """The keys of one set. ``setting`` names it in messages; ``read`` returns its text and may take a while.

    Raises SettingsRefused where the place cannot be one, or is a file without a good set.
    """

    def __init__(self, place: str, setting: str, read: Callable[[str], str] | None = None) -> None:
        if not PLACE.fullmatch(place):
            raise SettingsRefused(f"{PREFIX}{setting} is {place!r}; it must be a file's whole path or an https address")
        self._place, self._setting, self._read_text = place, setting, read or text_of
        self._keys: dict[str, Key] = {}
        self._next_read = 0.0
        self._old_at = 0.0
        self._reading: asyncio.Task[None] | None = None
        self.is_current = False
        """Whether the last try to read the set succeeded."""
        self.changes = 0
        """How often keys were withdrawn or replaced: what was checked before may not count any more."""
        if place.startswith("/"):
            try:
                self.read()
            except ValueError as error:
                raise SettingsRefused(f"{PREFIX}{setting} names {place}: {error}") from None

    def get(self, name: str) -> Key | None:
        """Return the key of an id, None where the set as it was read last holds none."""
        return self._keys.get(name)

    def read(self) -> None:
        """Read the set now. Raises ValueError in words; then the keys stay that were known."""
        now = time.monotonic()
        self._next_read = now + PAUSE_SECONDS
        self.is_current = False
        found = parse(self._read_text(self._place))
        if any(found.get(name) != key for name, key in self._keys.items()):
            self.changes += 1
        self._keys, self._old_at, self.is_current = found, now + AGE_SECONDS, True

    async def prepare(self, name: str) -> None:
        """Read the set where it does not hold the id, or is old; many callers share one read."""
        now = time.monotonic()
        is_known = name in self._keys
        if self._reading is None and now >= self._next_read and (not is_known or now >= self._old_at):
            self._next_read = now + PAUSE_SECONDS
            self._reading = asyncio.create_task(self._read_aside())
        if self._reading is not None and not is_known:
            await asyncio.shield(self._reading)

    async def _read_aside(self) -> None:
        try:
            await asyncio.to_thread(self.read)
        except ValueError as error:
            log.warning(
                "the key set was not read; the keys known before stay", setting=self._setting, reason=str(error)
            )
        finally:
            self._reading = None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, so that the address of the settings is the one that answers."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        """Return no further request."""


def text_of(place: str) -> str:
    """Return the text of a file or an address. Raises ValueError in words."""
    try:
        if place.startswith("/"):
            with Path(place).open("rb") as file:
                body = file.read(MOST_BYTES + 1)
        else:
            opener = urllib.request.build_opener(_NoRedirect)
            with opener.open(place, timeout=READ_SECONDS) as answer:
                body = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise ValueError(f"{place} has answered with {error.code}") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{place} cannot be read ({type(error).__name__})") from None
    if len(body) > MOST_BYTES:
        raise ValueError(f"{place} holds more than {MOST_BYTES} bytes")
    return str(body, "utf-8", "replace")
