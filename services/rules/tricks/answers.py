"""Refusals and offers that all trick games make."""

from collections.abc import Iterable
from typing import NoReturn

from services.rules import game
from services.rules.cards import SUITS, Card


def refuse(reason: str, message: str) -> NoReturn:
    """Refuse an action. Raises game.Refused."""
    raise game.Refused(reason, message)


def one_card(cards: Iterable[Card]) -> game.Choice:
    """Offer exactly one of the cards as the argument ``cards``."""
    return game.SomeOf(cards=by_suit(cards), least=1, most=1)


def card_of(cards: Iterable[Card]) -> game.Choice:
    """Offer one of the cards as an argument that names a single card."""
    return game.OneOf(by_suit(cards))


def by_suit(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Put cards in an order that tells nothing about how they came."""
    return tuple(sorted(cards, key=lambda card: (SUITS.find(card[1]), card)))
