"""Upcasting: old shapes of events are converted to the current one when read; stored events never change.

An event's type ends with the version of its shape (``ActionTaken.v1``). A step is a pure function from the data of one
version to that of the next.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

Data = dict[str, Any]
Step = Callable[[Data], Data]

MOST_VERSIONS: Final = 1000


class ShapeError(ValueError):
    """An event's type is not a name and a version, or there is no step from its version."""


def split(type_: str) -> tuple[str, int]:
    """Return name and version of an event type. Raises ShapeError."""
    name, found, version = type_.rpartition(".v")
    if not found or not name or not version.isdigit() or version.startswith("0"):
        message = f"event type {type_!r} must be a name and a version, such as ActionTaken.v1"
        raise ShapeError(message)
    return name, int(version)


class Upcasts:
    """The steps by name and starting version; a name without steps has version 1."""

    def __init__(self, steps: Mapping[tuple[str, int], Step]) -> None:
        self._steps: Final = dict(steps)
        self._newest: Final[dict[str, int]] = {}
        for name, version in self._steps:
            self._newest[name] = max(self._newest.get(name, 1), version + 1)
        for name, newest in self._newest.items():
            missing = [version for version in range(1, newest) if (name, version) not in self._steps]
            if missing or newest > MOST_VERSIONS:
                message = f"{name}: no step from version {missing} on the way to {newest}"
                raise ShapeError(message)

    def newest(self, name: str) -> str:
        """Return the current type of an event with this name."""
        return f"{name}.v{self._newest.get(name, 1)}"

    def upcast(self, type_: str, data: Data) -> tuple[str, Data]:
        """Return type and data in the current shape. Raises ShapeError.

        A version beyond the current one was written by a newer release and cannot be read.
        """
        name, version = split(type_)
        newest = self._newest.get(name, 1)
        if version > newest:
            message = f"{type_} was written by a newer version of this software, which reads {name} up to v{newest}"
            raise ShapeError(message)
        for step in range(version, newest):
            data = self._steps[name, step](data)
        return f"{name}.v{newest}", data
