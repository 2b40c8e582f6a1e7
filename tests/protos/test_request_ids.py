"""The ids of commands: every command has one, and its answer returns it."""

import pytest
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.descriptor_pool import Default

from tests.protos.test_comments import ACCESS

METHODS: list[MethodDescriptor] = [
    Default().FindServiceByName(f"pitboss.v1.{service}").methods_by_name[method]
    for service, access in ACCESS.items()
    for method in access
]


def _has_id(message: Descriptor) -> bool:
    return "request_id" in message.fields_by_name


@pytest.mark.parametrize("method", METHODS, ids=[method.full_name for method in METHODS])
def test_the_answer_of_a_command_has_room_for_its_id(method: MethodDescriptor) -> None:
    """A method whose request has a request id returns a message with one, and no other method does."""
    assert _has_id(method.output_type) == _has_id(method.input_type)
