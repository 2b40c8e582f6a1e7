"""The token of a caller: a string, or a function that is called again when the house refuses the last token."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

Token = str | Callable[[], str] | Callable[[], Awaitable[str]]
"""A token, or a function (also an async one) that signs in and returns a valid token."""


class Tokens:
    """Keeps the token that calls carry, shared by all calls of one caller."""

    def __init__(self, given: Token) -> None:
        self._given = given
        self._token = given if isinstance(given, str) else ""
        self._asking = asyncio.Lock()

    async def current(self) -> str:
        """Return the token; the first one comes from the function. Raises what the function raises."""
        if not self._token:
            await self.renewed("")
        return self._token

    async def renewed(self, refused: str) -> bool:
        """Replace a refused token. Returns whether there is another one now.

        Of many calls refused at once, only one calls the function. Raises what the function raises.
        """
        if isinstance(self._given, str):
            return False
        async with self._asking:
            if self._token == refused:
                answer = self._given()
                self._token = await answer if inspect.isawaitable(answer) else answer
        return self._token != refused
