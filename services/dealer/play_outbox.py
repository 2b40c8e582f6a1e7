"""The messages of a stream of play: all answers, refusals and tables that are ready go into the next one."""

import asyncio
from collections import deque
from typing import Final

from google.protobuf.message import Message
from pitboss.v1 import dealer_pb2 as pb

from services.dealer import views

MOST_BYTES: Final = 256 << 10
"""Bytes of one message, unless a single table is larger: that has a bound of its own."""

_TABLE_TAG: Final = pb.PlayResponse(tables=[pb.WatchTableResponse()]).SerializeToString()[:1]
"""Number and kind of the field ``tables``, as they are encoded."""


class Outbox:
    """What is ready to be sent; each table waits with one message. The stream bounds the number of replies.

    A message in protobuf is the concatenation of its encoded fields.
    """

    def __init__(self) -> None:
        self._replies: deque[bytes] = deque()
        self._tables: dict[str, tuple[bytes, asyncio.Future[None]]] = {}
        self._waker: asyncio.Future[None] | None = None
        self._woken = False

    def __len__(self) -> int:
        """Return the number of answers and refusals that wait."""
        return len(self._replies)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing waits."""
        return not self._replies and not self._tables

    def answer(self, answer: pb.ActResponse) -> None:
        """Send the answer of a command."""
        self._reply(pb.PlayResponse(answers=[answer]))

    def refuse(self, refusal: pb.PlayRefusal) -> None:
        """Send a refusal."""
        self._reply(pb.PlayResponse(refusals=[refusal]))

    async def show(self, table_id: str, message: bytes) -> None:
        """Send an encoded message of a followed table, and wait until it is taken."""
        taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tables[table_id] = message, taken
        self.wake()
        await taken

    def forget(self, table_id: str) -> None:
        """Drop the message of a table that is followed no longer."""
        self._tables.pop(table_id, None)

    def wake(self) -> None:
        """Let ``ready`` return."""
        self._woken = True
        if self._waker is not None and not self._waker.done():
            self._waker.set_result(None)

    async def ready(self) -> None:
        """Wait until something was put in, or ``wake`` was called, since the last time."""
        if not self._woken:
            self._waker = asyncio.get_running_loop().create_future()
            await self._waker
        self._woken = False

    def take(self) -> tuple[bytes, int]:
        """Return the next encoded message, empty where nothing waits, and the number of answers and refusals in it."""
        parts: list[bytes] = []
        size = 0
        while self._replies and (not parts or size + len(self._replies[0]) <= MOST_BYTES):
            parts.append(self._replies.popleft())
            size += len(parts[-1])
        count = len(parts)
        for table_id, (message, taken) in list(self._tables.items()):
            part = views.part(_TABLE_TAG, message)
            if parts and size + len(part) > MOST_BYTES:
                break
            parts.append(part)
            size += len(part)
            del self._tables[table_id]
            if not taken.done():
                taken.set_result(None)
        return b"".join(parts), count

    def _reply(self, message: Message) -> None:
        self._replies.append(message.SerializeToString())
        self.wake()
