"""Fight the Landlord beside RLCard.

RLCard's rules are ours but for the single wings of planes [dou_dizhu D4]: there wings may repeat, except four of a
kind and a triple that would lengthen the plane. By default ours differ from each other, with ``equal_wings`` any
wings go.
"""

import random
import statistics
import time
from typing import Any

from services.rules import actions, cards
from services.rules.cards import Card
from services.rules.climbing.dou_dizhu import GAME, DouDizhuRules
from services.rules.game import Table
from services.rules.offers import Sets
from services.rules.ranking import dou_dizhu
from services.rules.ranking import dou_dizhu_plays as plays
from services.rules.ranking.dou_dizhu import EQUAL_WINGS, SHAPES
from tests.support.rlcard_games import judger, utils
from tests.support.seeded import Seeded

LETTERS = dou_dizhu.LADDER + "BR"


def text(some: tuple[Card, ...] | list[Card]) -> str:
    """Write ranks as RLCard does, in order."""
    return "".join(LETTERS[place] for place in sorted(map(dou_dizhu.place, some)))


def theirs(hand: list[Card]) -> set[str]:
    """List what RLCard lets a hand lead."""
    return set(judger.DoudizhuJudger.playable_cards_from_hand(text(hand)))


def kinds(play: str) -> set[str]:
    """Return the types as which RLCard reads a play."""
    return {kind for kind, _ in utils.CARD_TYPE[0][play]}


def wings_repeat(play: str) -> bool:
    """Return whether RLCard reads the play as a plane with small wings and as nothing else that we know."""
    return all(kind.startswith("trio_solo_chain") for kind in kinds(play))


def hands(count: int, size: int, seed: int) -> list[list[Card]]:
    """Deal hands; half of them from few ranks, so that planes and bombs are in them."""
    chance = random.Random(seed)
    rich = [card for card in cards.PACK_54 if dou_dizhu.place(card) in range(3, 9) or card in cards.JOKERS]
    return [chance.sample(rich if number % 2 else cards.PACK_54, size) for number in range(count)]


def test_leads_agree_but_for_equal_wings() -> None:
    """What both lead is the same; RLCard leads besides only planes whose small wings repeat [dou_dizhu D4]."""
    seen = 0
    for hand in hands(120, 20, 1):
        ours = {text(play) for play in plays.legal(hand, None, SHAPES)}
        more = theirs(hand) - ours
        assert ours <= theirs(hand)
        assert all(wings_repeat(play) for play in more)
        seen += len(more)
    assert seen > 100


def test_leads_with_equal_wings_hold_all_of_theirs() -> None:
    """With equal wings we lead all that RLCard leads, and besides only wings of four, or that lengthen the plane."""
    for hand in hands(60, 20, 2):
        ours = {text(play): play for play in plays.legal(hand, None, EQUAL_WINGS)}
        assert theirs(hand) <= set(ours)
        for more in set(ours) - theirs(hand):
            (reading, *_) = dou_dizhu.readings(ours[more], EQUAL_WINGS)
            assert reading.kind == "plane_small"
            assert any(more.count(letter) >= 3 for letter in more)


def test_answers_agree_but_for_equal_wings() -> None:
    """Both give the same answers to every play that both know, except planes with repeated wings."""
    chance = random.Random(3)

    class Player:
        """What RLCard looks at: a hand, and the cards last played."""

        current_hand: list[Any]
        played_cards: str

    compared = 0
    for hand, other in zip(hands(40, 20, 4), hands(40, 17, 5), strict=True):
        for last in chance.sample(plays.legal(hand, None, SHAPES), 6):
            me, greater = Player(), Player()
            me.current_hand = [_card(letter) for letter in text(other)]
            greater.played_cards = text(last)
            answers = set(utils.get_gt_cards(me, greater)) - {"pass"}
            to_beat = dou_dizhu.read(last, None, SHAPES)
            assert to_beat is not None
            ours = {text(play) for play in plays.legal(other, to_beat, SHAPES)}
            assert ours <= answers
            assert all(wings_repeat(play) for play in answers - ours)
            compared += len(ours)
    assert compared > 200


def test_random_rounds_agree_with_their_game() -> None:
    """In random rounds RLCard's own judge lets every seat do what our options list, and nothing more but D4."""
    decisions = 0
    for seed in range(12):
        chance = Seeded(seed, ("card",))
        round_, _ = GAME.start(DouDizhuRules(), Table(chips=dict.fromkeys(range(3), 100)), chance)
        round_.act(round_.turn, actions.Bid(3), chance)
        while round_.outcome is None:
            seat = round_.turn
            sets = {
                text(some): some
                for option in round_.options(seat)
                if "cards" in option.arguments
                for some in _sets(option.arguments["cards"])
            }
            held = theirs(round_.hands[seat])
            if round_.to_beat is not None:
                held = {play for play in held if _beats(play, text(round_.to_beat.cards))}
            assert set(sets) <= held
            assert all(wings_repeat(play) for play in held - set(sets))
            decisions += 1
            choice = chance.random.choice([*sorted(sets), *([""] if round_.to_beat else [])])
            round_.act(seat, actions.Play(sets[choice]) if choice else actions.Pass(), chance)
    assert decisions > 300


def test_listing_takes_as_long_as_theirs() -> None:
    """On the same 20-card hands our median is of the same order as RLCard's, which lists ranks without cards."""
    ours, other = [], []
    for hand in hands(100, 20, 6):
        start = time.perf_counter()
        plays.legal(hand, None, SHAPES)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        theirs(hand)
        other.append(time.perf_counter() - start)
    assert statistics.median(ours) < 4 * statistics.median(other)


def _sets(choice: object) -> tuple[tuple[Card, ...], ...]:
    assert isinstance(choice, Sets)
    return choice.sets


def _card(letter: str) -> Any:
    """Make what RLCard takes for a card: a joker has its letters as suit and no rank."""

    class Letter:
        """A card of a rank."""

        rank = "" if letter in "BR" else letter
        suit = letter + "J" if letter in "BR" else "S"

    return Letter()


def _beats(play: str, last: str) -> bool:
    """Judge by RLCard's own tables of types and weights."""
    weights = dict(utils.CARD_TYPE[0][play])
    known = dict(utils.CARD_TYPE[0][last])
    if "rocket" in weights or "rocket" in known:
        return "rocket" in weights
    if "bomb" in weights and "bomb" not in known:
        return True
    return any(kind in known and int(weights[kind]) > int(known[kind]) for kind in weights)
