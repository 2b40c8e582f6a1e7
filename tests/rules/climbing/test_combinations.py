"""Combinations of Fight the Landlord: every legal one is recognised and no other."""

import itertools
import random
from collections import Counter

import pytest

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking import dou_dizhu
from services.rules.ranking import dou_dizhu_plays as plays
from services.rules.ranking.combination import Combination
from services.rules.ranking.dou_dizhu import EQUAL_WINGS, SHAPES
from tests.rules.climbing import by_the_sheet

HOUSE_RULES = [pytest.param(False, id="default"), pytest.param(True, id="equal_wings")]


def dealt(ranks: by_the_sheet.Ranks) -> list[Card]:
    """Make cards of these ranks, suits by turns."""
    names = [*dou_dizhu.LADDER, *cards.JOKERS]
    seen: Counter[int] = Counter()
    made = []
    for rank in ranks:
        made.append(names[rank] if rank in by_the_sheet.JOKERS else names[rank] + "cdhs"[seen[rank]])
        seen[rank] += 1
    return made


def ranks_of(some: tuple[Card, ...]) -> by_the_sheet.Ranks:
    """Return the sorted ranks of a play."""
    return tuple(sorted(dou_dizhu.place(card) for card in some))


def test_listing_the_whole_pack_gives_the_figures_of_the_sheet() -> None:
    """A hand of all 54 cards has as many plays of each type and size as the sheet: 12810."""
    found = plays.legal(cards.PACK_54, None, SHAPES)
    counts: dict[str, dict[int, int]] = {}
    for play in found:
        reading = dou_dizhu.read(play, None, SHAPES)
        assert reading is not None
        by_size = counts.setdefault(reading.kind, {})
        by_size[reading.size] = by_size.get(reading.size, 0) + 1
    assert counts == by_the_sheet.FIGURES
    assert len(found) == len({ranks_of(play) for play in found}) == 12810


def test_writing_the_table_out_gives_the_same_combinations() -> None:
    """The table written out type by type, without the house's code, gives the same sets, and no set under two types."""
    sheet = by_the_sheet.combinations()
    counts: dict[str, dict[int, int]] = {}
    for (kind, size), some in sheet.items():
        counts.setdefault(kind, {})[size] = len(some)
    assert counts == by_the_sheet.FIGURES
    assert sum(map(len, sheet.values())) == len(set().union(*sheet.values())) == 12810
    assert {ranks_of(play) for play in plays.legal(cards.PACK_54, None, SHAPES)} == set().union(*sheet.values())


def test_formulas_of_the_sheet() -> None:
    """The number of planes with wings is that of the sheet's formulas."""
    small = {4 * length: by_the_sheet.plane_small(length) for length in range(2, 6)}
    large = {5 * length: by_the_sheet.plane_large(length) for length in range(2, 5)}
    assert (small, large) == (by_the_sheet.FIGURES["plane_small"], by_the_sheet.FIGURES["plane_large"])


def test_equal_wings_widen_only_the_planes_with_small_wings() -> None:
    """With equal wings there are 28502 combinations, 22862 of them planes with small wings, by both ways."""
    sheet = by_the_sheet.combinations(equal_wings=True)
    small = {size: some for (kind, size), some in sheet.items() if kind == "plane_small"}
    assert {size: len(some) for size, some in small.items()} == by_the_sheet.EQUAL_WINGS_SMALL
    listed = {ranks_of(play) for play in plays.legal(cards.PACK_54, None, EQUAL_WINGS)}
    assert listed == set().union(*sheet.values())
    assert len(listed) == 28502
    readings = Counter(
        one.size
        for ranks in listed
        for one in dou_dizhu.readings(dealt(ranks), EQUAL_WINGS)
        if one.kind == "plane_small"
    )
    assert readings == by_the_sheet.EQUAL_WINGS_READINGS


def test_figures_beside_the_published_ones() -> None:
    """Counted by RLCard's rules for wings, the sets are as many as RLCard publishes: 27472 with the pass."""
    sheet = by_the_sheet.combinations(equal_wings=True)
    theirs: dict[int, set[by_the_sheet.Ranks]] = {}
    for length in range(2, 6):
        for run in by_the_sheet.runs(length):
            for wings in by_the_sheet.kickers(run, length, repeat=True):
                beside = {run.start - 1, run.stop} & set(by_the_sheet.IN_RUNS)
                longer = any(wings.count(rank) == 3 for rank in beside)
                if not longer and max(wings.count(rank) for rank in wings) < 4:
                    theirs.setdefault(4 * length, set()).add(tuple(sorted((*tuple(run) * 3, *wings))))
    assert {size: len(some) for size, some in theirs.items()} == by_the_sheet.RLCARD_SMALL
    others = sum(len(some) for (kind, _), some in sheet.items() if kind != "plane_small")
    assert others + sum(map(len, theirs.values())) + 1 == by_the_sheet.RLCARD_ALL_WITH_PASS


@pytest.mark.parametrize("equal_wings", HOUSE_RULES)
def test_up_to_seven_cards_nothing_else_is_a_combination(*, equal_wings: bool) -> None:
    """Of all sets of one to seven cards that differ in ranks exactly the table's are recognised, each as its type."""
    shapes = EQUAL_WINGS if equal_wings else SHAPES
    sheet = by_the_sheet.combinations(equal_wings=equal_wings)
    kinds = {ranks: kind for (kind, _), some in sheet.items() for ranks in some}
    tried = 0
    for size in range(1, 8):
        for ranks in itertools.combinations_with_replacement(by_the_sheet.ALL, size):
            if any(ranks.count(rank) > (1 if rank in by_the_sheet.JOKERS else 4) for rank in set(ranks)):
                continue
            tried += 1
            read = [one.kind for one in dou_dizhu.readings(dealt(ranks), shapes)]
            assert read == ([kinds[ranks]] if ranks in kinds else [])
    assert tried > 100_000


@pytest.mark.parametrize("equal_wings", HOUSE_RULES)
def test_one_card_beside_a_combination_is_judged_by_the_table(*, equal_wings: bool) -> None:
    """Every combination with one card exchanged, added or left out is recognised exactly if the table holds it."""
    shapes = EQUAL_WINGS if equal_wings else SHAPES
    sheet = by_the_sheet.combinations(equal_wings=equal_wings)
    known = set().union(*sheet.values())
    chance = random.Random(20)
    wrong = 0
    for ranks in sorted(known):
        near = list(ranks)
        change = chance.randrange(3)
        if change != 1:
            near.remove(chance.choice(near))
        if change != 0:
            near.append(chance.randrange(15))
        changed = tuple(sorted(near))
        if any(changed.count(rank) > (1 if rank in by_the_sheet.JOKERS else 4) for rank in set(changed)):
            continue
        wrong += changed not in known
        assert bool(dou_dizhu.readings(dealt(changed), shapes)) == (changed in known), changed
    assert wrong > 1000


def test_order_and_suits_do_not_matter() -> None:
    """A combination reads the same in any order and with any suits."""
    reading = dou_dizhu.read(cards.parse("3s 3h 3d 4s 4h 4d 5s Xr"), None, SHAPES)
    assert reading == Combination("plane_small", 8, 0)
    assert dou_dizhu.read(cards.parse("Xr 4c 3c 5h 4d 3d 4h 3h"), None, SHAPES) == reading


@pytest.mark.parametrize(
    ("some", "kind"),
    [
        ("2s 2h 2d", "triple"),
        ("2s 2h 2d Xr", "triple_single"),
        ("Ks Kh Kd As Ah Ad 2s 2h", None),
        ("Ks Kh Kd As Ah Ad 2s 3h", "plane_small"),
        ("As Ah Ad 2s 2h 2d", None),
        ("Ts Js Qs Ks As 2s", None),
        ("Qs Ks As 2s 3s", None),
        ("Qs Qh Ks Kh As Ah", "pairs"),
        ("Ks Kh As Ah 2s 2h", None),
        ("Xr Xb", "rocket"),
        ("3s 3h 3d Xr Xb", None),
        ("3s 3h 3d 3c Xr Xb", None),
        ("3s 3h 3d 3c Xr 4s", "four_two"),
        ("3s 3h 3d 3c 4s 4h", "four_two"),
        ("3s 3h 3d 3c 4s 4h 4d 4c", None),
        ("3s 3h 3d 3c 4s 4h 4d 5c", None),
        ("3s 3h 3d 3c 4s 4h 5s 5h", "four_pairs"),
        ("3s 3h 3d 3c 4s", None),
        ("4s 4h 4d 4c 5s 5h 5d 5c 3s 6h", None),
        ("4s 4h 4d 4c 5s 5h 5d 5c 6s 6h 6d 6c", None),
        ("3s 3h 3d 4s 4h 4d 4c 5s", None),
        ("3s 3h 3d 4s 4h 4d 5s 5h", None),
        ("3s 3h 3d 4s 4h 4d 5s 6h", "plane_small"),
        ("3s 3h 3d 4s 4h 4d 5s 5h 6s 6h", "plane_large"),
        ("3s 3h 3d 4s 4h 4d 5s 5h 5d 5c", None),
        ("3s 3h 3d 5s 5h 5d", None),
        ("3s 4s 5s 6s", None),
        ("3s 3h 4s 4h", None),
        ("", None),
    ],
)
def test_single_decisions_of_the_sheet(some: str, kind: str | None) -> None:
    """Runs stop at the ace, wings keep to the sheet's bounds, a shuttle of fours is no type [dou_dizhu D4 to D7]."""
    reading = dou_dizhu.read(cards.parse(some), None, SHAPES)
    assert (reading and reading.kind) == kind


def test_two_readings_leading_and_following() -> None:
    """With equal wings a play is read as the type to be beaten, leading as the longest plane, else as the highest."""
    four = cards.parse("3s3h3d 4s4h4d 5s5h5d 6s6h6d")
    assert dou_dizhu.read(four, None, EQUAL_WINGS) == Combination("plane", 12, 0)
    small = Combination("plane_small", 12, 0)
    assert dou_dizhu.read(four, small, EQUAL_WINGS) == Combination("plane_small", 12, 1)
    assert dou_dizhu.read(four, Combination("single", 1, 0), EQUAL_WINGS) == Combination("plane", 12, 0)
    both = cards.parse("3s3h3d 4s4h4d 5s5h5d 6s6h6d 7s7h7d 8s")
    assert dou_dizhu.read(both, None, EQUAL_WINGS) == Combination("plane_small", 16, 1)
    assert dou_dizhu.read(both, None, SHAPES) is None


def test_what_beats_what() -> None:
    """Rocket over bomb over all else; otherwise the same type and size with a higher key; equal never beats."""
    order = [
        Combination("four_two", 6, 12),
        Combination("bomb", 4, 0),
        Combination("bomb", 4, 12),
        dou_dizhu.THE_ROCKET,
    ]
    for low, high in itertools.combinations(order, 2):
        assert dou_dizhu.beats(high, low)
        assert not dou_dizhu.beats(low, high)
    assert not any(dou_dizhu.beats(same, same) for same in order)
    assert not dou_dizhu.beats(Combination("straight", 6, 5), Combination("straight", 5, 0))
    assert not dou_dizhu.beats(Combination("triple_pair", 5, 5), Combination("straight", 5, 0))
    assert dou_dizhu.beats(Combination("straight", 5, 1), Combination("straight", 5, 0))
    assert dou_dizhu.beats(Combination("single", 1, 14), Combination("single", 1, 13))
