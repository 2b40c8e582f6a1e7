"""San gong: three cards, counted by the last digit of their sum, court hands above (showdown, banker).

Four ladders: ``tongbi`` (one winner takes from all), ``online`` (every pair, and against a banker), ``home`` and
``live`` (with ties). Every function takes three cards of one pack.
"""

from collections.abc import Sequence
from typing import Final

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking import pip_counts
from services.rules.ranking.pip_counts import Ranked

SUITS: Final = cards.ONLINE_SUITS
"""Suits from low to high: ``s > h > c > d``."""

SIZE: Final = 3
HIGH_POINTS: Final = "7-9"
LOW_POINTS: Final = "0-6"


def tongbi(hand: Sequence[Card]) -> Ranked:
    """Rank by tongbi_san_gong: points < 三公 < 大三公 < 至尊; two hands are never equal."""
    if _one_rank(hand):
        if hand[0][0] == "3":
            return Ranked("zhi_zun", (13,))
        return Ranked("da_san_gong", (12, pip_counts.order(hand[0])))
    courts = [card for card in hand if pip_counts.is_court(card)]
    if len(courts) == SIZE:
        return Ranked("san_gong", (10, *pip_counts.top(hand, SUITS)))
    points = pip_counts.last_digit(hand)
    others = [card for card in hand if not pip_counts.is_court(card)]
    top_court = pip_counts.top(courts, SUITS) if courts else (0, 0)
    top_other = pip_counts.top(others, SUITS)
    # The suit decides last, and it is the top court card's where there is one [tongbi_san_gong D5].
    suit = top_court[1] if courts else top_other[1]
    return Ranked(_points_word(points), (points, len(courts), top_court[0], top_other[0], suit), points)


def online(hand: Sequence[Card]) -> Ranked:
    """Rank by san_gong and san_gong_banker: points < 混三公 < 小三公 < 大三公; two hands are never equal."""
    if _one_rank(hand):
        word, place = ("da", 12) if pip_counts.is_court(hand[0]) else ("xiao", 11)
        return Ranked(word, (place, pip_counts.order(hand[0])))
    courts = _courts(hand)
    if courts == SIZE:
        return Ranked("hun", (10, *pip_counts.top(hand, SUITS)))
    points = pip_counts.last_digit(hand)
    return Ranked(_points_word(points), (points, courts, *pip_counts.top(hand, SUITS)), points)


def home(hand: Sequence[Card]) -> Ranked:
    """Rank by san_gong with ``ranking: home``: points < 三公 (any three court cards); equal hands tie."""
    if _courts(hand) == SIZE:
        return Ranked("san_gong", (10,))
    points = pip_counts.last_digit(hand)
    return Ranked(_points_word(points), (points,), points)


def live(hand: Sequence[Card], *, count_courts: bool) -> Ranked:
    """Rank by san_gong_live: as ``home``, and of equal points more court cards win (not with ``tie_rule: points``)."""
    ranked = home(hand)
    if ranked.points is None or not count_courts:
        return ranked
    return ranked._replace(key=(*ranked.key, _courts(hand)))


def _points_word(points: int) -> str:
    return HIGH_POINTS if points >= 7 else LOW_POINTS


def _one_rank(hand: Sequence[Card]) -> bool:
    assert len(hand) == SIZE, f"a hand of san gong has three cards, not {len(hand)}"
    return hand[0][0] == hand[1][0] == hand[2][0]


def _courts(hand: Sequence[Card]) -> int:
    return sum(pip_counts.is_court(card) for card in hand)
