"""Events as text and back: exact JSON, today's shape of each type.

``STEPS`` leads from each older shape of a type to the next: pure functions over the decoded JSON object, by type and
the shape they start from. A type without steps is at shape 1. Readers of the log apply them before decoding.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from services.table import events
from services.table.events import Event

Step = Callable[[dict[str, Any]], dict[str, Any]]

STEPS: Final[dict[tuple[str, int], Step]] = {}

_NAMES: Final = {kind: name for name, kind in events.TYPES.items()}
_encoder = msgspec.json.Encoder()
_decoders: Final = {name: msgspec.json.Decoder(kind) for name, kind in events.TYPES.items()}


class UnknownEventError(ValueError):
    """The log holds an event type that this release does not know."""


def name(event: Event) -> str:
    """Return the type of an event, as the log names it."""
    return _NAMES[type(event)]


def encode(event: Event) -> str:
    """Write an event's data as JSON; equal events give equal text."""
    return _encoder.encode(event).decode()


def decode(type_name: str, data: str) -> Event:
    """Read an event in today's shape. Raises UnknownEventError, msgspec.ValidationError."""
    if type_name not in _decoders:
        raise UnknownEventError(f"event type {type_name!r} is unknown to this release")
    return _decoders[type_name].decode(data)


def decode_lifted(type_name: str, fields: dict[str, Any]) -> Event:
    """Read an event from a JSON object that steps brought to today's shape."""
    return msgspec.convert(fields, events.TYPES[type_name], str_keys=True)
