"""Calls to the house: each with the caller's token and a deadline, sent again where no answer came."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from pitboss import codes, dealers, tokens

CALL_SECONDS = 10.0
CALL_PATIENCE_SECONDS = 60.0
"""For so long one call is sent again, all tries and pauses included: longer than a process takes to restart."""
MOST_LIMIT_SECONDS = 1.0
"""For so long in all one call waits where the house says that its caller asks too often."""
MOST_ELSEWHERE = 4
"""Dealers that one call is sent to because another one does not serve its family."""
PAUSE_SECONDS = 0.2
MOST_PAUSE_SECONDS = 5.0
PATIENCE_SECONDS = 600.0
"""So long a watch tries to get through again, unless its caller says otherwise."""
KEEPALIVE_SECONDS, KEEPALIVE_TIMEOUT_SECONDS = 8, 5
"""Interval of keepalive pings on channels with open calls, and the timeout after which a house counts as gone."""
SILENT_SECONDS = KEEPALIVE_SECONDS + KEEPALIVE_TIMEOUT_SECONDS
LANGUAGE_HEADER = "accept-language"

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Method = grpc.aio.UnaryUnaryMultiCallable

AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
"""Codes after which the same request is sent again; a server that stops cancels the calls that it has not taken."""
UNSIGNED = grpc.StatusCode.UNAUTHENTICATED
"""The code of a call, or the end of a stream, whose token is not good (any more)."""
LIMITED = grpc.StatusCode.RESOURCE_EXHAUSTED
"""The code of a call that is refused because its caller, or the process, has too many of them."""
UNKNOWN = (*AWAY, grpc.StatusCode.DEADLINE_EXCEEDED)
"""Codes after which nobody knows whether a command was done; its request id makes a further try harmless."""

_DETAILS = "grpc-status-details-bin"
_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class Refused(Exception):
    """The house refuses a call: ``reason`` is a word of its closed list, ``metadata`` what machines need.

    The list holds for failures of gRPC itself too (``codes``), such as a request that is too long.

    ``message`` is for developers; ``text`` is for the player, in the language ``locale`` of those that the caller
    asked for. Both are empty where none was asked for, or where no house answered. ``fields`` says by path which
    fields of the request were wrong, and what would be right; ``field_texts`` says it to the player, where the house
    has words for it.

    ``request_id`` is the id of the command that was refused, empty for other calls: after a code of ``UNKNOWN`` the
    same command with the same id answers what became of it. ``retry_after_seconds`` is the pause that the house asks
    for before the next try, None where it asks for none.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str],
        text: str = "",
        locale: str = "",
        retry_after_seconds: float | None = None,
        fields: Mapping[str, str] | None = None,
        field_texts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{reason}: {message}")
        self.code, self.reason, self.message, self.metadata = code, reason, message, dict(metadata)
        self.text, self.locale = text, locale
        self.retry_after_seconds = retry_after_seconds
        self.request_id = ""
        self.fields = dict(fields or {})
        self.field_texts = dict(field_texts or {})

    def of(self, request_id: str) -> "Refused":
        """Return the same refusal for one command of several that it ends."""
        found = Refused(
            self.code,
            self.reason,
            self.message,
            self.metadata,
            self.text,
            self.locale,
            self.retry_after_seconds,
            self.fields,
            self.field_texts,
        )
        found.request_id = request_id
        return found


def refusal(error: grpc.RpcError) -> Refused:
    """Make a refusal of a failed call."""
    code: grpc.StatusCode = error.code()
    trailing: Any = error.trailing_metadata() or ()
    status = next((status_pb2.Status.FromString(value) for key, value in trailing if key == _DETAILS), None)
    return _refused(code, error.details() or "", status or status_pb2.Status())


def refusal_in(status: status_pb2.Status) -> Refused:
    """Make a refusal of the status that a message of a stream holds."""
    return _refused(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, status)


def _refused(code: grpc.StatusCode, details: str, status: status_pb2.Status) -> Refused:
    info, words = error_details_pb2.ErrorInfo(), error_details_pb2.LocalizedMessage()
    retry, bad = error_details_pb2.RetryInfo(), error_details_pb2.BadRequest()
    for detail in status.details:
        detail.Unpack(info)
        detail.Unpack(words)
        detail.Unpack(retry)
        detail.Unpack(bad)
    delay_seconds = retry.retry_delay.ToTimedelta().total_seconds() if retry.HasField("retry_delay") else None
    fields = {one.field: one.description for one in bad.field_violations}
    texts = {one.field: one.localized_message.message for one in bad.field_violations if one.localized_message.message}
    reason, message = (info.reason, details) if info.reason else codes.explained(code, details)
    return Refused(
        code,
        reason,
        message,
        info.metadata,
        words.message,
        words.locale,
        delay_seconds,
        fields,
        texts,
    )


async def messages(method: Any, request: Any, metadata: tuple[tuple[str, str], ...]) -> AsyncGenerator[Any, None]:
    """Yield the messages of a stream, the first one within ``CALL_SECONDS``. Raises Refused."""
    stream = method(request, metadata=metadata)
    try:
        coming = aiter(stream)
        async with asyncio.timeout(CALL_SECONDS):
            message = await anext(coming, None)
        while message is not None:
            yield message
            message = await anext(coming, None)
    except TimeoutError:
        text = f"no message within {CALL_SECONDS:g} seconds"
        raise Refused(grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", text, {}) from None
    except grpc.RpcError as error:
        raise refusal(error) from None
    finally:
        stream.cancel()


def pause(failures: int, refused: Refused | None = None) -> float:
    """Return the seconds to wait after a number of failures in a row: longer each time, up to a bound.

    The last half is by chance, so that many watchers of a house that comes back do not come all at once. Where the
    house asks for a pause, it is that one and a little more.
    """
    assert failures >= 1, f"there is no pause after {failures} failures"
    if refused is not None and refused.retry_after_seconds is not None:
        return refused.retry_after_seconds * random.uniform(1.0, 1.2)  # noqa: S311 - as below
    longest: float = min(PAUSE_SECONDS * failures, MOST_PAUSE_SECONDS)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - spreads callers, decides nothing


class Caller:
    """One caller, known by its token, the dealers that its calls may go to, and the language that it reads."""

    def __init__(
        self,
        token: tokens.Token,
        ways: dealers.Dealers,
        language: str = "",
        patience: float = CALL_PATIENCE_SECONDS,
    ) -> None:
        self._tokens = tokens.Tokens(token)
        self._language = language
        self._dealers = ways
        self._patience = patience

    async def call(self, method: Method[Request, Answer], request: Request) -> Answer:
        """Call any method of the contract with this caller's token, deadline and retries. Raises Refused.

        A command whose answer was lost is sent again with its own request id, any call while the house is away: with
        growing pauses, or those that the house asks for, until the caller's patience ends. A rate limit is raised at
        once, with the pause that the house asks for, unless all such pauses of the call last ``MOST_LIMIT_SECONDS``
        at most. Where the house refuses the token, the call is sent once more if the caller's function returns
        another one.
        """
        until, failures, moves, renewed = time.monotonic() + self._patience, 0, 0, False
        limit_seconds = 0.0
        while True:
            way, token = self._dealers.way(method, request), await self._tokens.current()
            try:
                answer: Answer = await way.method(request, timeout=CALL_SECONDS, metadata=self._metadata(way, token))
            except grpc.RpcError as error:
                refused = refusal(error)
                refused.request_id = _command(request)
                if not renewed and refused.code is UNSIGNED and await self._tokens.renewed(token):
                    renewed = True
                    continue
                if moves < MOST_ELSEWHERE and self._dealers.elsewhere(way, request, refused.reason, refused.metadata):
                    moves += 1
                    continue
                failures += 1
                limit_seconds += refused.retry_after_seconds or 0.0 if refused.code is LIMITED else 0.0
                delay_seconds = None if limit_seconds > MOST_LIMIT_SECONDS else _delay(refused, failures)
                if delay_seconds is None or time.monotonic() + delay_seconds > until:
                    raise refused from None
                await asyncio.sleep(delay_seconds)
            else:
                self._dealers.answered(way, answer)
                return answer

    async def stream(
        self, method: Any, request: Callable[[], Any], patience: float | None = PATIENCE_SECONDS
    ) -> AsyncGenerator[Any, None]:
        """Yield the messages of a stream; a broken one is opened again with the request that ``request`` then returns.

        While the house is away, it is opened again with pauses of at most 5 seconds, or of the length that the house
        asks for. After ``patience`` seconds without an answer (None: never) it raises Refused, as it does when the
        house refuses. When the token expires, the stream continues with the one that the caller's function returns.
        """
        failures, away_since, renewed = 0, 0.0, False
        while True:
            asked = request()
            way, token = self._dealers.way(method, asked), await self._tokens.current()
            refused = None
            try:
                async with aclosing(messages(way.method, asked, self._metadata(way, token))) as incoming:
                    async for message in incoming:
                        failures, renewed = 0, False
                        yield message
            except Refused as error:
                refused = error
                if self._dealers.elsewhere(way, asked, refused.reason, refused.metadata):
                    continue
                if not renewed and refused.code is UNSIGNED and await self._tokens.renewed(token):
                    renewed = True
                    continue
                if refused.code not in UNKNOWN and refused.retry_after_seconds is None:
                    raise
            now = time.monotonic()
            failures += 1
            away_since = now if failures == 1 else away_since
            if refused is not None and patience is not None and now - away_since >= patience:
                raise refused
            await asyncio.sleep(pause(failures, refused))

    def _metadata(self, way: dealers.Way, token: str) -> tuple[tuple[str, str], ...]:
        more = ((dealers.FAMILY_HEADER, way.family), (LANGUAGE_HEADER, self._language))
        return (("authorization", f"Bearer {token}"), *((key, value) for key, value in more if value))


def _command(request: Any) -> str:
    """Return the request id of a command, empty for a request that changes nothing."""
    return str(getattr(request, "request_id", ""))


def _delay(refused: Refused, failures: int) -> float | None:
    """Return the seconds before the next try of a refused call, None where a further try is of no use."""
    if refused.retry_after_seconds is not None:
        return pause(1, refused)
    again = UNKNOWN if refused.request_id else AWAY
    return pause(failures) if refused.code in again else None
