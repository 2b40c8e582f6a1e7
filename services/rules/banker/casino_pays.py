"""What casino hold'em pays by the hands: odds of ante and bonus, and who wins ante and call [casino_holdem "Pays"]."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from services.rules.cards import Card
from services.rules.ranking import five_cards

ROYAL_FLUSH: Final = "royal_flush"

ANTE_ODDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 100,
    five_cards.STRAIGHT_FLUSH: 20,
    five_cards.FOUR_OF_A_KIND: 10,
    five_cards.FULL_HOUSE: 3,
    five_cards.FLUSH: 2,
    five_cards.STRAIGHT: 1,
    five_cards.THREE_OF_A_KIND: 1,
    five_cards.TWO_PAIR: 1,
    five_cards.ONE_PAIR: 1,
    five_cards.HIGH_CARD: 1,
}
"""What the ante pays by the player's best five of seven."""

BONUS_ODDS: Final[Mapping[str, int]] = {
    ROYAL_FLUSH: 100,
    five_cards.STRAIGHT_FLUSH: 50,
    five_cards.FOUR_OF_A_KIND: 40,
    five_cards.FULL_HOUSE: 30,
    five_cards.FLUSH: 20,
    five_cards.STRAIGHT: 7,
    five_cards.THREE_OF_A_KIND: 7,
    five_cards.TWO_PAIR: 7,
    five_cards.ONE_PAIR: 7,
}
"""What the bonus pays by the first five cards; one pair only if it is of aces."""

PAIR_OF_ACES: Final = five_cards.plain(["As", "Ah", "2d", "3c", "4s"])
PAIR_OF_FOURS: Final = five_cards.plain(["4s", "4h", "2d", "3c", "5s"])
"""The lowest hands with which the bonus wins, and the dealer qualifies."""


class Showdown(NamedTuple):
    """What the hands bring: ante and call by the bet of each, negative if lost; None where it is returned."""

    ante: int | None
    call: int | None


def category(cards: Sequence[Card]) -> str:
    """Return the category of the best five of five to seven cards, the royal flush apart [casino_holdem D10]."""
    return category_of(five_cards.plain(cards))


def category_of(strength: int) -> str:
    """Return the category of a strength, the royal flush apart."""
    return ROYAL_FLUSH if strength == five_cards.CLASSES else five_cards.category(strength)


def showdown(player: Sequence[Card], dealer: Sequence[Card]) -> Showdown:
    """Compare the best five of seven cards each: a dealer that does not qualify comes first.

    Source: [casino_holdem "Pays"; casino_holdem D3].
    """
    own, theirs = five_cards.plain(player), five_cards.plain(dealer)
    if theirs < PAIR_OF_FOURS:
        return Showdown(ANTE_ODDS[category_of(own)], None)
    if own == theirs:
        return Showdown(None, None)
    return Showdown(ANTE_ODDS[category_of(own)], 1) if own > theirs else Showdown(-1, -1)


def bonus_odds(first_five: Sequence[Card]) -> int | None:
    """Return the odds of the bonus on the player's two cards and the flop; None where it is lost."""
    return BONUS_ODDS[category(first_five)] if five_cards.plain(first_five) >= PAIR_OF_ACES else None
