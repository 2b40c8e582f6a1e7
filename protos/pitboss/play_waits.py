"""What waits on a stream of play: commands for their answers, and followed tables for their readers."""

import asyncio
import time
from collections import deque

from pitboss import calls
from pitboss.v1 import dealer_pb2

MOST_KEPT = 16
"""Messages of a table that wait to be read; after that the newest view takes the place of the one before."""


class Command:
    """A command that waits for its answer."""

    def __init__(self, request: dealer_pb2.ActRequest, patience: float) -> None:
        self.request = request
        self.key = self.key_of(request.request_id)
        self.step = dealer_pb2.PlayStep(act=request)
        self.answer: asyncio.Future[dealer_pb2.ActResponse] = asyncio.get_running_loop().create_future()
        self.moves = 0
        self._until = time.monotonic() + patience
        self._failures = 0
        self._limit_seconds = 0.0

    @staticmethod
    def key_of(request_id: str) -> str:
        """Return what tells this command from all that waits."""
        return f"the command {request_id}"

    def take(self, answer: dealer_pb2.ActResponse) -> None:
        """End the wait with the answer."""
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: Exception) -> None:
        """End the wait with a refusal, or with the error of the function that signs in."""
        if not self.answer.done():
            own = error.of(self.request.request_id) if isinstance(error, calls.Refused) else error
            self.answer.set_exception(own)

    def delay_seconds(self, refused: calls.Refused) -> float | None:
        """Return the pause before the command is sent again after a refusal, None where that is of no use."""
        self._failures += 1
        if refused.code is calls.LIMITED:
            self._limit_seconds += refused.retry_after_seconds or 0.0
        if not _is_passing(refused) or self._limit_seconds > calls.MOST_LIMIT_SECONDS:
            return None
        seconds = calls.pause(self._failures, refused)
        return None if time.monotonic() + seconds > self._until else seconds

    def is_over(self) -> bool:
        """Return whether the caller's patience has ended."""
        return time.monotonic() > self._until


class Followed:
    """A followed table: the messages that wait to be read, and the last version received."""

    def __init__(self, table_id: str, after_version: int, patience: float | None) -> None:
        self.request = dealer_pb2.WatchTableRequest(table_id=table_id, after_version=after_version)
        self.key = self.key_of(table_id)
        self.moves = 0
        self._patience = patience
        self._failures = 0
        self._away_since: float | None = None
        self._messages: deque[dealer_pb2.WatchTableResponse] = deque()
        self._failure: Exception | None = None
        self._more = asyncio.Event()

    @staticmethod
    def key_of(table_id: str) -> str:
        """Return what tells this table from all that waits."""
        return f"following the table {table_id}"

    @property
    def step(self) -> dealer_pb2.PlayStep:
        """The step that follows the table from the last version received."""
        return dealer_pb2.PlayStep(follow=self.request)

    def take(self, message: dealer_pb2.WatchTableResponse) -> None:
        """Keep a message for the reader."""
        self._away_since, self._failures = None, 0
        self.request.after_version = message.view.version
        if len(self._messages) < MOST_KEPT:
            self._messages.append(message)
        else:
            last = self._messages[-1]
            last.view.CopyFrom(message.view)
            last.events.extend(message.events)
            last.truncated |= message.truncated
        self._more.set()

    def fail(self, error: Exception) -> None:
        """End the reading with a refusal, or with the error of the function that signs in."""
        self._failure = error.of("") if isinstance(error, calls.Refused) else error
        self._more.set()

    async def next(self) -> dealer_pb2.WatchTableResponse:
        """Return the next message. Raises Refused."""
        while not self._messages:
            if self._failure is not None:
                raise self._failure
            self._more.clear()
            await self._more.wait()
        return self._messages.popleft()

    def delay_seconds(self, refused: calls.Refused) -> float | None:
        """Return the pause before the table is followed again after a refusal, None where that is of no use."""
        self._failures += 1
        return None if not _is_passing(refused) or self.is_over() else calls.pause(self._failures, refused)

    def is_over(self) -> bool:
        """Return whether the house has been away for longer than the reader's patience."""
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        return self._patience is not None and now - self._away_since >= self._patience


def _is_passing(refused: calls.Refused) -> bool:
    """Return whether the same step may succeed later."""
    return refused.code in calls.UNKNOWN or refused.retry_after_seconds is not None
