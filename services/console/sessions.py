"""Who is signed in: a cookie that holds the person's own token, encrypted and signed; the process keeps nothing."""

import base64
import os
import secrets
import time
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from services.rules.refusals import Refused
from services.runtime.identity import Identity, Role
from services.runtime.settings import Settings

STAFF: Final = (Role.OPERATOR, Role.AUDITOR)
"""Roles that may sign in to the console."""
MOST_BYTES: Final = 4_000
"""Bytes of a cookie that browsers keep for sure."""
_NONCE_BYTES: Final = 12
_RENEW_SECONDS: Final = 60.0


class Session(msgspec.Struct, frozen=True):
    """A person who is signed in: token, subject and role as the house reads them, and the secret of its forms.

    Times are in seconds since 1970: ``since`` the sign-in, ``seen`` the last press, ``until`` the end of the token.
    """

    token: str
    subject: str
    role: Role
    test: bool
    form: str
    since: float
    seen: float
    until: float


class NotStaff(Exception):
    """A token is not that of staff, or it is not valid."""


class Sessions:
    """Makes, seals and opens sessions."""

    def __init__(self, settings: Settings, identity: Identity) -> None:
        self._identity = identity
        self._seal = AESGCM(settings.console_seal() or os.urandom(32))
        self._idle_seconds = 60.0 * settings.console_idle_minutes
        self._most_seconds = 3600.0 * settings.console_hours
        self.secure = settings.console_secure or settings.tls_certificate_file is not None
        self.cookie = "__Host-console" if self.secure else "console"

    def begin(self, token: str) -> Session:
        """Return a new session of a token. Raises NotStaff."""
        try:
            caller, until = self._identity.verify_until(token)
        except Refused as refused:
            raise NotStaff(str(refused)) from None
        if caller.role not in STAFF:
            raise NotStaff(f"the role {caller.role} has no place in the console")
        now = time.time()
        return Session(token, caller.subject, caller.role, caller.test, secrets.token_urlsafe(18), now, now, until)

    def seal(self, session: Session) -> str:
        """Return a session as the value of its cookie."""
        nonce = os.urandom(_NONCE_BYTES)
        sealed = self._seal.encrypt(nonce, msgspec.json.encode(session), self.cookie.encode())
        return base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, value: str) -> Session | None:
        """Return the session of a cookie; None where it is not one of ours, or its time is over."""
        if not value or len(value) > MOST_BYTES:
            return None
        try:
            raw = base64.urlsafe_b64decode(value)
            plain = self._seal.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], self.cookie.encode())
            found = msgspec.json.decode(plain, type=Session)
        except (InvalidTag, ValueError, msgspec.DecodeError):
            return None
        now = time.time()
        over = now >= found.until or now - found.since >= self._most_seconds or now - found.seen >= self._idle_seconds
        return None if over else found

    def pressed(self, session: Session) -> Session | None:
        """Return the session after a press now; None where the cookie need not be sent again."""
        now = time.time()
        return msgspec.structs.replace(session, seen=now) if now - session.seen >= _RENEW_SECONDS else None
