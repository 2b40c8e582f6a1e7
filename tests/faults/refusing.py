"""What must come of a request that makes no sense: a refusal in the house's own words, and nothing written."""

import uuid
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from pitboss import client

from services.rules.refusals import Reason
from tests.faults.breaking import Broken

REASONS = {reason.value for reason in Reason}
TEXTS = ["\x00", "x" * 100_000, "a\nb", "\u202e"]


async def refused(call: Any) -> client.Refused:
    """Await a call that must be refused with a reason of the closed list, by a fault of the caller's."""
    with pytest.raises(client.Refused) as caught:
        await call
    assert caught.value.reason in REASONS - {"INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"}, caught.value
    assert caught.value.message, "a refusal says in words what was wrong"
    return caught.value


async def unchanged(house: Broken, before: dict[str, int]) -> None:
    """Compare what is written with what was before."""
    assert await house.counts() == before, "something that was refused was written"


def varied(make: Callable[..., Any], field: str, **more: Any) -> Callable[[Any], Any]:
    """Make commands that differ in one field, each with a request id of its own."""
    return lambda value: make(**{"request_id": uuid.uuid4().hex, field: value, **more})


async def asked(method: Any, request: Any, metadata: Any) -> Any:
    """Call a method as its stub does, without the client; of a stream the first message. Raises client.Refused."""
    return await first(method(request, timeout=60, metadata=metadata))


async def first(call: Any) -> Any:
    """Await an answer, or the first message of a stream. Raises client.Refused."""
    try:
        return await (call.read() if hasattr(call, "read") else call)
    except grpc.RpcError as error:
        raise client.refusal(error) from None


async def answered(call: Any) -> None:
    """Await a call that may be refused, by a reason of the closed list, or not."""
    try:
        await call
    except client.Refused as refusal:
        assert refusal.reason in REASONS - {"INTERNAL", "UNAVAILABLE"}, refusal
