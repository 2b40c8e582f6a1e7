"""How a failed call is answered: the refusal of an exception, its log line, and the status on the wire."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from services.runtime import context, errors, logs, methods, metrics
from services.runtime.errors import Problem, Reason

log = logs.get("gate")

HEAR_SECONDS = 1.0
"""Seconds for a refused caller to send the first request of its stream."""

NO_RETRY = ("grpc-retry-pushback-ms", "-1")
"""Tells channels not to retry by themselves. The server's database is away and each try waits for it, so retries of
several channels in a row would outlast the caller's deadline."""


async def hear(requests: AsyncIterator[Any]) -> None:
    """Read a caller's first request before the caller is refused.

    Python's own client turns a refusal that arrives during its first request into INTERNAL.
    """
    with suppress(Exception):
        async with asyncio.timeout(HEAR_SECONDS):
            async for _ in requests:
                break


def late(bound: float) -> Problem:
    """Return the refusal of a call that took longer than its bound, in seconds."""
    return Problem(Reason.DEADLINE_EXCEEDED, f"no answer within {bound:.3g} seconds; send the same request again")


def problem_of(error: BaseException, call: context.Call) -> Problem:
    """Return the refusal for an exception of a handler, and log it. Raises it again if it must not be answered."""
    problem = errors.from_exception(error)
    if problem is None:
        log.error("call failed", exc_info=error)
        return Problem(Reason.INTERNAL, f"something went wrong on our side; call {call.request_id}")
    if problem is not error and not isinstance(error, Exception):
        raise error
    if problem.reason is Reason.UNAVAILABLE:
        log.warning("call not possible", cause=type(error).__name__)
    else:
        log.debug("call refused", reason=problem.reason.value)
    if call.resume:
        problem.metadata |= {key: str(value) for key, value in call.resume.items()}
    return problem


async def refuse(rpc: Any, problem: Problem, call: context.Call, outcome: methods.Outcome) -> None:
    """Abort a call with a refusal: its status, details and call id."""
    outcome.code = problem.code
    metrics.REFUSALS.labels(problem.reason.value).inc()
    status = errors.to_status(problem, call.language)
    trailing = [(errors.DETAILS_KEY, status.SerializeToString()), ("x-request-id", call.request_id)]
    if problem.reason is Reason.UNAVAILABLE:
        trailing.append(NO_RETRY)
    await rpc.abort(problem.code, status.message, tuple(trailing))
