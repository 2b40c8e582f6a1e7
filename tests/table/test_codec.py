"""Events as text and back."""

import msgspec
import pytest

from services.rules import catalogue
from services.table import codec, differences, events
from tests.support import sittings


@pytest.mark.parametrize("game", list(catalogue.FILES))
def test_events_of_real_rounds_are_the_same_text_after_a_round_trip(game: str) -> None:
    """What is read from the log and written again is the same to the byte, by the typed and by the lifted way."""
    for event in sittings.random_sitting(game, "codec").log:
        name, text = codec.name(event), codec.encode(event)
        again = codec.decode(name, text)
        assert type(again) is type(event)
        assert codec.encode(again) == text
        assert codec.encode(codec.decode_lifted(name, msgspec.json.decode(text))) == text


def test_every_kind_of_event_is_named_after_itself() -> None:
    """The names in the log are those of the list, each kind has one, and the list is of different kinds."""
    assert set(events.TYPES.values()) == set(events.Event.__subclasses__())
    assert all(name == kind.__name__ for name, kind in events.TYPES.items())


def test_an_unknown_type_is_refused_by_name() -> None:
    """An unknown type is a different error from a failed decoding."""
    with pytest.raises(codec.UnknownEventError, match="TableBurnt"):
        codec.decode("TableBurnt", "{}")


@pytest.mark.parametrize("text", ["{}", '{"at_ms":"soon","chips":1}', '{"at_ms":1}', "[]", '{"at_ms":1,"chips":1.5}'])
def test_a_text_of_another_shape_is_refused(text: str) -> None:
    """A missing or mistyped field never becomes an event."""
    with pytest.raises(msgspec.ValidationError):
        codec.decode("PotFunded", text)


def test_steps_lead_to_shapes_that_are_known() -> None:
    """Each step belongs to a type of the log and starts from a shape number."""
    assert all(name in events.TYPES and number >= 1 for name, number in codec.STEPS)


@pytest.mark.parametrize(
    ("left", "right", "field"),
    [
        ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, "a[1].b"),
        ({"a": [1, 2]}, {"a": [1]}, "a"),
        ({"a": 1}, {"a": 1, "b": 2}, "b"),
        ({"a": {"b": None}}, {"a": {}}, "a.b"),
        ({"a": "x"}, {"a": ["x"]}, "a"),
        ({"a": {"b": 1}}, {"a": "x"}, "a"),
        ({"a": None}, {"a": {"b": 1}}, "a"),
        ({"a": [1]}, {"a": {"b": 1}}, "a"),
    ],
)
def test_the_first_difference_is_named_by_its_path(left: object, right: object, field: str) -> None:
    """A path of fields and indices leads to the difference; both values are shortened."""
    path, expected, found = differences.first_difference(left, right)
    assert path == field
    assert expected != found


def test_long_values_are_told_in_short() -> None:
    """A difference never fills the screen."""
    assert len(differences.short("x" * 5000)) == len(differences.short(["x" * 5000])) == 120
