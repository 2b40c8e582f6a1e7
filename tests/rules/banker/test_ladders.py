"""Ladders of 推筒子 and 四支刀: every hand there is, counted by two independent ways."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from services.rules.cards import PACK_52, TILES_40
from services.rules.ranking import four_knives, tui_tong_zi


@pytest.mark.parametrize("white_half", [True, False])
def test_pairs_of_tiles_by_class(white_half: bool) -> None:
    """The 780 pairs of tiles fall into the classes that follow from four tiles of each of ten numbers."""
    found: Counter[tuple[str, Fraction]] = Counter()
    for tiles in combinations(TILES_40, 2):
        ranked = tui_tong_zi.rank(tiles, white_half=white_half)
        found[ranked.category, Fraction(ranked.key[1], 2) if ranked.category == "points" else Fraction(0)] += 1

    expected: Counter[tuple[str, Fraction]] = Counter({("leopard", Fraction(0)): comb(4, 2)})
    expected["pair", Fraction(0)] = 9 * comb(4, 2)
    worth = {number: Fraction(number) for number in range(1, 10)} | {0: Fraction(1, 2) if white_half else Fraction(0)}
    for one in range(10):
        for two in range(one):
            if {one, two} == {2, 8}:
                expected["two_eight", Fraction(0)] += 16
            else:
                expected["points", (worth[one] + worth[two]) % 10] += 16
    assert found == expected
    assert found.total() == comb(40, 2) == 780


def by_the_sheet(tiles: tuple[str, ...]) -> tuple[int, Fraction, int]:
    """Rank two tiles by the sentences of the sheet: 豹子 > pairs > 2 + 8 > points, equal points by the larger tile."""
    numbers = [int(tile[0]) for tile in tiles]
    if numbers == [0, 0]:
        return (4, Fraction(0), 0)
    if numbers[0] == numbers[1]:
        return (3, Fraction(numbers[0]), 0)
    if set(numbers) == {2, 8}:
        return (2, Fraction(0), 0)
    return (1, sum((Fraction(1, 2) if n == 0 else Fraction(n) for n in numbers), Fraction(0)) % 10, max(numbers))


def test_tiles_compare_as_the_sheet_says() -> None:
    """Any two of the 55 kinds of hands are ordered, and tied, as the sheet orders and ties them."""
    kinds = sorted({tuple(sorted(tiles)) for tiles in combinations(TILES_40, 2)})
    assert len(kinds) == 55
    for one, two in combinations(kinds, 2):
        mine, theirs = tui_tong_zi.rank(one).key, tui_tong_zi.rank(two).key
        assert (mine > theirs) == (by_the_sheet(one) > by_the_sheet(two)), (one, two)
        assert mine != theirs, f"{one} and {two} tie, but only the same two tiles may"


def test_piles_of_two_by_class() -> None:
    """Of 1326 piles 78 are pairs and 48 羅梭; the points of the other 1200 follow from the cards of each worth."""
    found = Counter(four_knives.pile(pair) for pair in combinations(PACK_52, 2))
    assert sum(count for key, count in found.items() if key[0] == 2) == 13 * comb(4, 2)
    assert {key: count for key, count in found.items() if key[0] == 1} == {
        (1, 13, 12): 16,
        (1, 13, 11): 16,
        (1, 12, 11): 16,
    }
    worth = {**{Fraction(number): 4 for number in range(1, 10)}, Fraction(0): 4, Fraction(1, 2): 12}
    expected: Counter[tuple[int, ...]] = Counter()
    for (one, many), (two, more) in combinations(worth.items(), 2):
        expected[(0, int(2 * ((one + two) % 10)))] += many * more
    assert {key: count for key, count in found.items() if key[0] == 0} == expected
    assert found.total() == comb(52, 2)


def test_pairs_rank_from_kings_down_to_aces() -> None:
    """KK > QQ > JJ > TT > … > 22 > AA, all above 羅梭, and KQ > KJ > QJ above all points [four_knives D3, D4]."""
    pairs = [four_knives.pile([rank + "s", rank + "h"]) for rank in "KQJT98765432A"]
    courts = [four_knives.pile(two) for two in (["Ks", "Qh"], ["Kd", "Jd"], ["Qs", "Jc"])]
    best_points = four_knives.pile(["9s", "Kh"])
    ladder = [*pairs, *courts, best_points]
    assert ladder == sorted(ladder, reverse=True)
    assert len(set(ladder)) == len(ladder)
    assert four_knives.pile(["Ks", "Th"]) == (0, 1), "a court card and a ten are half a point"


def test_four_of_a_rank_are_one_hand_in_20825() -> None:
    """13 of the 270 725 hands are four knives, kings best and aces lowest [four_knives D6]."""
    ranks = [four_knives.knives([rank + suit for suit in "shdc"]) for rank in "A23456789TJQK"]
    assert ranks == list(range(1, 14))
    assert Fraction(13, comb(52, 4)) == Fraction(1, 20825)
    assert four_knives.knives(["Ks", "Kh", "Kd", "Qc"]) == 0


def test_house_way_is_best_of_the_three() -> None:
    """On hands throughout the pack the house way has the best first pile of the three ways, then the best second."""
    for at, hand in enumerate(combinations(PACK_52, 4)):
        if at % 97:
            continue
        ways = []
        for partner in hand[1:]:
            one = (hand[0], partner)
            two = tuple(card for card in hand if card not in one)
            ways.append(tuple(sorted((four_knives.pile(one), four_knives.pile(two)))))
        low, high = four_knives.house_way(hand)
        assert (four_knives.pile(low), four_knives.pile(high)) == max(ways)
        assert sorted((*low, *high)) == sorted(hand)
