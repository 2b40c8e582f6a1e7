"""Actions by name: every action of the contract is made, a name or an argument that it lacks is said."""

import pytest
from pitboss import moves
from pitboss.v1 import actions_pb2

NAMES = [kind.name for kind in actions_pb2.Action.DESCRIPTOR.oneofs_by_name["kind"].fields]


@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_made_by_its_name(name: str) -> None:
    """The action is set, also where it has no arguments and where its name is a keyword."""
    assert moves.action(name).WhichOneof("kind") == name


def test_arguments_are_set_by_their_names() -> None:
    """A total of a raise, cards of a play."""
    assert getattr(moves.action("raise", to=40), "raise").to == 40
    assert list(moves.action("play", cards=["As", "Ks"]).play.cards) == ["As", "Ks"]


def test_what_the_contract_lacks_is_an_error() -> None:
    """An unknown name, and an argument that the action does not take."""
    with pytest.raises(ValueError, match="there is no action 'jump'"):
        moves.action("jump")
    with pytest.raises(ValueError, match="fold has no argument 'to'"):
        moves.action("fold", to=1)
