"""The texts of the console in the languages of the house, each written to be read by itself."""

from collections.abc import Mapping
from typing import Final

from services.console.words import general, money, office, rounds, tables
from services.rules.text import Text

LANGUAGES: Final = ("en", "zh-Hant", "zh-Hans")
WORDS: Final[Mapping[str, Text]] = {**general.WORDS, **tables.WORDS, **rounds.WORDS, **office.WORDS, **money.WORDS}


def said(key: str, language: str, **values: object) -> str:
    """Return a text in a language, with values in its places. A key without a text is returned as it is."""
    found = WORDS.get(key)
    return key if found is None else found.within(language).format_map(values)


def preferred(accepted: str) -> str:
    """Return the language that suits a browser best: the first that it accepts and the console speaks, else English."""
    for one in accepted.split(","):
        tag = one.partition(";")[0].strip().lower()
        if tag.startswith("zh"):
            parts = tag.split("-")
            return "zh-Hant" if {"hant", "tw", "hk", "mo"}.intersection(parts) else "zh-Hans"
        if tag.startswith("en"):
            return "en"
    return "en"
