"""Names and words of games in the reader's language, from the rule sheets themselves."""

from collections.abc import Callable
from functools import cache
from typing import Any

from services.rules import catalogue
from services.rules.refusals import Refused


@cache
def name(game: str, language: str) -> str:
    """Return the name of a game; its id where the house does not know it."""
    try:
        return catalogue.game(game).name.within(language)
    except Refused:
        return game


@cache
def speller(game: str, version: int, language: str) -> Callable[[str], str]:
    """Return a function that returns the text of a word of a game; an unknown word is returned as it is."""
    try:
        known = {term.word: term.text for term in catalogue.vocabulary(catalogue.game(game, version))}
    except Refused:
        known = {}
    return lambda word: known[word].within(language) if word in known else word.replace("_", " ")


def within(text: Any, language: str) -> str:
    """Return a text of the contract in a language; empty for None."""
    if text is None:
        return ""
    return str({"zh-Hant": text.zh_hant, "zh-Hans": text.zh_hans}.get(language) or text.en)
