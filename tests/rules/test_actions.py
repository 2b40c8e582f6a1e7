"""Actions by the sheets' words: made from words and arguments, written and read again."""

from typing import Any, get_args

import msgspec
import pytest

from services.rules import actions

EXAMPLES: list[tuple[str, dict[str, Any], actions.Action]] = [
    ("raise", {"to": 40}, actions.Raise(to=40)),
    ("draw", {"discards": ["As", "2h"]}, actions.Draw(discards=("As", "2h"))),
    ("draw", {"discards": []}, actions.Draw(discards=())),
    ("place_bet", {"spot": "tie", "amount": 5}, actions.PlaceBet(spot="tie", amount=5)),
    ("play", {"cards": ["5h"], "next": 2}, actions.Play(cards=("5h",), next=2)),
    ("play", {"cards": ["Xr"], "call": "trumps"}, actions.Play(cards=("Xr",), call="trumps")),
    ("bid", {"points": 0}, actions.Bid(points=0)),
    ("rob", {}, actions.Rob()),
    ("rob", {"discard": "4c"}, actions.Rob(discard="4c")),
    ("set_nickname", {"name": "Fox"}, actions.SetNickname(name_="Fox")),
    ("pass", {}, actions.Pass()),
]


@pytest.mark.parametrize(("word", "arguments", "made"), EXAMPLES)
def test_build_and_arguments_are_each_others_inverse(
    word: str, arguments: dict[str, Any], made: actions.Action
) -> None:
    """A sheet's word with its arguments becomes the action, and the action returns them."""
    built = actions.build(word, arguments)
    assert built == made
    assert built.name == word
    given = {
        name: list(value) if isinstance(value, tuple) else value for name, value in actions.arguments(built).items()
    }
    assert given == arguments


@pytest.mark.parametrize("made", [made for _, _, made in EXAMPLES])
def test_actions_survive_the_log(made: actions.Action) -> None:
    """Every action is read back from JSON and from MessagePack as the same action."""
    kind: Any = actions.AnyAction
    assert msgspec.json.decode(msgspec.json.encode(made), type=kind) == made
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(made), type=kind) == made


def test_every_action_has_a_word_of_its_own_and_is_in_the_union() -> None:
    """The union that records and clients name holds exactly the classes there are."""
    kinds = set(actions.Action.__subclasses__())
    assert set(get_args(actions.AnyAction)) == kinds
    assert len(actions.BY_NAME) == len(kinds)


def test_an_unknown_word_is_named() -> None:
    """A word that no sheet knows is a KeyError with that word."""
    with pytest.raises(KeyError, match="shuffle"):
        actions.build("shuffle", {})


@pytest.mark.parametrize(
    ("word", "arguments", "field"),
    [
        ("bet", {}, "amount"),
        ("bet", {"amount": "ten"}, r"\$\.amount"),
        ("bet", {"amount": 1.5}, r"\$\.amount"),
        ("draw", {"discards": "As"}, r"\$\.discards"),
    ],
)
def test_a_wrong_argument_is_named(word: str, arguments: dict[str, Any], field: str) -> None:
    """A missing argument or one of the wrong kind is refused with its name."""
    with pytest.raises(msgspec.ValidationError, match=field):
        actions.build(word, arguments)
