"""What a hand of poker is worth in words, with one board or with each of two."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from services.rules.cards import Card
from services.rules.poker.words import FIVE_CARDS
from services.rules.worth import HAND_CARDS, Worth, of_ladder, of_seven

if TYPE_CHECKING:
    from services.rules.poker.engine import PokerRound


def of_hand(hand: "PokerRound", position: int, own: Sequence[Card]) -> Worth | None:
    """Return the worth of a position's own cards with the table cards; None until they make a hand."""
    if hand.ladders:
        first, *more = [_with(hand, own, table) for table in hand.tables()]
        return msgspec.structs.replace(first, second=more[0]) if first is not None and more else first
    every = [*own, *hand.board]
    return of_seven(every, hand.rank(position, hand.board), FIVE_CARDS) if len(every) >= HAND_CARDS else None


def _with(hand: "PokerRound", own: Sequence[Card], table: Sequence[Card]) -> Worth | None:
    high, *low = [of_ladder(ladder, own, table, hand.names) for ladder in hand.ladders]
    return msgspec.structs.replace(high, low=low[0]) if high is not None and low else high
