"""Refusals of illegal actions tell players what would be right, in three languages, in every game of the catalogue."""

import ast
import string
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

import pytest

from services.rules import actions, catalogue, illegal_actions
from services.rules.game import Round
from services.rules.refusals import Reason, Refused
from services.rules.text import Text
from services.runtime import wordings
from tests.support import worlds
from tests.support.chances import Recording

RULES: Final = Path(illegal_actions.__file__).parent
TEXTS: Final = {name: value for name, value in vars(illegal_actions).items() if isinstance(value, Text)}


def test_no_rule_refuses_an_action_without_a_text() -> None:
    """``ILLEGAL_ACTION`` is raised through the helpers alone."""
    for path in sorted(RULES.rglob("*.py")):
        if path.name in {"illegal_actions.py", "refusals.py"}:
            continue
        named = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)]
        assert not [node.lineno for node in named if node.attr == "ILLEGAL_ACTION"], path


def test_every_text_of_the_list_is_used() -> None:
    """The list is closed: no text stands in it that no rule refuses with."""
    code = "".join(path.read_text("utf-8") for path in RULES.rglob("*.py") if path.name != "illegal_actions.py")
    assert not [name for name in TEXTS if name != "POSSIBLE" and f"illegal_actions.{name}" not in code]
    assert set(illegal_actions.WORDS) <= set(actions.BY_NAME)


@pytest.mark.parametrize("name", TEXTS)
def test_the_languages_of_a_text_have_the_same_places(name: str) -> None:
    """Each value is in all three languages, and each language has a text of its own."""
    text = TEXTS[name]
    places = [
        Counter(place for _, place, _, _ in string.Formatter().parse(one) if place)
        for one in (text.en, text.zh_hant, text.zh_hans)
    ]
    assert places[0] == places[1] == places[2]
    assert text.en.isascii()
    assert not text.zh_hant.isascii()


@pytest.mark.parametrize("game_id", catalogue.FILES)
def test_a_refused_action_tells_more_than_its_reason(game_id: str) -> None:
    """Any action of any sheet at random moments: an illegal one is answered by a text that says what is right."""
    game, rng = catalogue.game(game_id), Random(f"{game_id} illegal")
    refused: list[Refused] = []

    def watch(round_: Round) -> None:
        for seat in round_.carry:
            wild = [worlds.wild_action(round_, rng) for _ in range(6)]
            for action in (*wild, actions.Hit(), actions.Fold()):
                try:
                    round_.verify(seat, action)
                except Refused as refusal:
                    refused.append(refusal)

    asked = worlds.default_rules(game, **({"auto_flip": False} if game_id == "war" else {}))
    for rules in (asked, worlds.varied_rules(game, rng)):
        for table in worlds.rounds(game, rules, rng, 2):
            worlds.play(game, rules, table, Recording(rng), rng, watch)
    illegal = [one for one in refused if one.reason is Reason.ILLEGAL_ACTION]
    assert illegal, "no action was illegal"
    bare = wordings.TEXTS[Reason.ILLEGAL_ACTION]
    for one in illegal:
        assert one.text is not None, one.message
        for language in ("en", "zh-Hant", "zh-Hans"):
            words = one.text.within(language)
            assert words != bare.within(language), one.message
            assert "{" not in words
