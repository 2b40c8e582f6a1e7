"""The five-card ladder: right on every hand there is."""

import itertools
import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from services.rules.cards import PACK_52, RANKS, SUITS, Card, parse
from services.rules.ranking import five_cards

SEVEN_CARD_HANDS = int(os.environ.get("PITBOSS_RANKING_HANDS", "50000"))
"""How many random seven-card hands are compared; a million takes about twenty seconds."""

COUNTS = {
    "straight_flush": 40,
    "four_of_a_kind": 624,
    "full_house": 3744,
    "flush": 5108,
    "straight": 10200,
    "three_of_a_kind": 54912,
    "two_pair": 123552,
    "one_pair": 1098240,
    "high_card": 1302540,
}
"""How many five-card hands of each category there are (combinatorics; the counts are known everywhere)."""

Key = tuple[int, tuple[int, ...]]


def by_sheet(cards: Sequence[Card]) -> Key:
    """Rank five cards by the words of the sheet alone, without the look-up."""
    category, ranks = five_cards.of_five(cards)
    return five_cards.CATEGORIES.index(category), ranks


def one_of_each_class() -> Iterator[tuple[Card, ...]]:
    """Return one hand for every choice of ranks, of one suit where that is possible and of several where it is."""
    for ranks in itertools.combinations_with_replacement(RANKS, 5):
        counts = Counter(ranks)
        if max(counts.values()) == 5:
            continue
        seen: Counter[str] = Counter()
        hand = []
        for place, rank in enumerate(ranks):
            suit = SUITS[seen[rank]] if max(counts.values()) > 1 else SUITS[place % 2]
            seen[rank] += 1
            hand.append(rank + suit)
        yield tuple(hand)
        if len(counts) == 5:
            yield tuple(rank + "h" for rank in ranks)


@cache
def table() -> dict[tuple[str, bool], int]:
    """Return the strength of each class by the sheet, from 1: by ranks in ascending order and whether of one suit."""
    hands = sorted(one_of_each_class(), key=by_sheet)
    strengths: dict[tuple[str, bool], int] = {}
    number, last = 0, None
    for hand in hands:
        key = by_sheet(hand)
        number += key != last
        last = key
        strengths["".join(card[0] for card in hand), len({card[1] for card in hand}) == 1] = number
    return strengths


def best_of_all(cards: Sequence[Card]) -> int:
    """Find the plain strength of the best five by trying all, with the sheet's table."""
    strengths = table()
    ordered = sorted(cards, key=lambda card: RANKS.index(card[0]))
    best = 0
    for a, b, c, d, e in itertools.combinations(ordered, 5):
        found = strengths[a[0] + b[0] + c[0] + d[0] + e[0], a[1] == b[1] == c[1] == d[1] == e[1]]
        best = max(best, found)
    return best


def test_all_hands_fall_into_the_known_counts() -> None:
    """The 2 598 960 five-card hands fall into the known number of hands per category."""
    strengths = Counter(map(five_cards.plain, itertools.combinations(PACK_52, 5)))
    found: Counter[str] = Counter()
    for strength, count in strengths.items():
        found[five_cards.category(strength)] += count
    assert found == COUNTS
    assert sum(found.values()) == 2_598_960
    assert sorted(strengths) == list(range(1, five_cards.CLASSES + 1))


def test_every_class_ranks_as_the_sheet_says() -> None:
    """Each of the 7462 classes of hands has the strength that the sheet describes."""
    hands = list(one_of_each_class())
    assert len(hands) == len(table()) == five_cards.CLASSES
    for hand in hands:
        ranks = "".join(card[0] for card in hand)
        assert five_cards.plain(hand) == table()[ranks, len({card[1] for card in hand}) == 1], hand
        assert five_cards.category(five_cards.plain(hand)) == five_cards.of_five(hand)[0]


def test_best_five_of_seven_agree_with_trying_all() -> None:
    """On random seven-card hands the look-up finds what the sheet's table finds among all 21 choices of five."""
    chance = random.Random(7)
    for _ in range(SEVEN_CARD_HANDS):
        cards = chance.sample(PACK_52, 7)
        assert five_cards.plain(cards) == best_of_all(cards), cards


def test_best_five_of_six_agree_with_trying_all() -> None:
    """The same with six cards."""
    chance = random.Random(6)
    for _ in range(2000):
        cards = chance.sample(PACK_52, 6)
        assert five_cards.plain(cards) == best_of_all(cards), cards


def test_omaha_takes_exactly_two_and_three() -> None:
    """Omaha's strength is the best of the 60 hands of two own and three table cards."""
    chance = random.Random(4)
    for _ in range(1500):
        cards = chance.sample(PACK_52, 9)
        own, board = cards[:4], cards[4:]
        tried = max(
            best_of_all([*two, *three])
            for two in itertools.combinations(own, 2)
            for three in itertools.combinations(board, 3)
        )
        assert five_cards.omaha(own, board) == tried, cards


@pytest.mark.parametrize("order", five_cards.FLUSH_ORDERS)
def test_home_ladder_orders_all_flushes(order: str) -> None:
    """All 5148 flushes and straight flushes are in the order of [poker D6] under either setting."""

    def wanted(hand: Sequence[Card]) -> tuple[object, ...]:
        category, ranks = five_cards.of_five(hand)
        suit = SUITS.index(hand[0][1])
        if category == five_cards.STRAIGHT_FLUSH:
            return (1, ranks, suit)
        return (0, suit, ranks) if order == five_cards.SUIT_FIRST else (0, ranks, suit)

    hands = [[rank + suit for rank in ranks] for suit in SUITS for ranks in itertools.combinations(RANKS, 5)]
    assert len(hands) == 5148
    ordered = sorted(hands, key=wanted)
    strengths = [five_cards.home(hand, order) for hand in ordered]
    assert strengths == sorted(set(strengths))
    assert all(five_cards.home_category(five_cards.home(hand, order)) == five_cards.of_five(hand)[0] for hand in hands)


@pytest.mark.parametrize("order", five_cards.FLUSH_ORDERS)
def test_home_ladder_keeps_all_other_hands_apart_as_the_plain_one(order: str) -> None:
    """Outside flushes the home ladder ranks and ties exactly like the plain one."""
    chance = random.Random(11)
    for _ in range(3000):
        one, other = chance.sample(PACK_52, 5), chance.sample(PACK_52, 5)
        if "flush" in five_cards.of_five(one)[0] + five_cards.of_five(other)[0]:
            continue
        plain = five_cards.plain(one) - five_cards.plain(other)
        home = five_cards.home(one, order) - five_cards.home(other, order)
        assert (plain > 0, plain == 0) == (home > 0, home == 0), (one, other)


@pytest.mark.parametrize("order", five_cards.FLUSH_ORDERS)
def test_home_ladder_finds_the_best_five_of_seven(order: str) -> None:
    """For seven cards the home ladder returns the best of all 21 choices, including flushes of any suit."""
    chance = random.Random(13)
    for number in range(600):
        suit = SUITS[number % 4]
        same = [card for card in PACK_52 if card[1] == suit]
        cards = chance.sample(same, 5 + number % 3) if number % 2 else chance.sample(PACK_52, 7)
        cards += chance.sample([card for card in PACK_52 if card not in cards], 7 - len(cards))
        tried = max(five_cards.home(five, order) for five in itertools.combinations(cards, 5))
        assert five_cards.home(cards, order) == tried, cards


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("As Kd Qh Jc 9s", "2s 2d 3h 4c 5s"),
        ("Ah 2c 3d 4s 5h", "2h 3c 4d 5s 6h"),
        ("Kh Qc Jd Ts 9h", "Ah Kc Qd Js Th"),
        ("Qs Ks As 2s 3s", "As Ks Qs Js 9s"),
        ("Ks Kd Kh 2c 2d", "As Ad Ah 2c 2d"),
        ("5h 4h 3h 2h Ah", "6c 5c 4c 3c 2c"),
    ],
)
def test_sheet_examples_of_the_ladder(lower: str, higher: str) -> None:
    """The wheel is the lowest straight, there is no wrap-around, groups count before kickers."""
    assert five_cards.plain(parse(lower)) < five_cards.plain(parse(higher))
