"""The character U+0000, which no request may hold because the database's text cannot store it."""

from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from services.rules.refusals import Refused, invalid

NUL = "\0"


def checked(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Return a reader of requests that raises Refused (``INVALID_ARGUMENT``) for text with U+0000 in any field.

    The bytes are checked first: without a zero byte the fields need not be searched.
    """

    def read_checked(raw: bytes) -> Any:
        request = read(raw)
        if b"\0" in raw and isinstance(request, Message):
            refuse(request)
        return request

    return read_checked


def refuse(message: Message, path: str = "") -> None:
    """Raise Refused (``INVALID_ARGUMENT``) naming the first field, at any depth, whose text holds U+0000."""
    for field, value in message.ListFields():
        where = f"{path}{field.name}"
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            _refuse_in(where, field.message_type.fields_by_name["key"], value)
            for key, entry in value.items():
                _refuse_entry(f"{where}.{key}", field.message_type.fields_by_name["value"], entry)
        else:
            _refuse_in(where, field, value if field.is_repeated else (value,))


def _refuse_entry(where: str, field: FieldDescriptor, entry: Any) -> None:
    """Raise Refused for U+0000 in a map's entry: its name is the key's, whatever the entry is made of."""
    try:
        _refuse_in(where, field, (entry,))
    except Refused:
        raise _has_nul(where) from None


def _has_nul(where: str) -> Refused:
    return invalid(where, "the character U+0000 is not allowed in text; leave it out", without="U+0000")


def _refuse_in(where: str, field: FieldDescriptor, values: Iterable[Any]) -> None:
    if field.type == field.TYPE_STRING:
        if any(NUL in value for value in values):
            raise _has_nul(where)
    elif field.type == field.TYPE_MESSAGE:
        for value in values:
            refuse(value, f"{where}.")
