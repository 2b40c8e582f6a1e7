"""When to stand in ten and a half and in twenty-one: the choice that brings most against a bank that draws by rule.

Worked out for cards drawn from many decks. Totals of ten and a half are in half points.
"""

import functools
from collections.abc import Mapping
from typing import Final

LIMIT: Final = 21
FREE_FROM: Final = 12
FIVE: Final = 5
FIVE_CARDS_PAY, FIVE_CARDS_FULL_PAY = 2, 3

DRAWS: Final[Mapping[int, float]] = {1: 3 / 13, **{2 * number: 1 / 13 for number in range(1, 11)}}
"""How likely each card is, by its half points: three court cards in thirteen, one each of A to 10."""


HARD_STANDS: Final = {2: 15, 3: 16, 4: 18}
SOFT_STANDS: Final = {2: 19, 3: 20, 4: 21}
"""Totals from which a hand of twenty-one stands, by its number of cards, against a bank that draws to 17; soft hands
count an ace as 11."""


def stands_twenty_one(cards: int, total: int, *, soft: bool) -> bool:
    """Return whether a hand of twenty-one with this many cards and this total should stand."""
    return total >= (SOFT_STANDS if soft else HARD_STANDS)[cards]


def stands(banker_stands_on: int, cards: int, total: int) -> bool:
    """Return whether a hand with this many cards and this total should stand."""
    return total >= FREE_FROM and _stand(banker_stands_on, total) >= _hit(banker_stands_on, cards, total)


@functools.cache
def _bank(stands_on: int) -> Mapping[int, float]:
    """Return the probability of each final total of the bank; 0 is a bust."""
    found: dict[int, float] = {}

    def draw(total: int, likely: float) -> None:
        if total >= stands_on:
            end = total if total <= LIMIT else 0
            found[end] = found.get(end, 0.0) + likely
            return
        for points, chance in DRAWS.items():
            draw(total + points, likely * chance)

    draw(0, 1.0)
    return found


@functools.cache
def _stand(stands_on: int, total: int) -> float:
    return sum(likely if end < total else -likely for end, likely in _bank(stands_on).items())


@functools.cache
def _hit(stands_on: int, cards: int, total: int) -> float:
    return sum(chance * _worth(stands_on, cards + 1, total + points) for points, chance in DRAWS.items())


def _worth(stands_on: int, cards: int, total: int) -> float:
    if total > LIMIT:
        return -1.0
    if cards == FIVE:
        return float(FIVE_CARDS_FULL_PAY if total == LIMIT else FIVE_CARDS_PAY)
    if total == LIMIT:
        return _stand(stands_on, total)
    hit = _hit(stands_on, cards, total)
    return max(hit, _stand(stands_on, total)) if total >= FREE_FROM else hit
