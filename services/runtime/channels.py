"""Channels to other services: the process's token, a deadline on every call, retries of calls that nobody took."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc

from services.runtime import context, tls
from services.runtime.settings import Settings

RETRY = {
    "maxAttempts": 5,
    "initialBackoff": "0.05s",
    "maxBackoff": "1s",
    "backoffMultiplier": 2,
    "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"],
}
"""Retries are safe for every method: each command carries a request id. A stopping server cancels the calls that it
has not taken."""


class _Outgoing:
    """Adds token, deadline and the id of the call that is being answered."""

    def __init__(self, token: Callable[[], str], seconds: float) -> None:
        self._token, self._seconds = token, seconds

    def call(self, details: Any) -> grpc.aio.ClientCallDetails:
        """Complete a call."""
        return self._with(details, details.timeout or self._seconds)

    def stream(self, details: Any) -> grpc.aio.ClientCallDetails:
        """Complete a stream: it has no deadline but its own."""
        return self._with(details, details.timeout)

    def _with(self, details: Any, seconds: float | None) -> grpc.aio.ClientCallDetails:
        metadata = grpc.aio.Metadata(*(details.metadata or ()))
        metadata.add("authorization", f"Bearer {self._token()}")
        if (call := context.find()) is not None:
            metadata.add("x-request-id", call.request_id)
        return grpc.aio.ClientCallDetails(
            details.method, seconds, metadata, details.credentials, details.wait_for_ready
        )


class _Calls(grpc.aio.UnaryUnaryClientInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """For calls; a channel takes an interceptor for one kind only, so that streams have their own."""

    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await continuation(self._outgoing.call(client_call_details), request)


class _Streams(grpc.aio.UnaryStreamClientInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """For streams of answers."""

    def __init__(self, outgoing: _Outgoing) -> None:
        self._outgoing = outgoing

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await continuation(self._outgoing.stream(client_call_details), request)


@asynccontextmanager
async def to_service(
    address: str, settings: Settings, token: Callable[[], str], seconds: float | None = None
) -> AsyncIterator[grpc.aio.Channel]:
    """Open a channel to another service; calls without a deadline of their own get ``seconds`` (``call_seconds``)."""
    outgoing = _Outgoing(token, seconds or settings.call_seconds)
    channel = open_channel(address, settings, (_Calls(outgoing), _Streams(outgoing)))
    try:
        yield channel
    finally:
        async with asyncio.timeout(2):
            await channel.close(0)


def open_channel(address: str, settings: Settings, interceptors: Any = ()) -> grpc.aio.Channel:
    """Open a channel with the house's options: TLS by settings, keepalive, retries of calls that nobody took."""
    config = {"methodConfig": [{"name": [{}], "retryPolicy": RETRY}], "loadBalancingConfig": [{"round_robin": {}}]}
    options = [
        ("grpc.service_config", json.dumps(config)),
        ("grpc.enable_retries", 1),
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.max_receive_message_length", settings.message_bytes),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.initial_reconnect_backoff_ms", 100),
    ]
    credentials = tls.channel_credentials(settings)
    if credentials is None:
        return grpc.aio.insecure_channel(address, options=options, interceptors=list(interceptors))
    return grpc.aio.secure_channel(address, credentials, options=options, interceptors=list(interceptors))
