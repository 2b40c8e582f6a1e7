"""Reasons for failures that no house explains: gRPC itself, or something on the way, ended the call."""

from typing import Final

import grpc

INTERNAL: Final = "INTERNAL"
REASONS: Final = {
    grpc.StatusCode.CANCELLED: "UNAVAILABLE",
    grpc.StatusCode.INVALID_ARGUMENT: "INVALID_ARGUMENT",
    grpc.StatusCode.DEADLINE_EXCEEDED: "DEADLINE_EXCEEDED",
    grpc.StatusCode.NOT_FOUND: "NOT_FOUND",
    grpc.StatusCode.PERMISSION_DENIED: "PERMISSION_DENIED",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "TOO_MANY_REQUESTS",
    grpc.StatusCode.UNAVAILABLE: "UNAVAILABLE",
    grpc.StatusCode.UNAUTHENTICATED: "UNAUTHENTICATED",
    grpc.StatusCode.UNIMPLEMENTED: "NOT_FOUND",
}
"""The reason of the closed list for each code; ``INTERNAL`` for every other one."""

_TOO_LONG: Final = "Received message larger than max"
_ANSWER: Final = "CLIENT:"


def explained(code: grpc.StatusCode, details: str) -> tuple[str, str]:
    """Return the reason and the message of a failure without a reason of its own.

    The house never sees a request above its bound: gRPC refuses it, with the sizes in ``details``.
    """
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED and _TOO_LONG in details and not details.startswith(_ANSWER):
        return "MALFORMED_REQUEST", f"the request is longer than the house accepts, in bytes: {details}"
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return REASONS[code], f"the house has no such method: {details}"
    return REASONS.get(code, INTERNAL), details
