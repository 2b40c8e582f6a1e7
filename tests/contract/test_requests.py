"""What all commands have in common."""

import pytest
from pitboss.v1 import dealer_pb2 as pb

from services.contract import requests
from services.rules import chips
from services.rules.refusals import Refused


def test_the_key_is_the_askers_own_and_the_digest_the_contents() -> None:
    """Two people may use one id; another content under the same id has another digest."""
    one = pb.AddChipsRequest(request_id="r1", table_id="t", amount=5)
    assert requests.command("ann", one) == requests.command("ann", one)
    assert requests.command("ann", one).key != requests.command("bob", one).key
    other = pb.AddChipsRequest(request_id="r1", table_id="t", amount=6)
    assert requests.command("ann", one).key == requests.command("ann", other).key
    assert requests.command("ann", one).digest != requests.command("ann", other).digest


def test_another_method_with_equal_bytes_has_another_digest() -> None:
    """The kind of the request is part of its content."""
    start = pb.StartRoundRequest(request_id="r1", table_id="t")
    leave = pb.LeaveSeatRequest(request_id="r1", table_id="t")
    assert start.SerializeToString() == leave.SerializeToString()
    assert requests.content_digest(start) != requests.content_digest(leave)


@pytest.mark.parametrize("request_id", ["", "x" * 65, "ä", "a\nb"])
def test_ids_are_short_printable_ascii(request_id: str) -> None:
    """Other ids are refused, and the field is named."""
    with pytest.raises(Refused, match="1 to 64") as caught:
        requests.command("ann", pb.StartRoundRequest(request_id=request_id))
    assert [field for field, _ in caught.value.fields] == ["request_id"]


@pytest.mark.parametrize("value", [0, -1, chips.MOST_CHIPS + 1])
def test_amounts_are_bounded(value: int) -> None:
    """An amount outside of the bounds is refused, with the field and the bounds."""
    with pytest.raises(Refused, match=str(chips.MOST_CHIPS)) as caught:
        requests.amount(value, "buy_in")
    assert [field for field, _ in caught.value.fields] == ["buy_in"]
    assert requests.amount(chips.MOST_CHIPS, "buy_in") == chips.MOST_CHIPS


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("6f1b2c3d-0000-4000-8000-00000000a001", True),
        ("6F1B2C3D-0000-4000-8000-00000000A001", False),
        ("6f1b2c3d00004000800000000000a001", False),
        ("6f1b2c3d-0000-4000-8000-00000000a001\n", False),
        ("", False),
    ],
)
def test_a_tables_id_is_a_uuid_in_lower_case(text: str, right: bool) -> None:
    """Nothing else reaches the database."""
    assert requests.is_table_id(text) is right
