"""Counting games: what cards are worth, and how single cards compare (K Q J 10 9 … 2 A, jokers above the king)."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from services.rules import cards
from services.rules.cards import Card

LOW_ACE: Final = "A23456789TJQK"
"""Ranks from low to high with the ace low, as all counting games rank single cards."""

COURTS: Final = "JQK"
"""Court cards (公), without the ten."""

_ORDER: Final = {rank: place for place, rank in enumerate(LOW_ACE, start=1)}
_JOKERS: Final = {cards.SMALL_JOKER: 14, cards.BIG_JOKER: 15}


class Ranked(NamedTuple):
    """What a hand is worth: its category by the sheet's word, and a key that is greater for the better hand.

    ``category`` is also the word under which house rules keep the category's multiplier; ``points`` are None
    where the category does not count any.
    """

    category: str
    key: tuple[int, ...]
    points: int | None = None


def order(card: Card) -> int:
    """Return a card's place by rank: A 1, 2 … K 13, small joker 14, big joker 15."""
    return _JOKERS[card] if card in _JOKERS else _ORDER[card[0]]


def value(card: Card, ten_cards: int) -> int:
    """Return a card's number: A 1, 2 to 9 their number, and ``ten_cards`` for 10 J Q K and jokers (0 or 10)."""
    place = order(card)
    return place if place <= 9 else ten_cards


def is_court(card: Card) -> bool:
    """Return whether a card is a jack, a queen or a king."""
    return card[0] in COURTS


def single(card: Card, suits: str) -> tuple[int, int]:
    """Return the key of a single card: rank, then suit; ``suits`` lists the suits from low to high."""
    return (order(card), suits.find(card[1]))


def top(hand: Iterable[Card], suits: str) -> tuple[int, int]:
    """Return the key of the highest single card of a hand, of equal ranks the one of the better suit."""
    return max(single(card, suits) for card in hand)


def last_digit(hand: Sequence[Card]) -> int:
    """Return the last digit of the sum; 10 J Q K count 0."""
    return sum(value(card, 0) for card in hand) % 10
