"""Publication of checkpoints beyond the reach of the database's owner: in a folder, an S3-compatible bucket, or both.

Each checkpoint is a file of its own in the form of ``pitboss checkpoint``. It is written once and never overwritten.
When a witness has co-signed it, a second file holds it with the co-signature.
"""

import asyncio
from contextlib import suppress
from typing import Final

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, ObjectStore, S3Store

from services.audit import kept_checkpoints
from services.audit.kept_checkpoints import Cosignature, Kept
from services.eventlog import checkpoints
from services.eventlog.checkpoints import Checkpoint
from services.runtime import logs, metrics
from services.runtime.pools import Pool
from services.runtime.settings import Settings

EVERY_SECONDS: Final = 5.0
GOES_BACK: Final = 1440
"""Checkpoints of a day, which are published again after a start where they are missing. Each covers all before it."""
AT_ONCE: Final = 100
"""Checkpoints per page; after a longer outage the publisher catches up page by page."""

trace = logs.get("publication")


def places(settings: Settings) -> list[ObjectStore]:
    """Return the places that the settings name. Raises SettingsRefused."""
    found: list[ObjectStore] = []
    if settings.checkpoint_folder is not None:
        found.append(LocalStore(settings.checkpoint_folder, mkdir=True))
    if bucket := settings.bucket():
        found.append(
            S3Store(
                bucket.name,
                prefix=bucket.prefix or None,
                endpoint=bucket.endpoint or None,
                region=bucket.region,
                access_key_id=bucket.access_key,
                secret_access_key=bucket.secret_key,
                virtual_hosted_style_request=False,
                client_options={"allow_http": bucket.endpoint.startswith("http://"), "timeout": "10s"},
            )
        )
    return found


def name(number: int, key_id: str = "") -> str:
    """Return the name of a checkpoint's file, or of the one with the co-signature of a key."""
    return f"checkpoint-{number:012}{'-' + key_id[:16] if key_id else ''}.json"


class Publisher:
    """Publishes the checkpoints of one house, from the one after ``after`` on."""

    def __init__(self, pool: Pool, places_: list[ObjectStore], after: int = 0) -> None:
        self._pool = pool
        self._places = places_
        self._after = after
        self._after_cosigned = (after, "")

    async def once(self) -> int:
        """Publish new checkpoints; return the number of the last one that is published everywhere.

        Raises obstore's errors, OSError and psycopg.Error; published checkpoints are skipped by the next try.
        """
        async with self._pool.connection() as conn:
            page = await checkpoints.page(conn, self._after, AT_ONCE)
            cosigned = await checkpoints.cosigned_after(conn, *self._after_cosigned, AT_ONCE)
        for one in page:
            await self._put(name(one.number), one, [])
            self._after = one.number
            metrics.PUBLISHED.set(one.at_ms / 1000)
        for one, key_id, signature in cosigned:
            await self._put(name(one.number, key_id), one, [Cosignature(key_id=key_id, signature=signature.hex())])
            self._after_cosigned = (one.number, key_id)
        return self._after

    async def serve(self) -> None:
        """Publish repeatedly, until cancelled."""
        while True:
            try:
                await self.once()
            except (BaseError, OSError) as error:
                trace.warning("checkpoints cannot be published", cause=type(error).__name__, reason=str(error)[:300])
            await asyncio.sleep(EVERY_SECONDS)

    async def _put(self, path: str, one: Checkpoint, cosignatures: list[Cosignature]) -> None:
        kept = Kept(
            form=kept_checkpoints.FORM,
            text=one.body,
            signature=one.signature.hex(),
            key_id=one.key_id,
            cosignatures=cosignatures,
        )
        for place in self._places:
            if not await _is_there(place, path):
                # Some places support no condition on a write, so the file was looked up first.
                with suppress(AlreadyExistsError):
                    await obstore.put_async(place, path, kept_checkpoints.write(kept).encode(), mode="create")


async def _is_there(place: ObjectStore, path: str) -> bool:
    try:
        await obstore.head_async(place, path)
    except FileNotFoundError:
        return False
    return True


async def open_publisher(pool: Pool, places_: list[ObjectStore]) -> Publisher:
    """Return a publisher that begins about a day before the newest checkpoint; files that exist already stay."""
    async with pool.connection() as conn:
        newest = await checkpoints.last(conn)
    metrics.PUBLISHED.set_to_current_time()  # its time begins now
    return Publisher(pool, places_, max(0, newest.number - GOES_BACK) if newest is not None else 0)
