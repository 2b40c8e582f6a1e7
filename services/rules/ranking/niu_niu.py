"""Niu niu: five cards, of which three make a multiple of ten and the other two count (showdown, banker).

Two ladders: ``tongbi`` (with or without jokers) and ``home`` (against a banker). Every function takes five cards.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking import pip_counts
from services.rules.ranking.pip_counts import Ranked

SIZE: Final = 5
TEN: Final = 10


def niu(hand: Sequence[Card]) -> int | None:
    """Return the last digit of the whole sum if some three cards make a multiple of ten (0: 牛牛), else None.

    Jokers count ten. Any such three cards give the same result, since the digits of all five cards are fixed.
    """
    assert len(hand) == SIZE, f"a hand of niu niu has five cards, not {len(hand)}"
    values = [pip_counts.value(card, TEN) for card in hand]
    digit = sum(values) % TEN
    # Three cards make a multiple of ten exactly if the other two have the last digit of all five.
    if any((one + two) % TEN == digit for one, two in combinations(values, 2)):
        return digit
    return None


def tongbi(hand: Sequence[Card]) -> Ranked:
    """Rank by tongbi_niu_niu: 無牛 < 牛一 … 牛九 < 牛牛 < 四花牛 < 五花牛; two hands are never equal."""
    top = pip_counts.top(hand, cards.ONLINE_SUITS)
    category, place, digit = _tongbi_category(hand)
    return Ranked(category, (place, *top), digit)


def _tongbi_category(hand: Sequence[Card]) -> tuple[str, int, int | None]:
    courts = sum(pip_counts.is_court(card) for card in hand)
    if courts == SIZE:
        return "five_court", 12, None
    if courts == SIZE - 1 and any(card in cards.JOKERS or card[0] == "T" for card in hand):
        return "four_court", 11, None
    found = _joker_niu(hand)
    if found is None:
        return "none", 0, None
    if found == 0:
        return "niu_niu", 10, 0
    return ("niu_7-9" if found >= 7 else "niu_1-6"), found, found


def _joker_niu(hand: Sequence[Card]) -> int | None:
    """Return the niu of a hand whose jokers stand for any points where that makes 牛牛, and for ten otherwise.

    Source: [tongbi_niu_niu D2].
    """
    plain = [pip_counts.value(card, TEN) for card in hand if card not in cards.JOKERS]
    jokers = SIZE - len(plain)
    if jokers == 0:
        return niu(hand)
    # A joker completes whichever group it is in, and two jokers both groups; one joker leaves the other group to
    # the plain cards alone.
    if jokers > 1 or any(sum(group) % TEN == 0 for size in (2, 3) for group in combinations(plain, size)):
        return 0
    return None


def home(hand: Sequence[Card]) -> Ranked:
    """Rank by niu_niu: ``none`` < ``small`` (1–7) < ``big`` (8, 9) < ``niu_niu`` < ``ultimate``; never equal."""
    top = pip_counts.top(hand, cards.SUITS)
    if all(pip_counts.value(card, TEN) == TEN for card in hand):
        return Ranked("ultimate", (11, *top))
    found = niu(hand)
    if found is None:
        return Ranked("none", (0, *top))
    if found == 0:
        return Ranked("niu_niu", (10, *top), 0)
    return Ranked("big" if found >= 8 else "small", (found, *top), found)
