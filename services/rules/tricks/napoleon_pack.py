"""Napoleon's pack, what its cards count, and the house rules (tricks, ``napoleon``)."""

from collections.abc import Iterable
from typing import Final

from services.rules import game
from services.rules.cards import BIG_JOKER, PACK_52, Card
from services.rules.ranking.tricks import ACE_OF_SPADES

REMOVED: Final[dict[int, tuple[Card, ...]]] = {
    4: ("2c",),
    5: ("2c", "2h", "2d"),
    6: ("2s", "2h", "2d", "2c", "3h"),
    7: ("2s", "2h", "2d", "2c"),
}
"""Cards that are left out, by the number of seats [napoleon D1]."""

PACKS: Final[dict[int, tuple[Card, ...]]] = {
    seats: tuple(card for card in (*PACK_52, BIG_JOKER) if card not in removed) for seats, removed in REMOVED.items()
}

CARDS_EACH: Final = 4
ADJUTANT_FROM: Final = 6
"""Seats from which on Napoleon names an adjutant [napoleon Play 3]."""

HONOURS: Final = "AKQJT"
JOKER_CALLER: Final = "3c"
CALLS: Final[dict[str, Card]] = {"trumps": BIG_JOKER, "joker": JOKER_CALLER}
"""What may be called, and the card that must be led for it [napoleon Play 6, Play 7, D2]."""


class NapoleonRules(game.HouseRules, frozen=True, kw_only=True):
    """House rules: ``base`` chips, ``min_bid`` card points, ``draw`` each or winner.

    Source: [napoleon D8; napoleon D7; napoleon D5].
    """

    base: int = 10
    min_bid: int = 40
    draw: str = "each"
    min_seats: int = 4
    max_seats: int = 7


def points(cards: Iterable[Card], trump: str | None) -> int:
    """Count card points: 15 for the ace of spades, 10 for other trump honours, 1 for all other honours.

    Source: [napoleon D3].
    """
    total = 0
    for card in cards:
        if card == ACE_OF_SPADES:
            total += 15
        elif card[0] in HONOURS:
            total += 10 if card[1] == trump else 1
    return total


def highest_bid(trump: str) -> int:
    """Return all points that there are with these trumps: 70 with spades, 79 otherwise."""
    return points(PACK_52, trump)
