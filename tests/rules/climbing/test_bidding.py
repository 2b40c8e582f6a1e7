"""How the landlord is found: every course that the bidding can take."""

from collections.abc import Iterator

import msgspec
import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions
from services.rules.climbing.dou_dizhu import GAME, DouDizhuRound, DouDizhuRules
from services.rules.game import Table
from services.rules.offers import OneOf
from services.rules.refusals import Reason, Refused

WORDS = {"c": actions.CallLandlord(), "r": actions.Rob(), "p": actions.Pass()}
WORDS |= {str(points): actions.Bid(points) for points in range(4)}
FIRST, SECOND, THIRD = 1, 2, 0


def say(kind: str, words: str) -> DouDizhuRound:
    """Bid word by word; each must be legal. The seat with the first say is ``FIRST``."""
    rules = DouDizhuRules(bidding=kind)
    chance = ScriptedChance(Script())
    round_, _ = GAME.start(rules, Table(chips=dict.fromkeys(range(3), 1000), first_button=THIRD), chance)
    for word in words:
        round_.act(round_.turn, WORDS[word], chance)
        round_ = msgspec.msgpack.decode(msgspec.msgpack.encode(round_), type=DouDizhuRound)
    return round_


def over(round_: DouDizhuRound) -> bool:
    """Return whether the bidding is over."""
    return round_.phase != "bidding"


def courses(kind: str, words: str = "") -> Iterator[str]:
    """Return every course of a bidding, by trying every word at every turn; passes are written as passes only."""
    bid = say(kind, words)
    if over(bid):
        yield words
        return
    for letter, action in WORDS.items():
        try:
            bid.verify(bid.turn, action)
        except Refused:
            continue
        if letter != "0":
            yield from courses(kind, words + letter)


ROBBING = {
    "ppp": (None, 0),
    "ppc": (THIRD, 3),
    "pcp": (SECOND, 3),
    "pcrp": (THIRD, 6),
    "pcrr": (SECOND, 12),
    "cpp": (FIRST, 3),
    "cprp": (THIRD, 6),
    "cprr": (FIRST, 12),
    "crpp": (SECOND, 6),
    "crpr": (FIRST, 12),
    "crrr": (FIRST, 24),
    "crrpr": (SECOND, 24),
    "crrpp": (THIRD, 12),
}
"""D3 by hand: the landlord and the multiplier of every possible course of the bidding."""

POINTS = {
    "ppp": (None, 0),
    "3": (FIRST, 3),
    "p3": (SECOND, 3),
    "pp3": (THIRD, 3),
    "pp1": (THIRD, 1),
    "pp2": (THIRD, 2),
    "p1p": (SECOND, 1),
    "p12": (THIRD, 2),
    "p13": (THIRD, 3),
    "p2p": (SECOND, 2),
    "p23": (THIRD, 3),
    "1pp": (FIRST, 1),
    "1p2": (THIRD, 2),
    "1p3": (THIRD, 3),
    "12p": (SECOND, 2),
    "123": (THIRD, 3),
    "13": (SECOND, 3),
    "2pp": (FIRST, 2),
    "2p3": (THIRD, 3),
    "23": (SECOND, 3),
}


@pytest.mark.parametrize(("kind", "expected"), [("rob", ROBBING), ("points", POINTS)])
def test_every_course_of_the_bidding(kind: str, expected: dict[str, tuple[int | None, int]]) -> None:
    """There are exactly these courses, each with this landlord and multiplier."""
    found = {words: say(kind, words) for words in courses(kind)}
    assert {words: (bid.candidate, bid.multiplier) for words, bid in found.items()} == expected


@pytest.mark.parametrize("kind", ["points", "rob"])
def test_options_are_what_is_accepted(kind: str) -> None:
    """At every turn of every course the options are exactly the words that are not refused."""
    for words in {course[:length] for course in courses(kind) for length in range(len(course))}:
        bid = say(kind, words)
        listed = set()
        for option in bid.options(bid.turn):
            points = option.arguments.get("points")
            values = points.values if isinstance(points, OneOf) else (None,)
            listed |= {(option.action, value) for value in values}
        accepted = set()
        for action in (*WORDS.values(), actions.Bid(4), actions.Bid(-1), actions.Rob("3s"), actions.Bid(3, "s")):
            try:
                bid.verify(bid.turn, action)
            except Refused:
                continue
            accepted.add((action.name, action.points if isinstance(action, actions.Bid) else None))
        assert listed == accepted


@pytest.mark.parametrize(
    ("words", "action", "reason"),
    [
        ("2", actions.Bid(2), Reason.AMOUNT_OUT_OF_RANGE),
        ("2", actions.Bid(1), Reason.AMOUNT_OUT_OF_RANGE),
        ("", actions.Bid(4), Reason.AMOUNT_OUT_OF_RANGE),
        ("", actions.Bid(-1), Reason.AMOUNT_OUT_OF_RANGE),
        ("", actions.Bid(1, "s"), Reason.ILLEGAL_ACTION),
        ("", actions.CallLandlord(), Reason.ILLEGAL_ACTION),
        ("", actions.Rob(), Reason.ILLEGAL_ACTION),
        ("", actions.Play(("3s",)), Reason.ILLEGAL_ACTION),
    ],
)
def test_refusals_when_bidding_points(words: str, action: actions.Action, reason: str) -> None:
    """Bids that are not higher are out of range, words of the other bidding not possible."""
    bid = say("points", words)
    with pytest.raises(Refused) as refusal:
        bid.verify(bid.turn, action)
    assert refusal.value.reason == reason


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("", actions.Rob()),
        ("", actions.Bid(1)),
        ("c", actions.CallLandlord()),
        ("c", actions.Rob("3s")),
        ("c", actions.Bid(0)),
    ],
)
def test_refusals_when_robbing(words: str, action: actions.Action) -> None:
    """Nobody robs before a call, nobody calls after one, and points are of the other bidding."""
    bid = say("rob", words)
    with pytest.raises(Refused) as refusal:
        bid.verify(bid.turn, action)
    assert refusal.value.reason == Reason.ILLEGAL_ACTION
