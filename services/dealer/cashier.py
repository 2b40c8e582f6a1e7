"""The dealer's way to settlement: it alone moves money, over gRPC."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from pitboss.v1 import settlement_pb2 as pb
from pitboss.v1 import settlement_pb2_grpc

from services.runtime import logs
from services.runtime.identity import Caller

log = logs.get("cashier")

Told = Callable[[int], Awaitable[None]]
"""Told of the table's version once its round is settled."""


class Cashier:
    """Calls settlement for buy-ins, cash-outs and ended rounds."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.stub: Any = settlement_pb2_grpc.SettlementServiceStub(channel)
        self._running: set[asyncio.Task[None]] = set()
        self._asked: dict[str, asyncio.Future[int]] = {}

    async def settle(self, table_id: str) -> int:
        """Settle an ended round now. Returns the table's version afterwards.

        Calls for a table that is being settled wait for the same answer.
        """
        running = self._asked.get(table_id)
        if running is None:
            running = asyncio.ensure_future(self._ask(table_id))
            self._asked[table_id] = running
            running.add_done_callback(lambda _: self._asked.pop(table_id, None))
        return await asyncio.shield(running)

    async def _ask(self, table_id: str) -> int:
        return int((await self.stub.SettleRound(pb.SettleRoundRequest(table_id=table_id))).version)

    def settle_soon(self, table_id: str, then: Told) -> None:
        """Settle an ended round after the answer; if that fails, a settlement process finds the round itself."""
        task = asyncio.create_task(self._settle(table_id, then))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _settle(self, table_id: str, then: Told) -> None:
        try:
            await then(await self.settle(table_id))
        except grpc.aio.AioRpcError as error:
            log.warning("settlement did not answer; the round is found by its sweep", code=error.code().name)
        except Exception as error:
            log.warning("after a settlement", cause=type(error).__name__, exc_info=error)

    async def close(self) -> None:
        """Wait shortly for what is on its way."""
        if self._running:
            await asyncio.wait(self._running, timeout=2)


def command(request: Any, caller: Caller) -> dict[str, Any]:
    """Return the fields that every command of a player or operator passes on to settlement."""
    return {
        "request_id": request.request_id,
        "table_id": request.table_id,
        "expected_version": request.expected_version if request.HasField("expected_version") else None,
        "on_behalf": on_behalf(caller),
    }


def on_behalf(caller: Caller) -> pb.OnBehalf:
    """Name the caller to settlement."""
    return pb.OnBehalf(
        subject=caller.subject,
        role=caller.role.value,
        name=caller.name,
        test=caller.test,
        avatar=caller.avatar,
    )
