"""A dealer and settlement for tests of streams of play, with people who have money, and streams held by hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, Self

import grpc
from pitboss import client
from pitboss.calls import refusal_in
from pitboss.v1 import dealer_pb2 as pb

from services.cli.reach import Reach
from services.runtime.identity import Identity
from tests.support import people, served
from tests.support.people import Crowd, Person
from tests.support.served import Served

WAIT_SECONDS: Final = 60.0
OPEN_WINDOW: Final = {"bet_seconds": 3600}


@asynccontextmanager
async def crowd_of(*dealers: Served, settlement: Served) -> AsyncIterator[Crowd]:
    """Yield people who reach these dealers."""
    identity = Identity(settlement.settings)
    reached = Reach(
        dealers=tuple(dealer.address for dealer in dealers),
        settlement=settlement.address,
        audit=settlement.address,
        identity=identity,
    )
    async with Crowd(reached) as crowd:
        yield crowd


async def betting(crowd: Crowd, *names: str, **more: Any) -> tuple[str, list[Person]]:
    """Return a table of suit betting whose betting window stays open, with its players."""
    table_id, players = await crowd.table("suit_betting", names or ("ann",), OPEN_WINDOW, buy_in=100_000, **more)
    await players[0].house.start_round(table_id)
    return table_id, players


def bet(table_id: str, amount: int = 1, request_id: str = "", spot: str = "spade", **more: Any) -> pb.ActRequest:
    """Return the request of a bet."""
    return pb.ActRequest(
        request_id=request_id or served.request_id(),
        table_id=table_id,
        action=people.action("place_bet", spot=spot, amount=amount),
        **more,
    )


class ByHand:
    """One stream, whose messages a test sends and reads itself."""

    def __init__(self, stub: Any, token: str, *headers: tuple[str, str]) -> None:
        self._call = stub.Play(metadata=(("authorization", f"Bearer {token}"), *headers))
        self.answers: dict[str, list[pb.ActResponse]] = {}
        self.refusals: list[pb.PlayRefusal] = []
        self.tables: list[pb.WatchTableResponse] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._call.cancel()

    async def send(self, *steps: pb.PlayStep | pb.ActRequest) -> None:
        """Send one message."""
        made = [pb.PlayStep(act=step) if isinstance(step, pb.ActRequest) else step for step in steps]
        await self._call.write(pb.PlayRequest(steps=made))

    async def follow(self, table_id: str, after: int = 0) -> None:
        """Follow a table."""
        await self.send(pb.PlayStep(follow=pb.WatchTableRequest(table_id=table_id, after_version=after)))

    async def finish(self) -> None:
        """Send no more."""
        await self._call.done_writing()

    async def read(self) -> bool:
        """Read one message; return False at the stream's end. Raises client.Refused."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                message = await self._call.read()
        except grpc.RpcError as error:
            raise client.refusal(error) from None
        if not isinstance(message, pb.PlayResponse):
            return False
        for answer in message.answers:
            self.answers.setdefault(answer.request_id, []).append(answer)
        self.refusals.extend(message.refusals)
        self.tables.extend(message.tables)
        return True

    async def answer(self, request: pb.ActRequest) -> pb.ActResponse:
        """Read until a command is answered."""
        while request.request_id not in self.answers:
            assert await self.read(), "the stream ended"
        return self.answers[request.request_id][0]

    async def refused(self, request_id: str = "", table_id: str = "") -> client.Refused:
        """Read until a step is refused; return why."""
        while True:
            for one in self.refusals:
                if one.request_id == request_id and (not table_id or one.table_id == table_id):
                    return refusal_in(one.status)
            assert await self.read(), "the stream ended"

    async def shown(self, version: int, table_id: str = "") -> pb.WatchTableResponse:
        """Read until a followed table is shown at a version or a later one."""
        while True:
            for one in self.tables:
                if one.view.version >= version and (not table_id or one.view.table.table_id == table_id):
                    return one
            assert await self.read(), "the stream ended"

    def events(self, table_id: str = "") -> list[int]:
        """Return the versions of the events received, in their order."""
        ours = (one for one in self.tables if not table_id or one.view.table.table_id == table_id)
        return [event.version for one in ours for event in one.events]

    async def end(self) -> client.Refused:
        """Read until the house ends the stream; return why."""
        try:
            while await self.read():
                pass
        except client.Refused as refused:
            return refused
        raise AssertionError("the stream ended without an error")
