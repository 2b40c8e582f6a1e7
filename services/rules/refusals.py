"""Refusals: the closed list of reasons for which the rules refuse, and the error that is raised."""

from collections.abc import Mapping
from typing import Final

from services.rules.text import Text

OUT_OF_TURN: Final = "OUT_OF_TURN"
ILLEGAL_ACTION: Final = "ILLEGAL_ACTION"
AMOUNT_OUT_OF_RANGE: Final = "AMOUNT_OUT_OF_RANGE"
INSUFFICIENT_CHIPS: Final = "INSUFFICIENT_CHIPS"
CARD_NOT_HELD: Final = "CARD_NOT_HELD"
ILLEGAL_CARDS: Final = "ILLEGAL_CARDS"
NOT_SEATED: Final = "NOT_SEATED"
ROUND_NOT_OPEN: Final = "ROUND_NOT_OPEN"
NOT_ENOUGH_SEATS: Final = "NOT_ENOUGH_SEATS"
REASONS: Final = frozenset(
    {
        OUT_OF_TURN,
        ILLEGAL_ACTION,
        AMOUNT_OUT_OF_RANGE,
        INSUFFICIENT_CHIPS,
        CARD_NOT_HELD,
        ILLEGAL_CARDS,
        NOT_SEATED,
        ROUND_NOT_OPEN,
        NOT_ENOUGH_SEATS,
    }
)
"""The closed list of reasons for which the rules refuse [rules "Refusals"]; with the last one no round starts."""


class Refused(Exception):
    """The rules do not allow this; nothing was changed.

    ``reason`` is one of ``REASONS``; the message states what was wrong, which value, and what would be right.
    It never holds a card that the acting seat cannot see.
    """

    def __init__(self, reason: str, message: str) -> None:
        assert reason in REASONS, f"unknown reason {reason}"
        super().__init__(message)
        self.reason = reason


class TableRefused(Exception):
    """The table does not allow this; ``reason`` is a word of the closed list, nothing was changed.

    ``metadata`` is what machines need; ``text`` says it to players in their language, where the reason alone does not.
    """

    def __init__(
        self, reason: str, message: str, *, metadata: Mapping[str, str | int] | None = None, text: Text | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.text = text
