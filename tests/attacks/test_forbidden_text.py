"""The character U+0000 in any text field of any method is refused in words, and never an error of the house."""

from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from pitboss import client

from services.cli.reach import Reach
from services.runtime.identity import Role
from tests.attacks.test_credentials import ACCESS, METHODS, SERVED_BY, ask

TEXT = "a\0b"
MOST_DEPTH = 3


def _filled(kind: Descriptor, depth: int = 0) -> Iterator[Any]:
    """Return messages of a type, each with one text field, however deep, that holds the character."""
    made = message_factory.GetMessageClass(kind)
    for field in kind.fields:
        for value in _values(field, depth):
            message = made()
            if field.message_type is not None and field.message_type.GetOptions().map_entry:
                getattr(message, field.name)[TEXT]
            elif field.message_type is not None and field.is_repeated:
                getattr(message, field.name).append(value)
            elif field.message_type is not None:
                getattr(message, field.name).CopyFrom(value)
            elif field.is_repeated:
                getattr(message, field.name).append(value)
            else:
                setattr(message, field.name, value)
            yield message


def _values(field: FieldDescriptor, depth: int) -> Iterator[Any]:
    if field.type == field.TYPE_STRING:
        yield TEXT
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        if field.message_type.fields_by_name["value"].message_type is not None:
            yield None
    elif field.message_type is not None and depth < MOST_DEPTH:
        yield from _filled(field.message_type, depth + 1)


@pytest.mark.parametrize("name", sorted(METHODS))
async def test_text_with_a_nul_is_refused_in_words(reached: Reach, name: str) -> None:
    """Each text field of the method's request, filled with U+0000, is INVALID_ARGUMENT for a role that may call it."""
    method = METHODS[name]
    service, word = method.containing_service.name, method.name
    where = SERVED_BY[service]
    address = reached.dealers[0] if where == "dealer" else str(getattr(reached, where))
    token = reached.token(f"mallory-{service.lower()}", Role(ACCESS[service][word][-1]))
    async with client.open_channel(address) as channel:
        for request in _filled(method.input_type):
            reason = await ask(channel, method, request, [f"Bearer {token}"])
            assert reason == "INVALID_ARGUMENT", f"{request}: {reason or 'answered'}"
