"""The stream of play to the dealers of one family: what waits on it, and how it is opened again after a break."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import grpc

from pitboss import calls, dealers, tokens
from pitboss.play_waits import Command, Followed
from pitboss.v1 import dealer_pb2

MOST_STEPS = 64
"""Steps in one message."""

Metadata = Callable[[dealers.Way, str], tuple[tuple[str, str], ...]]
"""Returns the metadata of a call by its route and token."""
Elsewhere = Callable[[dealers.Way, Command | Followed, calls.Refused], bool]
"""Moves what a dealer refused because of its family to another line; returns whether it did."""
_BROKEN = (*calls.UNKNOWN, grpc.StatusCode.INTERNAL)
"""Codes of a stream that broke. Python's client reports INTERNAL where a stream ends while it writes."""


class Line:
    """One stream, opened when something is sent, and again after a break while something waits."""

    def __init__(self, way: dealers.Way, token: tokens.Tokens, metadata: Metadata, elsewhere: Elsewhere) -> None:
        self._way, self._tokens, self._metadata, self._elsewhere = way, token, metadata, elsewhere
        self._waiting: dict[str, Command | Followed] = {}
        self._unsent: deque[dealer_pb2.PlayStep] = deque()
        self._more = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._closed = False

    # -- what is sent -------------------------------------------------------------------------------------------

    def send(self, one: Command | Followed) -> None:
        """Send a command, or follow a table.

        Raises ValueError for one that is under way or followed already, Refused after ``close``.
        """
        if self._closed:
            raise _closed()
        if one.key in self._waiting:
            raise ValueError(f"{one.key} is under way on this session; await its end")
        self._keep(one)

    def forget(self, one: Command | Followed) -> None:
        """Forget what nobody waits for any more; a table is followed no longer."""
        if self._drop(one) and isinstance(one, Followed):
            self._push(dealer_pb2.PlayStep(unfollow=one.request.table_id))

    async def close(self) -> None:
        """End the stream."""
        self._closed = True
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._fail(_closed())

    def _keep(self, one: Command | Followed) -> None:
        self._waiting[one.key] = one
        self._push(one.step)

    def _drop(self, one: Command | Followed) -> bool:
        """Let something wait no longer; return whether it did."""
        waits = self._waiting.get(one.key) is one
        if waits:
            del self._waiting[one.key]
        return waits

    def _push(self, step: dealer_pb2.PlayStep) -> None:
        self._unsent.append(step)
        self._more.set()
        if self._waiting and (self._running is None or self._running.done()):
            self._running = asyncio.create_task(self._run(), name="pitboss: play")

    async def _write(self, stream: Any) -> None:
        """Send what is ready, all of it in as few messages as possible; the reader learns why a stream has ended."""
        with suppress(grpc.RpcError, asyncio.InvalidStateError):
            while True:
                while self._unsent:
                    steps = [self._unsent.popleft() for _ in range(min(MOST_STEPS, len(self._unsent)))]
                    await stream.write(dealer_pb2.PlayRequest(steps=steps))
                self._more.clear()
                await self._more.wait()

    # -- the stream ---------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Keep a stream open while something waits on it; nothing waits any more when this ends."""
        try:
            await self._keep_open()
        except BaseException:  # the channel was closed, or the session
            self._fail(_closed())
            raise

    async def _keep_open(self) -> None:
        failures, renewed = 0, False
        while self._waiting:
            try:
                token = await self._tokens.current()
            except Exception as error:  # whatever sign-in raises, the callers get
                self._fail(error)
                return
            refused, answered = await self._once(token)
            if answered:
                failures, renewed = 0, False
            if refused.code is calls.UNSIGNED and not renewed and await self._tokens.renewed(token):
                renewed = True
                continue
            if refused.code not in _BROKEN and refused.retry_after_seconds is None:
                self._fail(refused)
                return
            failures += 1
            for one in [waiting for waiting in self._waiting.values() if waiting.is_over()]:
                self._end(one, refused)
            await asyncio.sleep(calls.pause(failures, refused))

    async def _once(self, token: str) -> tuple[calls.Refused, bool]:
        """Serve one stream until it ends; return why it did, and whether it has answered anything."""
        self._unsent = deque(one.step for one in self._waiting.values())
        stream = self._way.method(metadata=self._metadata(self._way, token))
        writing = asyncio.create_task(self._write(stream), name="pitboss: play, sending")
        answered = False
        try:
            while isinstance(message := await stream.read(), dealer_pb2.PlayResponse):  # else it has ended
                answered = True
                self._take(message)
        except grpc.RpcError as error:
            return calls.refusal(error), answered
        finally:
            writing.cancel()
            stream.cancel()
            await asyncio.gather(writing, return_exceptions=True)
        return calls.Refused(grpc.StatusCode.UNAVAILABLE, "UNAVAILABLE", "the stream has ended", {}), answered

    def _fail(self, error: Exception) -> None:
        for one in list(self._waiting.values()):
            self._end(one, error)

    def _end(self, one: Command | Followed, error: Exception) -> None:
        self._drop(one)
        one.fail(error)

    # -- what comes back ----------------------------------------------------------------------------------------

    def _take(self, message: dealer_pb2.PlayResponse) -> None:
        for answer in message.answers:
            command = self._waiting.get(Command.key_of(answer.request_id))
            if isinstance(command, Command):
                self._drop(command)
                command.take(answer)
        for table in message.tables:
            followed = self._waiting.get(Followed.key_of(table.view.table.table_id))
            if isinstance(followed, Followed):
                followed.take(table)
        for refusal in message.refusals:
            key = Command.key_of(refusal.request_id) if refusal.request_id else Followed.key_of(refusal.table_id)
            one = self._waiting.get(key)
            if one is not None:
                self._refused(one, calls.refusal_in(refusal.status))

    def _refused(self, one: Command | Followed, refused: calls.Refused) -> None:
        """Pass a refusal on, or send again what may succeed later or elsewhere."""
        self._drop(one)
        if one.moves < calls.MOST_ELSEWHERE and self._elsewhere(self._way, one, refused):
            one.moves += 1
            return
        delay_seconds = one.delay_seconds(refused)
        if delay_seconds is None:
            one.fail(refused)
            return
        self._waiting[one.key] = one
        asyncio.get_running_loop().call_later(delay_seconds, self._once_more, one)

    def _once_more(self, one: Command | Followed) -> None:
        if self._waiting.get(one.key) is one:
            self._push(one.step)


def _closed() -> calls.Refused:
    return calls.Refused(grpc.StatusCode.CANCELLED, "CANCELLED", "the session was closed", {})
