"""Refusals tell their figures: in the metadata for machines, in the text for people, at every place that raises one."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.contract import comings
from services.rules import catalogue, illegal_actions, refusal_figures
from services.rules.game import Table
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.runtime import errors
from tests.support.chances import Recording

SERVICES = Path(refusal_figures.__file__).parents[1]
LANGUAGES = ("en", "zh-Hant", "zh-Hans")
PLURAL = re.compile(r"\} (more )?(are|wait|cards|chips|hours|minutes|players|rounds|seats|seconds|seeds)\b")
"""A figure before a word that is right for many only."""


def raised() -> Iterator[tuple[str, Reason, ast.Call]]:
    """List each call of ``Refused`` with a reason that has figures, and where it stands."""
    for path in sorted(SERVICES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Refused"), [ast.Attribute(ast.Name("Reason"), name), *_]):
                    if Reason[name] in refusal_figures.FIGURES:
                        yield f"{path.relative_to(SERVICES)}:{node.lineno}", Reason[name], node
                case _:
                    pass


def test_every_place_that_refuses_gives_the_figures_of_its_reason() -> None:
    """A refusal whose reason has figures is made with metadata, or with the pause that is its figure."""
    found = list(raised())
    assert len(found) > 40
    for where, reason, call in found:
        given = {word.arg: word.value for word in call.keywords}
        assert {"metadata", "retry_seconds"} & given.keys(), f"{where}: {reason} without figures"
        metadata = given.get("metadata")
        if isinstance(metadata, ast.Dict) and all(isinstance(key, ast.Constant) for key in metadata.keys):
            keys = {str(key.value) for key in metadata.keys if isinstance(key, ast.Constant)}
            keys |= {"retry_seconds"} & given.keys()
            assert not refusal_figures.lacking(reason, dict.fromkeys(keys, "1")), f"{where}: {reason} has only {keys}"


def test_every_place_that_finds_a_request_wrong_names_the_field() -> None:
    """INVALID_ARGUMENT is raised by ``invalid``, or with violations of its own."""
    for path in sorted(SERVICES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Name("Refused"), [ast.Attribute(ast.Name("Reason"), "INVALID_ARGUMENT"), *_]):
                    assert "fields" in {word.arg for word in node.keywords}, f"{path.name}:{node.lineno}"
                case _:
                    pass


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"least": "1", "greatest": "0"}, ["least"]),
        ({"seat_least": "0", "seat_greatest": "-1"}, ["seat_least"]),
        ({"least": "0.5", "greatest": "0.25", "a_least": "1", "b_greatest": "0"}, ["least"]),
        ({"least": "1", "greatest": "1", "choices": "a,b"}, []),
        ({"least": "1"}, []),
    ],
)
def test_a_range_without_a_value_is_found(told: dict[str, str], wrong: list[str]) -> None:
    """The watch over all tests sees a least value above the greatest one, of the same field only."""
    assert refusal_figures.impossible(told) == wrong


@pytest.mark.parametrize("reason", refusal_figures.FIGURES)
def test_texts_hold_the_figures_and_no_others(reason: Reason) -> None:
    """Every place in a text is a key of its set, and the same ones in each language."""
    for one in refusal_figures.FIGURES[reason]:
        if one.text is not None:
            places = [
                {name for _, name, _, _ in string.Formatter().parse(one.text.within(language)) if name}
                for language in LANGUAGES
            ]
            assert places[0] == places[1] == places[2] <= set(one.keys)


def test_texts_read_well_with_one() -> None:
    """No figure stands before a plural, as in "1 chips"; that holds for the texts of those who come and go, too."""
    figures = [one.text for known in refusal_figures.FIGURES.values() for one in known if one.text is not None]
    come_and_go = [text for text in vars(comings).values() if isinstance(text, Text) and text != comings.WAITS_OVER]
    illegal = [text for text in vars(illegal_actions).values() if isinstance(text, Text)]
    assert len(come_and_go) > 15
    assert len(illegal) > 15
    for text in [*figures, *come_and_go]:
        assert not PLURAL.search(text.en), text.en
    for text in illegal:
        assert not re.search(r"\{chips[^}]*\} chips", text.en), text.en


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_reads_the_figures(language: str) -> None:
    """The localised text of a refusal names bounds, what is missing, and whose turn it is."""
    for reason, told in (
        (Reason.AMOUNT_OUT_OF_RANGE, {"least": "20", "greatest": "1000"}),
        (Reason.INSUFFICIENT_FUNDS, {"balance": "5", "needed": "12", "missing": "7", "currency": "EUR"}),
        (Reason.INSUFFICIENT_CHIPS, {"chips": "30", "needed": "40"}),
        (Reason.NOT_ENOUGH_SEATS, {"seats": "1", "needed": "2"}),
        (Reason.OUT_OF_TURN, {"turn": "3"}),
        (Reason.ROUND_IN_PROGRESS, {"round_number": "17"}),
    ):
        status = errors.to_status(Refused(reason, "no", metadata=told), language)
        text = status.details[-1].value.decode(errors="ignore")
        assert all(value in text for value in told.values()), f"{reason}: {text}"


def test_a_pause_is_a_figure() -> None:
    """A caller that is too fast gets the whole seconds after which to try again."""
    refusal = Refused(Reason.TOO_MANY_REQUESTS, "too many", retry_seconds=1.2)
    assert refusal.metadata == {"retry_seconds": "2"}
    found = refusal_figures.text(refusal)
    assert found is not None
    assert "2 s." in found.en


@pytest.mark.parametrize("game_id", catalogue.FILES)
def test_a_table_without_players_says_how_many_are_needed(game_id: str) -> None:
    """No game starts with one poor seat; the refusal has both numbers."""
    game = catalogue.game(game_id)
    rules = game.rules_type()
    with pytest.raises(Refused) as caught:
        game.start(rules, Table(chips={0: 0}), Recording.__new__(Recording))
    assert caught.value.reason is Reason.NOT_ENOUGH_SEATS
    assert int(caught.value.metadata["needed"]) > int(caught.value.metadata["seats"])
