"""A stream of play: one caller's commands and the tables that it follows, over one call.

A stream is admitted once; each command is then counted and decided as ``Act`` decides it. Commands at one table wait
for each other, those at several tables do not. There is no timer for each command: a lane serves a table for as long as
commands wait there, and one look at all lanes ends what takes too long.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

import msgspec
from google.protobuf.message import Message
from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests
from services.dealer import acts
from services.dealer.context import DealerContext
from services.dealer.play_outbox import Outbox
from services.rules.refusals import Reason, Refused, invalid
from services.runtime import context, errors, failed_calls, metrics, request_text, streams
from services.runtime.quotas import Kind

MOST_STEPS: Final = 64
"""Steps in one message."""
MOST_UNDER_WAY: Final = 64
"""Commands of one stream that wait for a decision, or for the caller to take their answer."""
MOST_FOLLOWED: Final = 64
"""Tables that one stream follows."""
MOST_STREAMS: Final = 4
"""Streams of play that one caller may have open in one process: one for each device that it plays with."""
LOOK_SECONDS: Final = 0.5
"""How often a stream with commands under way is searched for one that takes too long."""


def per_caller() -> streams.PerCaller:
    """Return the bound on the streams of play of each caller."""
    message = f"you have {MOST_STREAMS} streams of play open here, the maximum of one caller; play all tables over one"
    return streams.PerCaller(MOST_STREAMS, message, {"open": MOST_STREAMS, "most": MOST_STREAMS})


class _Lane:
    """The commands of one stream at one table, in their order."""

    __slots__ = ("began", "is_late", "requests", "task")

    def __init__(self) -> None:
        self.requests: deque[pb.ActRequest] = deque()
        self.began = 0.0
        self.is_late = False
        self.task: asyncio.Task[None] | None = None


class PlayStream:
    """One open stream."""

    def __init__(self, house: DealerContext, call: context.Call) -> None:
        self._house, self._call, self._caller = house, call, call.caller
        self._bound_seconds = house.settings.call_seconds
        self._outbox = Outbox()
        self._lanes: dict[str, _Lane] = {}
        self._followers: dict[str, asyncio.Task[None]] = {}
        self._dismissed: set[asyncio.Task[None]] = set()
        self._under_way = 0
        self._room: asyncio.Future[None] | None = None
        self._look: asyncio.TimerHandle | None = None
        self._has_ended = False
        self._failure: Exception | None = None

    async def messages(self, incoming: AsyncIterator[pb.PlayRequest]) -> AsyncGenerator[bytes, None]:
        """Yield encoded messages until the caller has sent its last one and all is answered. Raises Refused."""
        reading = asyncio.create_task(self._read(incoming), name="play: steps")
        try:
            while not (self._has_ended and not self._under_way and self._outbox.is_empty):
                await self._outbox.ready()
                if self._failure is not None:
                    raise self._failure
                while not self._outbox.is_empty:
                    message, count = self._outbox.take()
                    metrics.PLAY_ANSWERS.observe(count)
                    yield message
                    if self._room is not None and not self._room.done():
                        self._room.set_result(None)
        finally:
            await self._close(reading)

    async def _close(self, reading: asyncio.Task[None]) -> None:
        """End all that the stream began. What is being appended may be in the log: the caller asks again."""
        if self._look is not None:
            self._look.cancel()
        lanes = [lane.task for lane in self._lanes.values() if lane.task is not None]
        for table_id in list(self._followers):
            self._unfollow(table_id)
        tasks = [reading, *lanes, *self._dismissed]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- what comes in ------------------------------------------------------------------------------------------

    async def _read(self, incoming: AsyncIterator[pb.PlayRequest]) -> None:
        try:
            async for request in incoming:
                _require_bounded(request)
                for step in request.steps:
                    while self._under_way + len(self._outbox) >= MOST_UNDER_WAY:
                        self._room = asyncio.get_running_loop().create_future()
                        await self._room
                    await self._take(step)
        except Exception as error:  # it ends the stream, with the refusal that it means
            self._failure = error
        self._has_ended = True
        self._outbox.wake()

    async def _take(self, step: pb.PlayStep) -> None:
        """Begin one step; what is wrong with it is a message."""
        kind = step.WhichOneof("kind")
        try:
            if kind == "act":
                await self._act(step.act)
            elif kind == "follow":
                await self._follow(step.follow)
            else:
                await self._admit(Kind.READS, step)
                self._unfollow(step.unfollow)
                if kind is None:
                    self._refuse(invalid("steps.kind", "act, follow or unfollow"), self._call, "")
        except Exception as error:  # any error is this step's alone
            self._unfollow(step.unfollow)  # whatever its caller's rate
            table_id = step.unfollow or (step.act if kind == "act" else step.follow).table_id
            self._refuse(error, self._call, table_id, step.act.request_id)

    async def _act(self, request: pb.ActRequest) -> None:
        await self._admit(Kind.ACTS, request)
        table_id = requests.table_id(request)
        self._under_way += 1
        lane = self._lanes.get(table_id)
        if lane is None:
            lane = self._lanes[table_id] = _Lane()
            lane.requests.append(request)
            lane.task = asyncio.create_task(self._serve(table_id, lane), name="play: table")
        else:
            lane.requests.append(request)
        if self._look is None:
            self._look = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look_through)

    async def _follow(self, request: pb.WatchTableRequest) -> None:
        await self._admit(Kind.READS, request)
        table_id = requests.table_id(request)
        if request.after_version < 0:
            raise invalid("after_version", "0, or a version that you have seen")
        self._unfollow(table_id)
        if len(self._followers) >= MOST_FOLLOWED:
            message = f"{MOST_FOLLOWED} tables are followed on this stream, the maximum; unfollow one first"
            most = {"most": MOST_FOLLOWED}
            raise Refused(Reason.TOO_MANY_REQUESTS, message, metadata=most, retry_seconds=streams.RETRY_SECONDS)
        showing = asyncio.create_task(self._show(table_id, request.after_version), name="play: followed table")
        self._followers[table_id] = showing
        metrics.PLAY_FOLLOWED.inc()

    def _unfollow(self, table_id: str) -> None:
        showing = self._followers.pop(table_id, None)
        if showing is not None:
            metrics.PLAY_FOLLOWED.dec()
            self._outbox.forget(table_id)
            showing.cancel()
            self._dismissed.add(showing)
            showing.add_done_callback(self._dismissed.discard)

    async def _admit(self, kind: Kind, message: Message) -> None:
        """Count a step by its caller's rate, then check its text. Raises Refused."""
        if self._call.gate is not None:
            await self._call.gate.admit(kind, self._caller)
        if b"\0" in message.SerializeToString():
            request_text.refuse(message)

    # -- what is done -------------------------------------------------------------------------------------------

    async def _serve(self, table_id: str, lane: _Lane) -> None:
        """Decide the commands at one table, one after the other."""
        while lane.requests:
            lane.began = time.monotonic()
            request = lane.requests.popleft()
            try:
                answer = await acts.act(self._house, request, self._caller)
            except asyncio.CancelledError:
                if not lane.is_late or lane.task is None:
                    raise
                lane.is_late = False
                lane.task.uncancel()
                self._under_way -= 1
                self._refuse(failed_calls.late(self._bound_seconds), self._call, table_id, request.request_id)
            except Exception as error:  # any error is this command's alone
                self._under_way -= 1
                self._refuse(error, self._call, table_id, request.request_id)
            else:
                answer.request_id = request.request_id
                self._under_way -= 1
                _ANSWERED.inc()
                self._outbox.answer(answer)
            metrics.PLAY_SECONDS.observe(time.monotonic() - lane.began)
        del self._lanes[table_id]

    def _look_through(self) -> None:
        """End commands that take longer than a call may."""
        late = time.monotonic() - self._bound_seconds
        for lane in self._lanes.values():
            if lane.task is not None and lane.began and lane.began <= late and not lane.is_late:
                lane.is_late = True
                lane.task.cancel()
        self._look = asyncio.get_running_loop().call_later(LOOK_SECONDS, self._look_through) if self._lanes else None

    async def _show(self, table_id: str, after: int) -> None:
        """Show a followed table for as long as it is followed, each message when the last one was taken."""
        call = msgspec.structs.replace(self._call)
        context.enter(call)
        try:
            async with aclosing(self._house.feeds.watch(table_id, after, self._caller)) as seen:
                async for message in seen:
                    await self._outbox.show(table_id, message)
        except Exception as error:  # any error ends this table alone
            self._refuse(error, call, table_id)
            if self._followers.get(table_id) is asyncio.current_task():
                del self._followers[table_id]
                metrics.PLAY_FOLLOWED.dec()

    def _refuse(self, error: Exception, call: context.Call, table_id: str, request_id: str = "") -> None:
        """Send the refusal that an exception means."""
        refusal = call.gate.refusal(error, call) if call.gate is not None else failed_calls.refusal_of(error, call)
        if request_id:
            _REFUSED.inc()
        status = errors.to_status(refusal, call.language)
        self._outbox.refuse(pb.PlayRefusal(request_id=request_id, table_id=table_id, status=status))


def _require_bounded(request: pb.PlayRequest) -> None:
    """Raise Refused (``INVALID_ARGUMENT``) for a message with no steps, or with too many."""
    if not 1 <= len(request.steps) <= MOST_STEPS:
        message = f"{len(request.steps)} steps in one message; send 1 to {MOST_STEPS}"
        raise invalid("steps", message, least=1, greatest=MOST_STEPS)


_ANSWERED: Final = metrics.PLAY_COMMANDS.labels("answered")
_REFUSED: Final = metrics.PLAY_COMMANDS.labels("refused")
