"""Actions between the contract and the rules: every one, both ways."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pitboss.v1 import actions_pb2

from services.contract import wire_actions
from services.contract.wire_actions import NoAction
from services.rules import actions
from services.rules.refusals import Refused

VALUES: dict[str, Any] = {
    "amount": 125,
    "to": 40,
    "active": True,
    "multiple": 3,
    "points": 2,
    "target": 0,
    "flip": 0,
    "next": 4,
    "spot": "tie",
    "side": "higher",
    "trump": "s",
    "call": "seven",
    "sign": "minus",
    "name": "Ace 王",
    "card": "Th",
    "discard": "2c",
    "cards": ("As", "Kd"),
    "discards": (),
    "low": ("2s", "3s"),
    "high": ("As", "Ad"),
}


def variants(kind: type[actions.Action]) -> list[actions.Action]:
    """Return an action with all its arguments, and one without those that may be left out."""
    fields = msgspec.structs.fields(kind)
    full = {one.encode_name: VALUES[one.encode_name] for one in fields}
    needed = {one.encode_name: VALUES[one.encode_name] for one in fields if one.required}
    name = str(kind.__struct_config__.tag)
    return [actions.build(name, full), actions.build(name, needed)]


@pytest.mark.parametrize("name", list(actions.BY_NAME))
def test_every_action_goes_to_the_wire_and_back(name: str) -> None:
    """With all arguments and with the optional ones left out it is the same action again, also from its bytes."""
    for action in variants(actions.BY_NAME[name]):
        message = wire_actions.to_wire(action)
        assert message.WhichOneof("kind") == name
        read = actions_pb2.Action.FromString(message.SerializeToString())
        assert wire_actions.from_wire(read) == action


def test_the_oneof_and_the_rules_list_the_same_actions() -> None:
    """The contract has a kind for each action of the sheets and no other, each with the same arguments."""
    kinds = actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields
    assert {kind.name for kind in kinds} == set(actions.BY_NAME)
    for kind in kinds:
        assert kind.message_type is not None
        held = {field.name for field in kind.message_type.fields}
        rules = msgspec.structs.fields(actions.BY_NAME[kind.name])
        assert held == {field.encode_name for field in rules}, kind.name
        optional = {field.name for field in kind.message_type.fields if field.has_presence}
        assert optional == {field.encode_name for field in rules if not field.required}, kind.name


def test_no_name_is_bent_for_a_language() -> None:
    """Actions have the sheet's names on the wire, also where Python has a keyword; no name ends in a mark for one."""
    named = {kind.name for kind in actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields}
    assert {"pass", "raise"} <= named
    for proto in (Path(__file__).parents[2] / "protos" / "pitboss" / "v1").glob("*.proto"):
        text = proto.read_text(encoding="utf-8")
        assert not re.findall(r"\b\w+_ = \d+;", text)
        assert "keyword" not in text.lower()


def test_a_zero_that_was_sent_is_not_a_missing_argument() -> None:
    """Seat 0 as the next player and flip 0 arrive as such; left out they are None."""
    given = wire_actions.from_wire(wire_actions.named("play", {"cards": ["As"], "next": 0}))
    left_out = wire_actions.from_wire(wire_actions.named("play", {"cards": ["As"]}))
    assert isinstance(given, actions.Play)
    assert isinstance(left_out, actions.Play)
    assert (given.next, left_out.next) == (0, None)


def test_an_empty_message_is_no_action() -> None:
    """An action without a kind is refused with the hint to set one."""
    with pytest.raises(Refused, match="set one of its kinds"):
        wire_actions.from_wire(actions_pb2.Action())


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("bluff", {}, "no action 'bluff'"),
        ("bet", {"chips": 5}, "it has amount"),
        ("fold", {"card": "As"}, "it has none"),
    ],
)
def test_unknown_words_are_named(name: str, arguments: dict[str, Any], says: str) -> None:
    """An unknown action is refused with the wrong word and the list of actions."""
    with pytest.raises(NoAction, match=says):
        wire_actions.named(name, arguments)


def test_arguments_of_the_wrong_kind_are_refused_by_the_rules() -> None:
    """A card that is a number never becomes an action."""
    with pytest.raises(msgspec.ValidationError):
        actions.build("play_down", {"card": 7})
