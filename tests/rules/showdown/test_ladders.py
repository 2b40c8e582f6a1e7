"""Ladders of san gong and niu niu: all hands counted in two independent ways, and an oracle for the order."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from random import Random

import pytest

from services.rules import cards
from services.rules.ranking import niu_niu, san_gong
from services.rules.ranking.pip_counts import LOW_ACE, Ranked

COURTS = "JQK"
HANDS_OF_THREE = list(combinations(cards.PACK_52, 3))
COPIES_BY_VALUE = {0: 16, **dict.fromkeys(range(1, 10), 4)}
"""Cards of each value in 52: 10 J Q K count 0, A to 9 their number."""


def hands_by_points(size: int) -> Counter[int | None]:
    """Count hands of 52 cards by the last digit of their sum, from the number of cards of each value alone."""
    counted: Counter[int | None] = Counter()
    for values in combinations_with_replacement(COPIES_BY_VALUE, size):
        taken = Counter(values)
        ways = math.prod(math.comb(COPIES_BY_VALUE[value], count) for value, count in taken.items())
        counted[sum(values) % 10] += ways
    return counted


def test_three_card_hands_by_category() -> None:
    """22 100 hands: 4 of 333, 48 of another rank, 208 of mixed courts; points as the values alone give them."""
    assert len(HANDS_OF_THREE) == 22_100
    found = Counter(ranked.category for ranked in map(san_gong.tongbi, HANDS_OF_THREE))
    by_points = hands_by_points(3)
    for rank in LOW_ACE:  # three of a rank, and three courts, are no points
        value = 0 if rank in "TJQK" else int(LOW_ACE.index(rank)) + 1
        by_points[3 * value % 10] -= 4
    by_points[0] -= 208
    high = sum(by_points[points] for points in (7, 8, 9))
    assert found == {
        "zhi_zun": 4,
        "da_san_gong": 48,
        "san_gong": 208,
        "7-9": high,
        "0-6": 22_100 - 4 - 48 - 208 - high,
    }


def test_three_card_hands_by_points() -> None:
    """Each number of points stands for as many hands as its values can be drawn in (three of a rank set apart)."""
    found = Counter(ranked.points for ranked in map(san_gong.home, HANDS_OF_THREE))
    expected = hands_by_points(3)
    expected.update({0: -220, None: 220})
    assert found == expected


def test_online_categories() -> None:
    """大三公 3 ranks × 4, 小三公 10 ranks × 4, 混三公 the other 208 of the 220 court hands."""
    found = Counter(ranked.category for ranked in map(san_gong.online, HANDS_OF_THREE))
    assert (found["da"], found["xiao"], found["hun"]) == (12, 40, 208)
    assert found.total() == 22_100


LADDERS_THAT_NEVER_TIE: list[Callable[[Sequence[str]], Ranked]] = [san_gong.tongbi, san_gong.online]


@pytest.mark.parametrize("ladder", LADDERS_THAT_NEVER_TIE)
def test_two_hands_at_one_table_are_never_equal(ladder: Callable[[Sequence[str]], Ranked]) -> None:
    """Hands with the same key all share a card, so that two of them cannot be dealt from one pack."""
    groups: dict[tuple[int, ...], list[set[str]]] = {}
    for hand in HANDS_OF_THREE:
        groups.setdefault(ladder(hand).key, []).append(set(hand))
    for hands in groups.values():
        # Of three of a rank two hands always meet, though no card is in all four of them.
        assert set.intersection(*hands) or all(one & other for one, other in combinations(hands, 2))


# -- the order, once more, straight from the sheet's sentences


def sheet_tongbi(one: Sequence[str], other: Sequence[str]) -> int:
    """Compare by the sentences of tongbi_san_gong, "Ranking"; positive if ``one`` is better."""
    return first_difference(tongbi_steps(one), tongbi_steps(other))


def tongbi_steps(hand: Sequence[str]) -> Iterator[int]:
    """Return what is compared, step by step, each greater for the better hand."""
    ranks = sorted(LOW_ACE.index(card[0]) for card in hand)
    by_top = sorted(hand, key=lambda card: ("A23456789TJQK".index(card[0]), "dchs".index(card[1])))
    courts = [card for card in by_top if card[0] in COURTS]
    others = [card for card in by_top if card[0] not in COURTS]
    if ranks[0] == ranks[2]:
        yield 20 if hand[0][0] == "3" else 19
        yield ranks[0]
        return
    if len(courts) == 3:
        yield 18
        yield ranks[2]
        yield "dchs".index(by_top[2][1])
        return
    yield sum(min(LOW_ACE.index(card[0]) + 1, 10) % 10 for card in hand) % 10
    yield len(courts)
    yield LOW_ACE.index(courts[-1][0]) if courts else 0
    yield LOW_ACE.index(others[-1][0])
    yield "dchs".index((courts or others)[-1][1])


def sheet_online(one: Sequence[str], other: Sequence[str]) -> int:
    """Compare by the sentences of san_gong, ``ranking: online``."""
    return first_difference(online_steps(one), online_steps(other))


def online_steps(hand: Sequence[str]) -> Iterator[int]:
    """Return what is compared, step by step."""
    ranks = sorted(LOW_ACE.index(card[0]) for card in hand)
    courts = sum(card[0] in COURTS for card in hand)
    if ranks[0] == ranks[2]:
        yield 20 if courts else 19
    elif courts == 3:
        yield 18
    else:
        yield sum((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)[rank + 1] for rank in ranks) % 10
        yield courts
    yield ranks[2]
    yield max("dchs".index(card[1]) for card in hand if LOW_ACE.index(card[0]) == ranks[2])


def first_difference(one: Iterator[int], other: Iterator[int]) -> int:
    """Return the first step in which two hands differ, 0 if there is none."""
    return next((a - b for a, b in zip(one, other, strict=False) if a != b), 0)


@pytest.mark.parametrize(
    ("ladder", "sheet"),
    [
        (san_gong.tongbi, sheet_tongbi),
        (san_gong.online, sheet_online),
    ],
    ids=["tongbi", "online"],
)
def test_order_of_hands_is_the_sheets(
    ladder: Callable[[Sequence[str]], Ranked], sheet: Callable[[Sequence[str], Sequence[str]], int]
) -> None:
    """30 000 deals of two hands are decided as the sheet's sentences decide them, and never tie."""
    rng = Random(20261129)
    for _ in range(30_000):
        dealt = rng.sample(cards.PACK_52, 6)
        one, other = ladder(dealt[:3]).key, ladder(dealt[3:]).key
        decided = sheet(dealt[:3], dealt[3:])
        assert decided != 0
        assert (one > other) == (decided > 0), dealt


def test_live_ties_and_court_cards() -> None:
    """San_gong_live: 三公 tie, equal points are decided by the number of courts, or tie with ``tie_rule: points``."""
    two, one, none = cards.parse("Kd Qd 9s"), cards.parse("Ks 5s 4s"), cards.parse("Td 6d 3d")
    assert san_gong.live(two, count_courts=True).key > san_gong.live(one, count_courts=True).key
    assert san_gong.live(one, count_courts=True).key > san_gong.live(none, count_courts=True).key
    assert san_gong.live(two, count_courts=False).key == san_gong.live(none, count_courts=False).key
    three_kings, mixed = cards.parse("Ks Kh Kd"), cards.parse("Jc Qc Kc")
    assert san_gong.live(three_kings, count_courts=True).key == san_gong.live(mixed, count_courts=True).key
    assert san_gong.live(mixed, count_courts=True).key > san_gong.live(two, count_courts=True).key


# -- niu niu: suits make no difference to the category, so that hands are counted by their ranks

RANKS_54 = {**dict.fromkeys(LOW_ACE, 4), "X": 2}


def niu_hands(copies: dict[str, int]) -> Iterator[tuple[tuple[str, ...], int]]:
    """Return every set of five ranks that a pack allows, as one hand of cards, and how many hands it stands for."""
    for ranks in combinations_with_replacement(copies, 5):
        taken = Counter(ranks)
        ways = math.prod(math.comb(copies[rank], count) for rank, count in taken.items())
        if ways:
            hand = tuple(
                card
                for rank, count in taken.items()
                for card in (cards.JOKERS[:count] if rank == "X" else [rank + suit for suit in "shdc"[:count]])
            )
            yield hand, ways


def by_values(copies: dict[int, int]) -> Counter[int | None]:
    """Count five-card hands without jokers by niu, from values alone and by the sentence of the sheet.

    Some three make a multiple of ten: the niu is the last digit of the other two, 0 for 牛牛.
    """
    found: Counter[int | None] = Counter()
    for values in combinations_with_replacement(copies, 5):
        ways = math.prod(math.comb(copies[value], count) for value, count in Counter(values).items())
        niu = {
            (sum(values) - sum(values[at] for at in three)) % 10
            for three in combinations(range(5), 3)
            if sum(values[at] for at in three) % 10 == 0
        }
        assert len(niu) <= 1, f"{values} could be read in two ways"
        found[next(iter(niu), None)] += ways
    return found


COPIES_10 = {**dict.fromkeys(range(1, 10), 4), 10: 16}


def test_five_card_hands_of_52_by_category() -> None:
    """2 598 960 hands: five courts C(12,5), four courts and a ten C(12,4) × 4, the rest as the values give them."""
    found: Counter[str] = Counter()
    for hand, ways in niu_hands(dict.fromkeys(LOW_ACE, 4)):
        found[niu_niu.tongbi(hand).category] += ways
    expected = by_values(COPIES_10)
    assert found.total() == expected.total() == 2_598_960
    assert found == {
        "five_court": 792,
        "four_court": 1980,
        "niu_niu": expected[0] - 792 - 1980,
        "niu_7-9": sum(expected[niu] for niu in (7, 8, 9)),
        "niu_1-6": sum(expected[niu] for niu in range(1, 7)),
        "none": expected[None],
    }


def test_five_card_hands_against_a_banker_by_category() -> None:
    """終極妞妞 is C(16,5) = 4368; 大點 is 8 and 9, 小點 1 to 7."""
    found: Counter[str] = Counter()
    for hand, ways in niu_hands(dict.fromkeys(LOW_ACE, 4)):
        found[niu_niu.home(hand).category] += ways
    expected = by_values(COPIES_10)
    assert found == {
        "ultimate": 4368,
        "niu_niu": expected[0] - 4368,
        "big": expected[8] + expected[9],
        "small": sum(expected[niu] for niu in range(1, 8)),
        "none": expected[None],
    }


def literal_joker_category(hand: Sequence[str]) -> str:
    """Rank a hand with jokers by trying every value for them, as in D2; else they count ten."""
    courts = sum(card[0] in COURTS for card in hand)
    if courts == 4 and any(card[0] in "TX" for card in hand):
        return "four_court"
    plain = [min(LOW_ACE.index(card[0]) + 1, 10) for card in hand if card[0] != "X"]
    for given in product(range(1, 11), repeat=5 - len(plain)):
        values = [*plain, *given]
        if any(sum(three) % 10 == 0 for three in combinations(values, 3)) and sum(values) % 10 == 0:
            return "niu_niu"
    values = [*plain, *[10] * (5 - len(plain))]
    if not any(sum(three) % 10 == 0 for three in combinations(values, 3)):
        return "none"
    return "niu_7-9" if sum(values) % 10 >= 7 else "niu_1-6"


def test_hands_with_jokers_are_judged_as_by_trying_all_values() -> None:
    """Of C(54,5) = 3 162 510 hands those with jokers are 牛牛 or 無牛 (or 四花牛), with two jokers never 無牛."""
    total = 0
    for hand, ways in niu_hands(RANKS_54):
        total += ways
        jokers = sum(card in cards.JOKERS for card in hand)
        if jokers:
            category = niu_niu.tongbi(hand).category
            assert category == literal_joker_category(hand), hand
            assert category in {"four_court", "niu_niu"} or (category == "none" and jokers == 1)
    assert total == 3_162_510


def test_niu_niu_hands_at_one_table_are_never_equal() -> None:
    """The highest single card and its suit decide within a category, so that equal keys would share that card."""
    rng = Random(7)
    for _ in range(20_000):
        dealt = rng.sample(cards.PACK_54, 10)
        one, other = niu_niu.tongbi(dealt[:5]), niu_niu.tongbi(dealt[5:])
        assert one.key != other.key
        if one.category == other.category and one.points == other.points:
            order = [*("A23456789TJQK"), "Xb", "Xr"]
            tops = [
                max((order.index(card if card[0] == "X" else card[0]), "dchs".find(card[1])) for card in hand)
                for hand in (dealt[:5], dealt[5:])
            ]
            assert (one.key > other.key) == (tops[0] > tops[1]), dealt


def test_home_suits_decide_niu_niu_against_a_banker() -> None:
    """The banker game follows s h d c, the online game s h c d."""
    diamond, club = cards.parse("Kd 2s 3d 4s 9c"), cards.parse("Kc 2h 3h 4h 9h")
    assert niu_niu.home(diamond).key > niu_niu.home(club).key
    assert niu_niu.tongbi(diamond).key < niu_niu.tongbi(club).key
