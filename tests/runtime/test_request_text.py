"""The character U+0000 in a request: the refusal names the field, at any depth."""

import pytest
from google.protobuf.message import Message
from pitboss.v1 import catalogue_pb2, dealer_pb2

from services.rules.refusals import Refused
from services.runtime import request_text

NUL = "a\0"


@pytest.mark.parametrize(
    ("request_", "path"),
    [
        (dealer_pb2.CreateTableRequest(title=NUL), "title"),
        (dealer_pb2.TakeAnySeatRequest(template_ids=["a", NUL]), "template_ids"),
        (
            dealer_pb2.CreateTableRequest(house_rules={"betting": catalogue_pb2.HouseRuleValue(choice=NUL)}),
            "house_rules.betting",
        ),
        (dealer_pb2.CreateTableRequest(house_rules={NUL: catalogue_pb2.HouseRuleValue(choice="a")}), "house_rules"),
    ],
)
def test_the_field_is_named(request_: Message, path: str) -> None:
    """An entry of a map is named by its key, as other refusals name it; a key that cannot be shown is left out."""
    with pytest.raises(Refused) as caught:
        request_text.refuse(request_)
    assert [field for field, _ in caught.value.fields] == [path]
