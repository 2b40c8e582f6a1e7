"""The id of a command, which its answer returns so that a client can match the two."""

from typing import TypeVar

from google.protobuf.message import Message

FIELD = "request_id"

Answer = TypeVar("Answer")


def returned(request: Message, answer: Answer) -> Answer:
    """Return the answer with its command's request id; an answer without such a field is returned as it is."""
    if isinstance(answer, Message) and FIELD in answer.DESCRIPTOR.fields_by_name:
        setattr(answer, FIELD, getattr(request, FIELD))
    return answer
