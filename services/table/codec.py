"""Events as text and back: exact JSON, a schema number per type, older shapes lifted when read.

``SCHEMA`` says which shape of each type is written now; a type not named is at shape 1. ``LIFTS`` holds one pure step
from each older shape to the next: it takes and gives the decoded JSON object.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from services.table import events
from services.table.events import Event

Lift = Callable[[dict[str, Any]], dict[str, Any]]

SCHEMA: Final[dict[str, int]] = {}
LIFTS: Final[dict[tuple[str, int], Lift]] = {}

_NAMES: Final = {kind: name for name, kind in events.TYPES.items()}
_encoder = msgspec.json.Encoder()
_decoders: Final = {name: msgspec.json.Decoder(kind) for name, kind in events.TYPES.items()}


class UnknownShape(ValueError):  # noqa: N818 - the log holds a shape that this release cannot read
    """The log holds an event type or schema number that this release does not know."""


def name(event: Event) -> str:
    """Give the type of an event, as the log names it."""
    return _NAMES[type(event)]


def schema(type_name: str) -> int:
    """Give the schema number that is written now for a type."""
    return SCHEMA.get(type_name, 1)


def encode(event: Event) -> str:
    """Write an event's data as JSON; equal events give equal text."""
    return _encoder.encode(event).decode()


def decode(type_name: str, schema_number: int, data: str) -> Event:
    """Read an event, lifting older shapes step by step. Raises UnknownShape."""
    if type_name not in _decoders or schema_number > schema(type_name):
        message = f"event type {type_name!r} in shape {schema_number} is unknown to this release"
        raise UnknownShape(message)
    if schema_number == schema(type_name):
        return _decoders[type_name].decode(data)
    fields = msgspec.json.decode(data)
    for number in range(schema_number, schema(type_name)):
        fields = LIFTS[type_name, number](fields)
    return msgspec.convert(fields, events.TYPES[type_name], str_keys=True)
