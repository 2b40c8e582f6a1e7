"""Where two events, or two JSON values, first differ, in short texts for people."""

from typing import Any

import msgspec

from services.table import codec
from services.table.events import Event


def plain(event: Event) -> dict[str, Any]:
    """Return an event's data as plain values."""
    found: dict[str, Any] = msgspec.json.decode(codec.encode(event))
    return found


def first_difference(left: Any, right: Any, path: str = "") -> tuple[str, str, str]:
    """Find where two JSON values first differ: the path with dots, and both values in short."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            if left.get(key, _ABSENT) != right.get(key, _ABSENT):
                return first_difference(left.get(key, _ABSENT), right.get(key, _ABSENT), f"{path}.{key}".lstrip("."))
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for place, (one, other) in enumerate(zip(left, right, strict=True)):
            if one != other:
                return first_difference(one, other, f"{path}[{place}]")
    return path, *_apart(left, right)


def _apart(left: Any, right: Any) -> tuple[str, str]:
    """Write two different values shortly, and so that the difference is seen."""
    one, other = _text(left), _text(right)
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if same < _LONGEST - 1 or min(len(one), len(other)) < _LONGEST:
        return short(left), short(right)
    return short("…" + one[same:]), short("…" + other[same:])


_ABSENT = "(absent)"
_LONGEST = 120


def short(value: Any) -> str:
    """Write a value shortly."""
    text = _text(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
