"""Bare servers to compare with: an echo over ``grpc.aio``, and an echo that commits one row first."""

from __future__ import annotations  # grpc's generic types cannot be subscripted at run time

import asyncio
import sys
from collections.abc import AsyncIterator

import grpc
import psycopg_pool
import uvloop

METHOD = "/bench.Echo/Echo"
TALK = "/bench.Echo/Talk"
"""The same with streams: each message comes back."""


class _Handler(grpc.GenericRpcHandler):  # type: ignore[type-arg]  # cannot be subscripted at run time
    """Answers every call with its own bytes; with a pool after one durable insert."""

    def __init__(self, pool: psycopg_pool.AsyncConnectionPool | None) -> None:
        self._pool = pool

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Serve any method alike, as calls or as streams."""
        if handler_call_details.method == TALK:
            return grpc.stream_stream_rpc_method_handler(self._talk)
        return grpc.unary_unary_rpc_method_handler(self._answer)

    async def _talk(self, requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        async for request in requests:
            await context.write(request)

    async def _answer(self, request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        del context
        if self._pool is not None:
            async with self._pool.connection() as conn:
                await conn.execute("INSERT INTO bench_echo (data) VALUES (%s)", (request,))
        return request


async def main(url: str) -> None:
    """Serve on a free port, tell it, and end when standard input ends."""
    pool = None
    if url:
        pool = psycopg_pool.AsyncConnectionPool(url, kwargs={"autocommit": True}, min_size=8, max_size=8, open=False)
        await pool.open(wait=True)
        async with pool.connection() as conn:
            await conn.execute("CREATE TABLE IF NOT EXISTS bench_echo (id bigserial PRIMARY KEY, data bytea NOT NULL)")
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((_Handler(pool),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop(0)
    if pool is not None:
        await pool.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1] if len(sys.argv) > 1 else ""))
