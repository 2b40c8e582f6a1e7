"""The common parts of streams: bounds for each caller and process, an end with the token, the sending of messages."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import grpc
from google.protobuf.message import Message

from services.rules.refusals import Reason, Refused
from services.runtime.identity import Caller, Role

SHARE: Final = 0.75
"""Share of all open calls that may be streams; the rest is reserved for calls."""
RETRY_SECONDS: Final = 5.0
"""Seconds after which a caller may retry if too many streams or calls are open."""


class PerCaller:
    """Bounds what one caller holds open in one process.

    Services hold it open for many people and are not bounded by their subject. ``message`` and ``metadata`` are those
    of the refusal.
    """

    def __init__(self, most: int, message: str, metadata: Mapping[str, int]) -> None:
        self._most, self._message, self._metadata = most, message, metadata
        self._open: Counter[tuple[str, Role]] = Counter()

    def __len__(self) -> int:
        """Return the number of callers that hold something open."""
        return len(self._open)

    @contextmanager
    def hold(self, caller: Caller) -> Iterator[None]:
        """Count one for the caller while it is open. Raises Refused (``TOO_MANY_REQUESTS``) beyond the bound."""
        who = (caller.subject, caller.role)
        if caller.role is not Role.SERVICE and self._open[who] >= self._most:
            raise Refused(Reason.TOO_MANY_REQUESTS, self._message, metadata=self._metadata, retry_seconds=RETRY_SECONDS)
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


class Load:
    """Counts the calls and streams that are open in one process.

    ``most`` bounds both together, ``most_per_caller`` the streams of one subject. Services open streams for many
    people and are not bounded by their subject.
    """

    def __init__(self, most: int, most_per_caller: int) -> None:
        self._most, self._most_streams = most, max(1, int(most * SHARE))
        self._open = 0
        self._streams = 0
        self._callers = PerCaller(
            most_per_caller,
            f"you have {most_per_caller} streams open here, the maximum of one caller; close some",
            {"open": most_per_caller, "most": most_per_caller},
        )

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count one call or stream while it is open. Raises Refused (``TOO_MANY_REQUESTS``) beyond the bound."""
        if self._open >= self._most:
            message = f"{self._open} calls are open in this process, its maximum; try later"
            raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=RETRY_SECONDS)
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    @contextmanager
    def stream(self, caller: Caller) -> Iterator[None]:
        """Count one stream while it is open. Raises Refused (``TOO_MANY_REQUESTS``) beyond a bound."""
        with self._callers.hold(caller):
            if self._streams >= self._most_streams:
                message = f"{self._streams} streams are open in this process, its maximum; try later"
                raise Refused(Reason.TOO_MANY_REQUESTS, message, retry_seconds=RETRY_SECONDS)
            self._streams += 1
            try:
                yield
            finally:
                self._streams -= 1


def end_with_token(scope: asyncio.Timeout, until: float) -> None:
    """End a stream when its token does (seconds since 1970), if that is before the stream's own bound."""
    ends, left = scope.when(), until - time.time()
    at = asyncio.get_running_loop().time() + max(0.0, left)
    if ends is not None and at < ends and not scope.expired():
        scope.reschedule(at)


class Incoming:
    """The requests of a stream, until its caller sends no more or has left; iterating raises DecodeError.

    ``heard``: whether a request has arrived.
    """

    def __init__(self, raw: AsyncIterator[bytes], read: Callable[[bytes], Any]) -> None:
        self._raw, self._read = raw, read
        self.heard = False

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for raw in self._raw:
                self.heard = True
                yield self._read(raw)
        except grpc.aio.BaseError:
            return  # the handler is cancelled as well


async def write(rpc: Any, message: Message | bytes) -> None:
    """Send a message of a stream. Raises CancelledError if the client has left, for every error that grpc reports."""
    try:
        await rpc.write(message)
    except grpc.aio.BaseError as error:
        raise asyncio.CancelledError from error


def written(serializer: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Return the serializer of a stream's messages; bytes count as serialized already."""
    return lambda message: message if isinstance(message, bytes) else serializer(message)
