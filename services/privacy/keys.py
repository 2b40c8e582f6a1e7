"""The keys of players: created at first use, wrapped by the house's ring ``personal``, stored in the registry.

A key is looked up for each text that is sealed, which is rare; only keys for opening are cached (``names``).
"""

import os
import secrets
from collections.abc import Collection
from typing import Final

from services.database import retry
from services.database.retry import Connect
from services.fairness import seal
from services.fairness.seal import KeyRing
from services.fairness.seed import framed
from services.privacy import texts
from services.privacy.texts import PlayerKey
from services.registry import limits, player_keys
from services.registry.player_keys import WrappedKey
from services.runtime import logs
from services.runtime.pools import Connection
from services.runtime.settings import Settings

RING: Final = "personal"
REWRAPPED_AT_ONCE: Final = 100

trace = logs.get("privacy")


class PlayerKeys:
    """Creates, wraps and unwraps players' keys with the house's ring."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    async def of_player(self, conn: Connection, player: str) -> PlayerKey:
        """Return a player's key, in the caller's transaction; create it where there is none.

        Locks the player: no erasure of the same player happens before the end of the transaction.
        """
        await limits.lock(conn, player)
        found = await player_keys.of_player(conn, player)
        if found is None:
            made = PlayerKey(secrets.token_hex(8), os.urandom(seal.KEY_BYTES))
            await player_keys.record(conn, self._wrap(player, made))
            return made
        return self.unwrap(found)

    async def seal(self, conn: Connection, player: str, field: str, text: str) -> str:
        """Return a player's text sealed, in the caller's transaction; an empty text stays empty."""
        return texts.seal_text(await self.of_player(conn, player), field, text) if text else ""

    async def standing(self, conn: Connection, key_ids: Collection[str]) -> dict[str, PlayerKey]:
        """Return the keys that were not destroyed, by id. Raises seal.SealError where one cannot be unwrapped."""
        found = await player_keys.by_id(conn, sorted(key_ids))
        return {one.key_id: self.unwrap(one) for one in found}

    async def rewrap(self, conn: Connection) -> int:
        """Rewrap some keys that are not wrapped by the ring's active key; return their number, 0 at the end."""
        active = self._wrapper(self._ring.active)
        older = await player_keys.wrapped_otherwise(conn, active, REWRAPPED_AT_ONCE)
        for one in older:
            again = self._wrap(one.player, self.unwrap(one))
            await player_keys.rewrap(conn, one.key_id, one.wrapped, again.wrapped)
        return len(older)

    async def rewrap_all(self, connect: Connect) -> None:
        """Rewrap every key by the ring's active key, after which its other keys are not needed. Raises SealError."""
        done = 0
        while made := await retry.transaction(connect, self.rewrap):
            done += made
        if done:
            trace.info("keys of players were rewrapped", keys=done, key_id=self._ring.active)

    def unwrap(self, found: WrappedKey) -> PlayerKey:
        """Return the unwrapped key. Raises seal.SealError."""
        plain = seal.open(self._ring, seal.from_bytes(found.wrapped), _place(found.key_id, found.player))
        return PlayerKey(found.key_id, plain)

    def _wrap(self, player: str, made: PlayerKey) -> WrappedKey:
        nonce = os.urandom(seal.NONCE_BYTES)
        wrapped = seal.to_bytes(seal.seal(self._ring, made.key, _place(made.key_id, player), nonce=nonce))
        return WrappedKey(made.key_id, player, wrapped)

    @staticmethod
    def _wrapper(key_id: str) -> bytes:
        """Return the prefix of everything that a key of the ring has wrapped."""
        return seal.to_bytes(seal.Sealed(key_id, bytes(seal.NONCE_BYTES), b""))[: -seal.NONCE_BYTES]


def _place(key_id: str, player: str) -> bytes:
    return framed(b"pitboss player key v1", key_id.encode(), player.encode())


def of_settings(settings: Settings) -> PlayerKeys:
    """Return the keys of a process. Raises SettingsRefused."""
    ring = settings.personal_ring()
    return PlayerKeys(KeyRing(RING, ring.keys, ring.active))
