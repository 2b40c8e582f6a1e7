"""What the hands of an ended round are worth, in words with the cards that count."""

from collections.abc import Callable

from services.audit.narrative_lines import LINES
from services.rules.game import Round
from services.rules.ranking import ladder
from services.rules.views import Zone
from services.rules.worth import Worth

Word = Callable[[str], str]
"""Returns the text of a word of the game."""


def in_words(round_: Round, seat: int, language: str, word: Word, half: str, *, second: bool) -> str | None:
    """Return what a seat's hand is worth; None where its cards make no hand.

    Where pots are divided ``half`` names the half for which the hand counts; empty: both are named. ``second``:
    with the second board.
    """
    for zone in zones(round_, seat):
        worth = round_.worth(zone.owner, zone.name, zone.cards)
        worth = worth.second if worth is not None and second else worth
        if worth is not None:
            told = {ladder.HIGH: worth, ladder.LOW: worth.low}
            named = [one for name, one in told.items() if one is not None and half in ("", name)]
            return LINES["and"].within(language).join(_said(one, language, word) for one in named)
    return None


def zones(round_: Round, seat: int) -> list[Zone]:
    """List the zones with cards of a seat, as the seat sees them."""
    return [zone for zone in round_.view(seat).zones if zone.owner == seat and zone.cards]


def _said(worth: Worth, language: str, word: Word) -> str:
    words = worth.words.within(language) if worth.words else word(worth.category)
    return LINES["best"].within(language).format(words=words, cards=" ".join(worth.best)) if worth.best else words
