"""Structs of requests as plain values."""

import math
from typing import Any, Final

from google.protobuf import json_format, struct_pb2

from services.rules.refusals import invalid

GREATEST: Final = 2**53
"""Numbers of a Struct are whole and exact up to here."""


def plain(given: struct_pb2.Struct, field: str) -> dict[str, Any]:
    """Return a Struct as plain values; numbers without a fraction become integers. Raises Refused naming ``field``."""
    try:
        found: dict[str, Any] = _whole(json_format.MessageToDict(given))
    except ValueError as error:  # numbers that JSON does not have
        raise invalid(field, f"{error}; give finite numbers") from None
    return found


def _whole(value: Any) -> Any:
    if isinstance(value, float) and math.isfinite(value) and value.is_integer() and abs(value) <= GREATEST:
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_whole(entry) for entry in value]
    return value
