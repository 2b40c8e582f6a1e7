"""The closed lists of words that a game shows: phases, zones, statuses, reasons, actions, arguments, values, facts.

A game declares its lists (``Game.terms``) and explains each word (``Game.words``). A word may stand in several lists
(``draw`` is an action, a happening and a phase); it has one text in a game.
"""

import enum
from collections.abc import Iterator, Mapping
from typing import Self

import msgspec

from services.rules.text import Text


class Kind(enum.StrEnum):
    """What a word names."""

    PHASE = "phase"
    """A phase of a round."""
    ZONE = "zone"
    """A place where cards are."""
    STATUS = "status"
    """How a seat stands in a round."""
    REASON = "reason"
    """Why chips are claimed, staked or bet: the bets of a game and the reasons of its claims."""
    ACTION = "action"
    """What a seat does."""
    ARGUMENT = "argument"
    """An argument of an action."""
    WORD = "word"
    """A value of an argument or of a fact: a suit, a spot, a hand's category."""
    HAPPENING = "happening"
    """What was noted in the record of a round."""
    SUGGESTION = "suggestion"
    """An amount that is offered as a shortcut."""
    FACT = "fact"
    """The name of a fact of a round, of its result or of what was noted."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a game by kind; each field is a row of words that are separated by blanks."""

    phase: str = ""
    zone: str = ""
    status: str = ""
    reason: str = ""
    action: str = ""
    argument: str = ""
    word: str = ""
    happening: str = ""
    suggestion: str = ""
    fact: str = ""

    def of(self, kind: Kind) -> tuple[str, ...]:
        """Return the words of a kind, each once, in the order in which they were declared."""
        row: str = getattr(self, kind.value)
        return tuple(dict.fromkeys(row.split()))

    def __add__(self, more: "Terms") -> "Terms":
        """Return these words and more."""
        return Terms(**{kind.value: f"{getattr(self, kind)} {getattr(more, kind)}" for kind in Kind})


class Term(msgspec.Struct, frozen=True):
    """A word of a game with its kind and its text."""

    kind: Kind
    word: str
    text: Text

    @classmethod
    def listed(cls, terms: Terms, words: Mapping[str, Text]) -> Iterator[Self]:
        """Return every word of the lists with its text. Raises KeyError for a word that is not explained."""
        for kind in Kind:
            for word in terms.of(kind):
                yield cls(kind, word, words[word])
