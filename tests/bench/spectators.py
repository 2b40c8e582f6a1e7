"""Spectators in a process of their own: they open watches, say when all have begun, and note what they are sent."""

from __future__ import annotations  # grpc's generic types cannot be subscripted at run time

import asyncio
import json
import sys
import time
from collections import defaultdict
from typing import Any

import grpc
import uvloop
from pitboss.v1 import dealer_pb2

METHOD = "/pitboss.v1.DealerService/WatchTable"
CHANNELS = 10


async def main() -> None:
    """Read one line of JSON (address, and the tokens by table), watch, and end when standard input ends."""
    loop = asyncio.get_running_loop()
    given = json.loads(await loop.run_in_executor(None, sys.stdin.readline))
    channels = [
        grpc.aio.insecure_channel(given["address"], options=[("pitboss.number", number)]) for number in range(CHANNELS)
    ]
    sent: defaultdict[str, list[float]] = defaultdict(list)
    """The moments of messages by table, on the clock of all processes."""
    begun = asyncio.Semaphore(0)

    async def watch(table_id: str, token: str, channel: grpc.aio.Channel) -> None:
        method: Any = channel.unary_stream(METHOD, request_serializer=None, response_deserializer=None)
        request = dealer_pb2.WatchTableRequest(table_id=table_id).SerializeToString()
        first = True
        async for _ in method(request, metadata=(("authorization", f"Bearer {token}"),)):
            sent[table_id].append(time.monotonic())
            if first:
                first = False
                begun.release()

    tasks = [
        asyncio.create_task(watch(table_id, token, channels[number % CHANNELS]))
        for table_id, tokens in given["watchers"].items()
        for number, token in enumerate(tokens)
    ]
    for _ in tasks:
        await begun.acquire()
    sys.stdout.write("all watch\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    failed = [str(task.exception()) for task in tasks if task.done() and not task.cancelled()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for channel in channels:
        await channel.close(None)
    sys.stdout.write(json.dumps({"sent": sent, "failed": failed}) + "\n")


if __name__ == "__main__":
    uvloop.run(main())
