"""Offers that all trick games make."""

from collections.abc import Iterable

from services.rules.cards import SUITS, Card
from services.rules.offers import Choice, OneOf, SomeOf


def one_card(cards: Iterable[Card]) -> Choice:
    """Offer exactly one of the cards as the argument ``cards``."""
    return SomeOf(cards=by_suit(cards), least=1, most=1)


def card_of(cards: Iterable[Card]) -> Choice:
    """Offer one of the cards as an argument that names a single card."""
    return OneOf(by_suit(cards))


def by_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in an order that reveals nothing about the deal."""
    return tuple(sorted(cards, key=lambda card: (SUITS.find(card[1]), card)))
