"""The three-card ladder of zha_jin_hua: right on every hand there is."""

import itertools
from collections import Counter
from collections.abc import Sequence

import pytest

from services.rules.cards import PACK_52, RANKS, SUITS, Card, parse
from services.rules.ranking import three_cards
from services.rules.ranking.five_cards import FLUSH_ORDERS, RANK_FIRST, SUIT_FIRST

COUNTS = {
    "triple": 52,
    "straight_flush": 48,
    "flush": 1096,
    "straight": 720,
    "pair": 3744,
    "high_card": 16440,
}
STRAIGHTS = ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
"""The straights of the sheet from low to high."""


def wanted(cards: Sequence[Card], order: str) -> tuple[object, ...]:
    """Rank a hand by looking it up among what the sheet lists, category by category."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    suits = {card[1] for card in cards}
    suit = SUITS.index(cards[0][1])
    straight = next((place for place, text in enumerate(STRAIGHTS) if {*text} == {card[0] for card in cards}), None)
    if len(set(ranks)) == 1:
        return (5, ranks[0])
    if straight is not None:
        return (4, straight, suit) if len(suits) == 1 else (2, straight)
    if len(suits) == 1:
        return (3, suit, ranks) if order == SUIT_FIRST else (3, ranks, suit)
    if len(set(ranks)) == 2:
        pair = ranks[1]
        return (1, pair, next(rank for rank in ranks if rank != pair))
    return (0, ranks)


def test_all_hands_fall_into_the_known_counts() -> None:
    """The 22 100 three-card hands fall into the known number of hands per category."""
    found = Counter(three_cards.category(three_cards.strength(hand)) for hand in itertools.combinations(PACK_52, 3))
    assert found == COUNTS
    assert sum(found.values()) == 22_100


@pytest.mark.parametrize("order", FLUSH_ORDERS)
def test_every_hand_stands_where_the_sheet_puts_it(order: str) -> None:
    """All hands are ordered, and tied, as the sheet's list orders and ties them."""
    hands = list(itertools.combinations(PACK_52, 3))
    ordered = sorted(hands, key=lambda hand: wanted(hand, order))
    for one, other in itertools.pairwise(ordered):
        first, second = three_cards.strength(one, order), three_cards.strength(other, order)
        tied = wanted(one, order) == wanted(other, order)
        assert first == second if tied else first < second, (one, other)


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("2c 2d 3h", "Ac Ad Kh"),
        ("Ac 2d 3h", "2c 3d 4h"),
        ("Kh Ad 2c", "Kh Ad 3c"),
        ("Ac 2c 3c", "Ad 2d 3d"),
        ("Qh Kh Ah", "Qs Ks As"),
        ("Qs Ks As", "2c 2d 2h"),
        ("2c 3d 5h", "2c 2d 3h"),
    ],
)
def test_sheet_examples(lower: str, higher: str) -> None:
    """The sheet's highest and lowest hands are at their places."""
    assert three_cards.strength(parse(lower)) < three_cards.strength(parse(higher))


def test_mixed_two_three_five_does_not_beat_a_triple() -> None:
    """2-3-5 of mixed suits is plain high card [zha_jin_hua D5]."""
    assert three_cards.category(three_cards.strength(parse("2c 3d 5h"), RANK_FIRST)) == "high_card"
