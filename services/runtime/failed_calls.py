"""The answer to a failed call: the refusal of an exception, its log line, and the status on the wire."""

import asyncio
from contextlib import suppress
from typing import Any

from services.rules.refusals import Reason, Refused
from services.runtime import context, errors, logs, methods, metrics, reasons, streams

log = logs.get("gate")

HEAR_SECONDS = 1.0
"""Seconds for a refused caller to send the first request of its stream."""

NO_RETRY = ("grpc-retry-pushback-ms", "-1")
"""Tells channels not to retry by themselves. The server's database is away and each try waits for it, so retries of
several channels in a row would outlast the caller's deadline."""


async def hear(requests: streams.Incoming) -> None:
    """Read a caller's first request before the caller is refused.

    Python's own client turns a refusal that arrives during its first request into INTERNAL.
    """
    if requests.heard:
        return
    with suppress(Exception):
        async with asyncio.timeout(HEAR_SECONDS):
            async for _ in requests:
                break


def late(bound: float) -> Refused:
    """Return the refusal of a call that took longer than its bound, in seconds."""
    return Refused(Reason.DEADLINE_EXCEEDED, f"no answer within {bound:.3g} seconds; send the same request again")


def refusal_of(error: BaseException, call: context.Call) -> Refused:
    """Return the refusal for an exception of a handler, and log it. Raises it again if it must not be answered."""
    refusal = errors.from_exception(error)
    if refusal is None:
        log.error("call failed", exc_info=error)
        return Refused(Reason.INTERNAL, f"something went wrong on our side; call {call.request_id}")
    if refusal is not error and not isinstance(error, Exception):
        raise error
    if refusal.reason is Reason.UNAVAILABLE:
        log.warning("call not possible", cause=type(error).__name__)
    else:
        log.debug("call refused", reason=refusal.reason.value)
    if call.resume:
        refusal.metadata |= {key: str(value) for key, value in call.resume.items()}
    return refusal


async def refuse(rpc: Any, refusal: Refused, call: context.Call, outcome: methods.Outcome) -> None:
    """Abort a call with a refusal: its status, details and call id."""
    outcome.code = reasons.CODES[refusal.reason]
    metrics.REFUSALS.labels(refusal.reason.value).inc()
    status = errors.to_status(refusal, call.language)
    trailing = [(errors.DETAILS_KEY, status.SerializeToString()), ("x-request-id", call.request_id)]
    if refusal.reason is Reason.UNAVAILABLE:
        trailing.append(NO_RETRY)
    await rpc.abort(outcome.code, status.message, tuple(trailing))
