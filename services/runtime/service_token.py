"""The token of a process for calls to other services: made and renewed here, or given and renewed from outside."""

import os
import time
from pathlib import Path
from typing import Final

import jwt

from services.runtime import logs, metrics
from services.runtime.identity import Caller, Identity, Role
from services.runtime.settings import PREFIX, Settings, SettingsRefused

TOKEN_SECONDS: Final = 600.0
"""Life of a token that a process makes for itself; it makes the next one at half of it."""
LOOK_SECONDS: Final = 5.0
"""Pause between two reads of the file that holds a given token."""
WARN_SECONDS: Final = 7 * 86_400.0
"""A warning is logged while a given token has less time left than this."""

log = logs.get("service token")


def expiry(token: str) -> float:
    """Return when a token ends, in seconds since 1970. Raises ValueError if it is not a token."""
    try:
        return float(jwt.decode(token, options={"verify_signature": False})["exp"])
    except (jwt.PyJWTError, KeyError, TypeError) as error:
        raise ValueError(f"not a token ({type(error).__name__})") from None


class ServiceToken:
    """The token of this process. A given token comes from the settings, or from the file that they name.

    Raises SettingsRefused where there is none and the process cannot make one.
    """

    def __init__(self, settings: Settings, identity: Identity, name: str, role: Role = Role.SERVICE) -> None:
        self._given = settings.service_token.get_secret_value()
        if not self._given and not identity.can_mint():
            raise SettingsRefused(
                f"{PREFIX}SERVICE_TOKEN (or {PREFIX}SERVICE_TOKEN_FILE) is needed to call other services and not set:"
                f" where the private key is, make one with `pitboss token {name} --role service`"
            )
        self._identity, self._caller = identity, Caller(name, role)
        self._made, self._until = "", 0.0
        file = os.environ.get(f"{PREFIX}SERVICE_TOKEN_FILE", "")
        self._file = Path(file) if file and self._given else None
        self._look_at = time.monotonic() + LOOK_SECONDS
        if self._given:
            self._show()

    def __call__(self) -> str:
        """Return a token that is valid for some time."""
        if self._given:
            return self._renewed()
        now = time.time()
        if now >= self._until:
            self._made = self._identity.mint(self._caller, TOKEN_SECONDS, now)
            self._until = now + TOKEN_SECONDS / 2
        return self._made

    def _renewed(self) -> str:
        """Read the given token again periodically; if that fails the present one stays."""
        now = time.monotonic()
        if self._file is not None and now >= self._look_at:
            self._look_at = now + LOOK_SECONDS
            try:
                found = self._file.read_text(encoding="utf-8").strip()
            except (OSError, UnicodeDecodeError) as error:
                log.warning("the file of the service token cannot be read", cause=type(error).__name__)
            else:
                if found and found != self._given:
                    self._given = found
                    self._show()
        return self._given

    def _show(self) -> None:
        try:
            ends_at = expiry(self._given)
        except ValueError as error:
            log.error("the service token is not usable", reason=str(error))  # noqa: TRY400 - the sentence says it all
            return
        metrics.SERVICE_TOKEN_EXPIRY.set(ends_at)
        if ends_at - time.time() < WARN_SECONDS:
            log.warning("the service token ends soon; renew it", days=round((ends_at - time.time()) / 86_400, 1))
