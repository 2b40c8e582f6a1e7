"""A session of play: one caller's commands and followed tables over a stream, resumed after a break.

>>> async with house.session() as playing:
...     await playing.act(table_id, moves.action("call"))
...     async for seen in playing.follow(table_id):
...         for option in seen.view.round.options:
...             print(option.action)

Many commands may be under way at once; those at one table are done in the order in which they were sent. A stream that
breaks is opened again, every command without an answer is sent again with its own id, and each followed table goes on
after the last version received. So no command is done twice, and no event is missed or seen twice.
"""

import asyncio
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Any, Self

import grpc

from pitboss import calls, dealers, tokens
from pitboss.play_line import Line, Metadata
from pitboss.play_waits import Command, Followed
from pitboss.stubs import request_id
from pitboss.v1 import actions_pb2, dealer_pb2


class Session:
    """One caller's play at all its tables: one stream, or one for each family that has dealers of its own."""

    def __init__(self, ways: dealers.Dealers, token: tokens.Tokens, metadata: Metadata, patience: float) -> None:
        self._dealers, self._tokens, self._metadata, self._patience = ways, token, metadata, patience
        self._lines: dict[str, Line] = {}
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the streams. A command that still waits may have been done; its answer is not waited for."""
        self._closed = True
        await asyncio.gather(*(line.close() for line in self._lines.values()))

    async def act(
        self, table_id: str, action: actions_pb2.Action, expected_version: int | None = None, command: str = ""
    ) -> dealer_pb2.ActResponse:
        """Act for the caller's seat, as ``House.act`` does. Raises Refused, ValueError for an id that is under way."""
        request = dealer_pb2.ActRequest(
            request_id=command or request_id(), table_id=table_id, action=action, expected_version=expected_version
        )
        one = Command(request, self._patience)
        self._line(request).send(one)
        try:
            return await one.answer
        finally:
            self._line(request).forget(one)

    async def follow(
        self, table_id: str, after_version: int = 0, patience: float | None = calls.PATIENCE_SECONDS
    ) -> AsyncGenerator[dealer_pb2.WatchTableResponse, None]:
        """Follow a table, as ``House.watch`` does; a slow reader gets the newest view with all events in between.

        Raises ValueError for a table that is followed already.
        """
        followed = Followed(table_id, after_version, patience)
        self._line(followed.request).send(followed)
        try:
            while True:
                yield await followed.next()
        finally:
            self._line(followed.request).forget(followed)

    def _line(self, request: Any) -> Line:
        """Return the line on which a request goes: that of its table's family, as far as it is known."""
        way = self._dealers.way(self._dealers.first.Play, request)
        line = self._lines.get(way.family)
        if line is None:
            if self._closed:
                raise calls.Refused(grpc.StatusCode.CANCELLED, "CANCELLED", "the session was closed", {})
            line = self._lines[way.family] = Line(way, self._tokens, self._metadata, self._elsewhere)
        return line

    def _elsewhere(self, way: dealers.Way, one: Command | Followed, refused: calls.Refused) -> bool:
        """Move what a dealer refused because of its family to the right one; return whether it was moved."""
        if not self._dealers.elsewhere(way, one.request, refused.reason, refused.metadata):
            return False
        self._line(one.request).send(one)
        return True
