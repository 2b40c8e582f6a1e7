"""The token of a caller: a string, or a function that is called again before a token expires, or when it is refused."""

import asyncio
import base64
import binascii
import inspect
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

Token = str | Callable[[], str] | Callable[[], Awaitable[str]]
"""A token, or a function (also an async one) that signs in and returns a valid token."""

AHEAD_SECONDS = 30.0
"""A token is renewed so long before it expires, or at four fifths of a shorter life."""

_log = logging.getLogger("pitboss")


class Tokens:
    """Keeps the token that calls carry, shared by all calls of one caller."""

    def __init__(self, given: Token) -> None:
        self._given = given
        self._token = given if isinstance(given, str) else ""
        self._renew_at = float("inf")
        self._asking = asyncio.Lock()

    async def current(self) -> str:
        """Return the token, a new one where the last expires soon. Raises what the function raises for the first.

        A function that fails while the last token is still valid is called again by a later call.
        """
        if not self._token:
            await self.renewed("")
        elif time.monotonic() >= self._renew_at:
            last = self._token
            try:
                await self.renewed(last)
            except Exception as error:  # whatever sign-in raises: the token is still good
                _log.warning("no new token yet, the last one is used: %s", type(error).__name__)
        return self._token

    async def renewed(self, refused: str) -> bool:
        """Replace a token. Returns whether there is another one now.

        Of many calls refused at once, only one calls the function. Raises what the function raises.
        """
        if isinstance(self._given, str):
            return False
        async with self._asking:
            if self._token == refused:
                answer = self._given()
                self._token = await answer if inspect.isawaitable(answer) else answer
                self._renew_at = time.monotonic() + _good_for_seconds(self._token)
        return self._token != refused


def _good_for_seconds(token: str) -> float:
    """Return the seconds after which a token should be renewed; infinity where it does not say when it expires.

    Only its claims are read: the house verifies it. A clock that goes wrong makes the renewal late or early, no more.
    """
    claims = _claims(token)
    left = claims.get("exp", float("inf")) - time.time()
    life = claims.get("exp", float("inf")) - claims.get("iat", float("-inf"))
    seconds = min(left, life) if left > 0 else life
    return max(seconds - AHEAD_SECONDS, 0.8 * seconds) if seconds < float("inf") else seconds


def _claims(token: str) -> dict[str, float]:
    """Return the numeric claims of a signed token (JWT), none of any other text."""
    parts = token.split(".")
    if len(parts) != 3:  # noqa: PLR2004 - header, claims, signature
        return {}
    try:
        read: Any = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (binascii.Error, ValueError):
        return {}
    numbers = read.items() if isinstance(read, dict) else ()
    return {key: float(value) for key, value in numbers if isinstance(value, int | float)}
