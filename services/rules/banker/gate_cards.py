"""The gate of dragon gate: two cards, and what a bet on a third one brings."""

from collections.abc import Sequence
from typing import Final

from services.rules.cards import Card
from services.rules.ranking import pip_counts

HIGHER: Final = "higher"
LOWER: Final = "lower"
SIDES: Final = (HIGHER, LOWER)
"""What is guessed of the third card where the two are equal."""

WINS: Final = 1
LOSES: Final = -1
HITS_POST: Final = -2
"""What a bet brings, in bets."""

TURN_CARDS: Final = 3
"""Cards that a turn may need: the gate, and the one that is bet on."""


def equal_ranks(gate: Sequence[Card]) -> bool:
    """Return whether the two cards of a gate are of one rank."""
    return gate[0][0] == gate[1][0]


def brings(gate: Sequence[Card], guess: str | None, *, ace_high: bool) -> int:
    """Return what a bet brings, in bets: two cards and the third, with the guess if the two are equal."""
    low, high = sorted(value(card, ace_high=ace_high) for card in gate[:2])
    third = value(gate[2], ace_high=ace_high)
    if third in (low, high):
        return HITS_POST
    won = low < third < high if guess is None else (third > high) == (guess == HIGHER)
    return WINS if won else LOSES


def value(card: Card, *, ace_high: bool) -> int:
    """Return a card's value: A 1 (14 if high), 2 … 10, J 11, Q 12, K 13."""
    order = pip_counts.order(card)
    return pip_counts.order("Ks") + 1 if ace_high and card[0] == "A" else order
