"""A process's cache of opened names and texts: bounded, and dropped within seconds of a key's destruction.

Commands carry sealed texts, so play does not use it. Only texts that are shown to people are opened, each once.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

import msgspec

from services.fairness import seal
from services.privacy import texts
from services.privacy.keys import PlayerKeys
from services.privacy.texts import PlayerKey
from services.registry import player_keys
from services.rules import personal
from services.rules.personal import Show
from services.runtime import logs
from services.runtime.pools import Connection

MOST_KEYS: Final = 20_000
MOST_TEXTS: Final = 64
"""Opened texts that are cached for one key."""
BEAT_SECONDS: Final = 1.0
OLDEST_SECONDS: Final = 5.0
"""Maximum age of the known erasures when a text is shown; older knowledge is refreshed first."""
PAGE: Final = 1000

Connect = Callable[[], AbstractAsyncContextManager[Connection]]

trace = logs.get("privacy")


class _Kept(msgspec.Struct):
    """A key as it was found (None: destroyed, or it cannot be unwrapped), and the texts that it opened so far."""

    key: PlayerKey | None
    texts: dict[str, str] = {}
    wrong: bool = False


class Names:
    """Opens sealed texts for one process."""

    def __init__(self, keys: PlayerKeys, connect: Connect) -> None:
        self._keys = keys
        self._connect = connect
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._seen: int | None = None
        self._read_at = float("-inf")
        self._reading = asyncio.Lock()
        self.erasures = 0
        """Number of erasures that this process has read; caches of shown texts must be dropped when it changes."""

    async def shower(self, stored: Any, language: str = "") -> Show:
        """Return a function that opens the sealed texts in ``stored``, in a house language. Raises psycopg.Error."""
        wanted = set(personal.sealed_in(stored))
        if not wanted:
            return _shower({}, language)
        await self._fresh()
        found = await self._found({personal.key_id_of(one) for one in wanted})
        return _shower({one: _opened(found[personal.key_id_of(one)], one) for one in wanted}, language)

    async def shown(self, stored: Any, language: str = "") -> Any:
        """Return a JSON value with its sealed texts opened, in a language of the house. Raises psycopg.Error."""
        return personal.shown_in(stored, await self.shower(stored, language))

    async def serve(self) -> None:
        """Read the destroyed keys at each interval, until cancelled."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            await self.refresh()

    async def refresh(self, oldest_seconds: float = 0.0) -> None:
        """Drop texts whose keys have been destroyed. Raises psycopg.Error.

        Nothing is read if this was done within the last ``oldest_seconds``.
        """
        async with self._reading:
            if time.monotonic() - self._read_at > oldest_seconds:
                await self._read_on()

    async def _read_on(self) -> None:
        began = time.monotonic()
        async with self._connect() as conn:
            if self._seen is None:
                self._seen = await player_keys.last_tombstone(conn)
                self._kept.clear()
            while page := await player_keys.tombstones(conn, self._seen, PAGE):
                for one in page:
                    self._kept[one.key_id] = _Kept(None)
                self.erasures += len(page)
                self._seen = page[-1].number
        self._trim()
        self._read_at = began

    async def _fresh(self) -> None:
        if time.monotonic() - self._read_at > OLDEST_SECONDS:
            await self.refresh(OLDEST_SECONDS)

    async def _found(self, key_ids: set[str]) -> dict[str, _Kept]:
        """Return the cached entries of these keys; read missing ones from the registry."""
        found = {key_id: self._kept[key_id] for key_id in key_ids if key_id in self._kept}
        for key_id in found:
            self._kept.move_to_end(key_id)
        missing = sorted(key_ids - found.keys())
        if missing:
            # No tombstone may be missed between this read and the update of the cache: refresh waits.
            async with self._reading, self._connect() as conn:
                read = await self._read(conn, missing)
                self._kept.update(read)
            self._trim()
            found |= read
        return found

    async def _read(self, conn: Connection, key_ids: list[str]) -> dict[str, _Kept]:
        found = {key_id: _Kept(None) for key_id in key_ids}
        for one in await player_keys.by_id(conn, key_ids):
            try:
                found[one.key_id] = _Kept(self._keys.unwrap(one))
            except seal.SealError as error:
                trace.warning("a player's key cannot be unwrapped", key_id=one.key_id, cause=type(error).__name__)
                found[one.key_id] = _Kept(None, wrong=True)
        return found

    def _trim(self) -> None:
        while len(self._kept) > MOST_KEYS:
            self._kept.popitem(last=False)


def _opened(kept: _Kept, sealed: str) -> str | None:
    """Return the text; None where its key was destroyed, "" where it cannot be opened."""
    if kept.key is None:
        return "" if kept.wrong else None
    known = kept.texts.get(sealed)
    if known is None:
        if len(kept.texts) >= MOST_TEXTS:
            kept.texts = {}
        try:
            known = texts.open_text(kept.key, sealed)
        except seal.TamperedError:
            known = ""
        kept.texts[sealed] = known
    return known


def _shower(opened: dict[str, str | None], language: str) -> Show:
    def show(stored: str) -> str:
        if not personal.is_sealed(stored):
            return stored
        text = opened.get(stored)
        if text is None:
            return personal.ERASED.within(language)
        return text or personal.UNREADABLE.within(language)

    return show
