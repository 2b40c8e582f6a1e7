"""The list of legal plays: complete, without repetition, with the lowest suits, and quick."""

import itertools
import random
import statistics
import time
from collections.abc import Iterator

import pytest

from services.rules import cards
from services.rules.cards import Card
from services.rules.ranking import dou_dizhu
from services.rules.ranking import dou_dizhu_plays as plays
from services.rules.ranking.combination import Combination
from services.rules.ranking.dou_dizhu import EQUAL_WINGS, SHAPES, Shapes

BOTH = [pytest.param(SHAPES, id="default"), pytest.param(EQUAL_WINGS, id="equal_wings")]


def subsets(hand: list[Card]) -> Iterator[tuple[Card, ...]]:
    """Return every set of cards of a hand that differs in ranks, with the lowest suits, but for the empty one."""
    held = [sorted(same, key=dou_dizhu.sort_key) for _, same in itertools.groupby(hand, key=dou_dizhu.place)]
    for counts in itertools.product(*(range(len(same) + 1) for same in held)):
        some = tuple(card for same, count in zip(held, counts, strict=True) for card in same[:count])
        if some:
            yield some


@pytest.mark.parametrize("shapes", BOTH)
def test_all_subsets_of_a_hand_agree_with_the_list(shapes: Shapes) -> None:
    """Of all sets of cards of a hand exactly those listed are legal, leading and against every play of another."""
    chance = random.Random(7)
    for _ in range(8):
        # Few ranks make triples and fours, and so planes and bombs, likely.
        ranks = sorted(chance.sample(range(12), 5)) if chance.random() < 0.5 else range(6)
        pool = [card for card in cards.PACK_54 if dou_dizhu.place(card) in ranks or card in cards.JOKERS]
        hand = sorted(chance.sample(pool, 14), key=dou_dizhu.place)
        sets = list(subsets(hand))
        leading = {frozenset(some) for some in sets if dou_dizhu.read(some, None, shapes)}
        listed = plays.legal(hand, None, shapes)
        assert len(listed) == len(leading)
        assert {frozenset(play) for play in listed} == leading
        other = plays.legal(chance.sample(cards.PACK_54, 20), None, shapes)
        for last in chance.sample(other, min(8, len(other))):
            to_beat = dou_dizhu.read(last, None, shapes)
            assert to_beat is not None
            beating = {
                frozenset(some)
                for some in sets
                if (reading := dou_dizhu.read(some, to_beat, shapes)) and dou_dizhu.beats(reading, to_beat)
            }
            answers = plays.legal(hand, to_beat, shapes)
            assert len(answers) == len(beating)
            assert {frozenset(play) for play in answers} == beating


def test_lowest_suits_stand_for_all() -> None:
    """A play is listed once, with the lowest suits that are held: clubs, diamonds, hearts, spades."""
    listed = plays.legal(cards.parse("3s 3h 3d 4s 4c"), None, SHAPES)
    assert set(map(frozenset, listed)) == {
        frozenset(cards.parse(text))
        for text in ("3d", "4c", "3d 3h", "4c 4s", "3d 3h 3s", "3d 3h 3s 4c", "3d 3h 3s 4c 4s")
    }


def test_plane_of_four_is_listed_once_with_equal_wings() -> None:
    """A set of cards with several readings is one play, leading and following."""
    hand = cards.parse("3s3h3d 4s4h4d 5s5h5d 6s6h6d")
    whole = [play for play in plays.legal(hand, None, EQUAL_WINGS) if len(play) == 12]
    small = Combination("plane_small", 12, 0)
    assert len(whole) == 1
    assert [len(play) for play in plays.legal(hand, small, EQUAL_WINGS)] == [12]


@pytest.mark.parametrize("shapes", BOTH)
def test_listing_is_quick(shapes: Shapes) -> None:
    """The plays of a 20-card hand are listed within 5 ms in the median; here it is far less."""
    chance = random.Random(157)
    taken = []
    for _ in range(200):
        hand = chance.sample(cards.PACK_54, 20)
        start = time.perf_counter()
        plays.legal(hand, None, shapes)
        taken.append(time.perf_counter() - start)
    assert statistics.median(taken) < 0.005
