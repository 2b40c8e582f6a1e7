"""Calls to the house: each with the caller's token and a deadline, sent again where no answer came."""

import asyncio
from collections.abc import Mapping
from typing import Any, TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from pitboss import dealers

CALL_SECONDS = 10.0
TRIES = 4
PAUSE_SECONDS = 0.2

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Method = grpc.aio.UnaryUnaryMultiCallable

AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
"""Codes after which the same request is sent again; a server that stops cancels the calls that it has not taken."""

_DETAILS = "grpc-status-details-bin"


class Refused(Exception):  # noqa: N818 - an answer of the house, not an error of the program
    """The house refuses a call: ``reason`` is a word of its closed list, ``metadata`` what machines need."""

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, metadata: Mapping[str, str]) -> None:
        super().__init__(f"{reason}: {message}")
        self.code, self.reason, self.message, self.metadata = code, reason, message, dict(metadata)


def refusal(error: grpc.RpcError) -> Refused:
    """Make a refusal of a failed call."""
    code: grpc.StatusCode = error.code()
    details: str = error.details() or ""
    info = error_details_pb2.ErrorInfo()
    trailing: Any = error.trailing_metadata() or ()
    for key, value in trailing:
        if key == _DETAILS:
            for detail in status_pb2.Status.FromString(value).details:
                detail.Unpack(info)
    return Refused(code, info.reason or code.name, details, info.metadata)


class Caller:
    """One caller, known by its token, and the dealers that its calls may go to."""

    def __init__(self, token: str, ways: dealers.Dealers) -> None:
        self._token = token
        self._dealers = ways

    async def call(self, method: Method[Request, Answer], request: Request) -> Answer:
        """Call any method of the contract with this caller's token, deadline and retries. Raises Refused."""
        for left in range(TRIES - 1, -1, -1):
            way = self._dealers.way(method, request)
            try:
                answer: Answer = await way.method(request, timeout=CALL_SECONDS, metadata=self._metadata(way))
            except grpc.RpcError as error:
                refused = refusal(error)
                if left and self._dealers.elsewhere(way, request, refused.reason, refused.metadata):
                    continue
                if left == 0 or refused.code not in AWAY:
                    raise refused from None
                await asyncio.sleep(PAUSE_SECONDS * (TRIES - left))
            else:
                self._dealers.answered(way, answer)
                return answer
        raise AssertionError("the last try returns or raises")

    def _metadata(self, way: dealers.Way) -> tuple[tuple[str, str], ...]:
        named = ((dealers.FAMILY_HEADER, way.family),) if way.family else ()
        return (("authorization", f"Bearer {self._token}"), *named)
