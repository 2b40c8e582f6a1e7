"""Answers that the gateway gives itself: the house's own reasons, for gRPC and as JSON."""

import base64
from typing import Any, Final

from google.protobuf import json_format
from google.rpc import status_pb2

from services.rules.refusals import Reason, Refused
from services.runtime import errors

RETRY_SECONDS: Final = 1.0
_REPLIES: Final[tuple[tuple[int, int, Refused], ...]] = (
    (413, 400, Refused(Reason.MALFORMED_REQUEST, "the request is longer than the gateway accepts")),
    (
        429,
        429,
        Refused(
            Reason.TOO_MANY_REQUESTS, "too many calls come from this address; try later", retry_seconds=RETRY_SECONDS
        ),
    ),
    (
        503,
        503,
        Refused(Reason.UNAVAILABLE, "no process of the house can be reached at this moment; send the request again"),
    ),
    (404, 404, Refused(Reason.NOT_FOUND, "the house has no such path")),
)
"""The status of Envoy, the status that is sent as JSON, and what it means."""

_GRPC: Final[tuple[dict[str, Any], ...]] = tuple(
    {"header_filter": {"header": header}}
    for header in (
        {"name": "content-type", "string_match": {"prefix": "application/grpc"}},
        {"name": "x-envoy-original-method", "present_match": True, "invert_match": True},
    )
)
"""Whether a request came as gRPC, and not as JSON that has been translated."""


_UNREAD: Final = (
    "the request's path, query or body cannot be read (%RESPONSE_CODE_DETAILS%); a path takes no escaped slash and no"
    " zero byte. %LOCAL_REPLY_BODY%"
)
"""What is said of a request that Envoy refuses; of some paths it gives no text of its own."""


def mappers() -> list[dict[str, Any]]:
    """Return the local replies: for gRPC the status with its details, otherwise the same status as JSON."""
    made: list[dict[str, Any]] = []
    for found, sent, refusal in _REPLIES:
        status = errors.to_status(refusal)
        details = base64.b64encode(status.SerializeToString()).decode()
        made.append(
            {
                "filter": {"and_filter": {"filters": [_status(found), *_GRPC]}},
                "headers_to_add": [
                    _header("grpc-status", str(status.code)),
                    _header("grpc-message", refusal.message),
                    _header(errors.DETAILS_KEY, details),
                ],
            }
        )
        made.append(
            {
                "filter": _status(found),
                "status_code": sent,
                "body_format_override": _as_json(status),
            }
        )
    malformed = errors.to_status(Refused(Reason.MALFORMED_REQUEST, _UNREAD))
    made.append({"filter": _status(400), "body_format_override": _as_json(malformed)})
    return made


def _as_json(status: status_pb2.Status) -> dict[str, Any]:
    """Return a status as answers in JSON show it."""
    shown = json_format.MessageToDict(status, preserving_proto_field_name=True)
    return {"json_format": shown, "content_type": "application/json"}


def _status(code: int) -> dict[str, Any]:
    value = {"default_value": code, "runtime_key": f"pitboss.reply.{code}"}
    return {"status_code_filter": {"comparison": {"op": "EQ", "value": value}}}


def _header(name: str, value: str) -> dict[str, Any]:
    return {"header": {"key": name, "value": value}, "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}
