"""Watchers in tests of feeds: each reads one stream of a dealer and stores its messages."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager

from pitboss.v1 import dealer_pb2 as pb
from pitboss.v1 import table_pb2

from services.runtime import context, metrics
from services.runtime.identity import Caller, Role
from tests.dealer.conftest import Dealer

WAIT_SECONDS = 60.0


class Looker:
    """One watcher: the messages that it received, and the refusal that ended its stream."""

    def __init__(self) -> None:
        self.messages: list[pb.WatchTableResponse] = []
        self.ended: Exception | None = None
        self.resume: dict[str, str | int] = {}
        self._more = asyncio.Condition()

    @property
    def version(self) -> int:
        """The version of the last view."""
        return self.messages[-1].view.version if self.messages else 0

    @property
    def view(self) -> table_pb2.TableView:
        """The last view, without the clock, which differs from message to message."""
        found = table_pb2.TableView()
        found.CopyFrom(self.messages[-1].view)
        found.ClearField("clock")
        return found

    @property
    def versions(self) -> list[int]:
        """The versions of all events."""
        return [event.version for message in self.messages for event in message.events]

    async def read(self, dealer: Dealer, table_id: str, after: int, caller: Caller) -> None:
        """Read the stream until it ends."""
        call = enter(caller)
        try:
            async with aclosing(dealer.feeds.watch(table_id, after, caller)) as stream:
                async for message in stream:
                    self.messages.append(pb.WatchTableResponse.FromString(message))
                    self.resume = call.resume
                    await self._tell()
        except Exception as error:  # kept for the test
            self.ended = error
            await self._tell()

    async def until(self, holds: Callable[["Looker"], bool]) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(WAIT_SECONDS), self._more:
            await self._more.wait_for(lambda: holds(self))

    async def sees(self, version: int) -> None:
        """Wait until a version is shown."""
        await self.until(lambda one: one.version >= version or one.ended is not None)
        assert self.ended is None, f"the stream ended: {self.ended}"

    async def _tell(self) -> None:
        async with self._more:
            self._more.notify_all()


def enter(caller: Caller) -> context.Call:
    """Begin a call by somebody in this task, as the interceptor does."""
    call = context.Call(method="WatchTable", request_id="test", stopping=asyncio.Event(), who=caller)
    context.enter(call)
    return call


def player(subject: str) -> Caller:
    """Return a player."""
    return Caller(subject=subject, role=Role.PLAYER, test=True)


@asynccontextmanager
async def looking(dealer: Dealer, table_id: str, *callers: Caller, after: int = 0) -> AsyncIterator[list[Looker]]:
    """Let callers watch a table until the block ends; each has received one view when it begins."""
    lookers = [Looker() for _ in callers]
    tasks = [
        asyncio.create_task(one.read(dealer, table_id, after, caller))
        for one, caller in zip(lookers, callers, strict=True)
    ]
    try:
        for one in lookers:
            await one.until(lambda it: bool(it.messages) or it.ended is not None)
        yield lookers
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def reads(*why: str) -> float:
    """Count the reads of the log for watchers so far, for some reasons or for all."""
    return sum(
        sample.value
        for metric in metrics.FEED_READS.collect()
        for sample in metric.samples
        if sample.name.endswith("_total") and (not why or sample.labels["why"] in why)
    )


def views() -> float:
    """Count the views rendered for watchers so far."""
    return next(
        sample.value
        for metric in metrics.FEED_VIEWS.collect()
        for sample in metric.samples
        if sample.name.endswith("_total")
    )
