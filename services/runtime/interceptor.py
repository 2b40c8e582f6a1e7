"""The interceptor of all calls and streams: metrics, context, deadline, identity and error mapping, in this order.

Only health is open to anonymous callers. Every other method names the roles that may call it; a method without
roles is refused. A stream ends with UNAVAILABLE when the process stops, and with UNAUTHENTICATED when its token ends.
The error carries what the handler put into ``context.current().resume`` (the last version sent), so that the client
can resume. Calls and streams beyond the bounds of ``streams.Load`` are refused with TOO_MANY_REQUESTS.
"""

import asyncio
import math
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from typing import Any

import grpc
from google.protobuf.message import Message

from services.rules.refusals import Reason, Refused
from services.runtime import (
    context,
    errors,
    failed_calls,
    identity,
    methods,
    metrics,
    request_ids,
    request_text,
    streams,
)
from services.runtime.clock import ClockOffError, HouseClock
from services.runtime.identity import Caller, Identity, Role
from services.runtime.quotas import Kind, Quotas

OPEN_PREFIX = "/grpc.health.v1.Health/"
MOST_OPEN = 4000
"""Calls and streams open at once in an interceptor without bounds of its own."""
LONGEST_ID = 64

CLOCK_SECONDS = 0.5
"""Seconds by which a timer of the event loop may be early against the clock that tokens are checked by."""

TOLD = {Reason.UNAUTHENTICATED: "sign_in_refused", Reason.INTERNAL: "error"}
"""Refusals that are significant events, with the kind of each."""

Observer = Callable[[str, str, str, str], None]
"""Receives kind, caller (if known), method and reason of a refusal that must be reported."""
Handler = Any
"""grpc's handler of a method; its class has type arguments in the stubs only."""
Unary = Callable[[Any, Any], Awaitable[Message]]
Stream = Callable[[Any, Any], AsyncGenerator[Message | bytes, None]]
"""A stream's handler yields messages, or messages that are serialized already."""
Hear = Callable[[streams.Incoming], Awaitable[None]]


class Gate(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]  # generic in the stubs only
    """The one interceptor of a server; it wraps each method once.

    ``bounds`` are the seconds of methods that may take longer, ``kinds`` the kind of records that each method leaves,
    ``quotas`` the rates of callers. While this machine's ``clock`` is off no call is accepted.
    """

    def __init__(
        self,
        who: Identity,
        access: Mapping[str, frozenset[Role]],
        call_seconds: float,
        stream_seconds: float,
        bounds: Mapping[str, float] | None = None,
        observer: Observer | None = None,
        quotas: Quotas | None = None,
        kinds: Mapping[str, Kind] | None = None,
        load: streams.Load | None = None,
        clock: HouseClock | None = None,
    ) -> None:
        self._clock = clock
        self._quotas, self._kinds = quotas, kinds or {}
        self.stopping = asyncio.Event()
        self._load = load or streams.Load(most=MOST_OPEN, most_per_caller=MOST_OPEN)
        self._observer = observer
        self._who, self._access, self._bounds = who, access, bounds or {}
        self._call_seconds, self._stream_seconds = call_seconds, stream_seconds
        self._wrapped: dict[str, Handler] = {}
        self._scopes: set[asyncio.Timeout] = set()

    def end_streams(self) -> None:
        """End every open stream with UNAVAILABLE, and each new one at once."""
        self.stopping.set()
        for scope in self._scopes:
            if not scope.expired():
                scope.reschedule(asyncio.get_running_loop().time())

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the wrapped handler of a method; health is passed through."""
        path = handler_call_details.method
        if (known := self._wrapped.get(path)) is not None:
            return known
        handler = await continuation(handler_call_details)
        if handler is None:
            return handler
        if path.startswith(OPEN_PREFIX):
            return handler if handler.unary_stream is None else self._watched(handler)
        method = methods.Method(
            path,
            self._access.get(path, frozenset()),
            self._bounds.get(path, self._call_seconds),
            self._kinds.get(path, Kind.READS),
        )
        wrapped = self._wrap(method, handler)
        self._wrapped[path] = wrapped
        return wrapped

    def _wrap(self, method: methods.Method, handler: Handler) -> Handler:
        read = request_text.checked(handler.request_deserializer)
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._call(method, handler.unary_unary, read), None, handler.response_serializer
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, handler.unary_stream, read), None, streams.written(handler.response_serializer)
            )
        assert handler.stream_stream is not None, f"{method.path}: streams of requests with one answer are not served"
        serve = self._stream(method, handler.stream_stream, lambda incoming: incoming, failed_calls.hear)

        async def converse(raw: Any, rpc: Any) -> None:
            await serve(streams.Incoming(raw, handler.request_deserializer), rpc)

        return grpc.stream_stream_rpc_method_handler(converse, None, streams.written(handler.response_serializer))

    def _watched(self, handler: Handler) -> Handler:
        """Wrap a watch of health: it ends when the process stops, or it would hold up the drain to its bound."""

        async def answer(request: Any, rpc: Any) -> None:
            scope = asyncio.timeout(0 if self.stopping.is_set() else None)
            with suppress(TimeoutError):
                async with self._ended_by_stop(scope):
                    await handler.unary_stream(request, rpc)

        return grpc.unary_stream_rpc_method_handler(answer, handler.request_deserializer, handler.response_serializer)

    @asynccontextmanager
    async def _ended_by_stop(self, scope: asyncio.Timeout) -> AsyncIterator[None]:
        self._scopes.add(scope)
        try:
            async with scope:
                yield
        finally:
            self._scopes.discard(scope)

    def _call(self, method: methods.Method, inner: Unary, read: Callable[[bytes], Any]) -> Unary:
        async def answer(raw: bytes, rpc: Any) -> Message:
            with methods.measured(method) as outcome, metrics.OPEN_CALLS.track_inprogress():
                call = self._enter(method, rpc)
                remaining = rpc.time_remaining()
                bound = method.bound if remaining is None else min(remaining, method.bound)
                scope = asyncio.timeout(bound)
                try:
                    with self._load.call():
                        async with scope:
                            await self._admit(method, call)
                            request = read(raw)
                            reply: Message = await inner(request, rpc)
                            return request_ids.returned(request, reply)
                except asyncio.CancelledError:
                    raise
                except BaseException as error:
                    refusal = failed_calls.late(bound) if scope.expired() else failed_calls.refusal_of(error, call)
                    self._tell(refusal, error, call)
                    await failed_calls.refuse(rpc, refusal, call, outcome)
                    raise

        return answer

    def _stream(
        self, method: methods.Method, inner: Stream, read: Callable[[Any], Any], before_refusal: Hear | None = None
    ) -> Callable[[Any, Any], Any]:
        async def answer(raw: Any, rpc: Any) -> None:
            with methods.measured(method) as outcome, method.streams.track_inprogress():
                call = self._enter(method, rpc)
                scope = asyncio.timeout(0 if self.stopping.is_set() else self._stream_seconds)
                until = math.inf
                try:
                    with self._load.call():
                        async with self._ended_by_stop(scope):
                            until = await self._admit(method, call)
                            streams.end_with_token(scope, until)
                            with self._load.stream(call.caller):
                                async with aclosing(inner(read(raw), rpc)) as messages:
                                    async for message in messages:
                                        await streams.write(rpc, message)
                except asyncio.CancelledError:
                    raise
                except BaseException as error:
                    if scope.expired():
                        refusal = self._ended(call, until)
                    else:
                        refusal = failed_calls.refusal_of(error, call)
                        self._tell(refusal, error, call)
                    if before_refusal is not None:
                        await before_refusal(raw)
                    await failed_calls.refuse(rpc, refusal, call, outcome)
                    raise

        return answer

    def _enter(self, method: methods.Method, rpc: Any) -> context.Call:
        sent = [(str(key), value) for key, value in rpc.invocation_metadata() or ()]
        given = dict(sent)
        name = _text(given.get("x-request-id"))[:LONGEST_ID]
        call = context.Call(
            method=f"{method.service}/{method.name}",
            request_id=name if name.isprintable() and name else os.urandom(8).hex(),
            stopping=self.stopping,
            accept_language=_text(given.get("accept-language")),
            authorizations=tuple(_text(value) for key, value in sent if key == "authorization"),
        )
        call.gate = self
        context.enter(call)
        return call

    async def admit(self, kind: Kind, caller: Caller) -> None:
        """Admit one step of an open stream. Raises Refused."""
        self._check_clock()
        if self._quotas is not None:
            await self._quotas.spend(kind, caller)

    def refusal(self, error: Exception, call: context.Call) -> Refused:
        """Return the refusal of one step of an open stream; it is logged, counted and reported as that of a call."""
        refusal = failed_calls.refusal_of(error, call)
        self._tell(refusal, error, call)
        metrics.REFUSALS.labels(refusal.reason.value).inc()
        return refusal

    async def _admit(self, method: methods.Method, call: context.Call) -> float:
        """Return when the caller's token ends, in seconds since 1970. Raises Refused."""
        self._check_clock()
        token = identity.bearer(*call.authorizations)
        await self._who.prepare(token)
        who, until = self._who.verify_until(token)
        call.who = who
        if who.role not in method.roles:
            allowed = ", ".join(sorted(method.roles)) or "nobody"
            raise Refused(
                Reason.PERMISSION_DENIED,
                f"{call.method} is for {allowed}; the caller is {who.role}",
                metadata={"method": call.method, errors.ROLE_DENIED: who.role.value},
            )
        if self._quotas is not None:
            await self._quotas.spend(method.kind, who)
        return until

    def _check_clock(self) -> None:
        """Raise Refused (``UNAVAILABLE``) while this machine's clock is off: tokens would be judged wrongly."""
        try:
            if self._clock is not None:
                self._clock.check()
        except ClockOffError as error:
            message = f"this process takes no calls, others do: {error}"
            raise Refused(Reason.UNAVAILABLE, message) from None

    def _tell(self, refusal: Refused, error: BaseException, call: context.Call) -> None:
        if self._observer is not None and (kind := TOLD.get(refusal.reason)) is not None:
            reason = type(error).__name__ if refusal.reason is Reason.INTERNAL else refusal.message
            self._observer(kind, call.who.subject if call.who else context.ANONYMOUS, call.method, reason)

    def _ended(self, call: context.Call, until: float) -> Refused:
        if self.stopping.is_set():
            return Refused(Reason.SHUTTING_DOWN, "this server is stopping; connect again", metadata=call.resume)
        if until <= time.time() + CLOCK_SECONDS:
            message = "the token has expired; sign in again and resume the stream"
            return Refused(Reason.UNAUTHENTICATED, message, metadata=call.resume)
        return Refused(Reason.UNAVAILABLE, "the stream has run for its longest time; resume it", metadata=call.resume)


def _text(value: str | bytes | None) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value or ""
