"""Stacks and piles where they run short: situations that a whole deck seldom reaches."""

import pytest

from services.fairness.scripted import Script, ScriptedChance
from services.rules import actions, catalogue
from services.rules.cards import Card, parse
from services.rules.game import Table
from services.rules.happenings import Decided, Noted
from services.rules.phases import BEFORE_ALL
from services.rules.refusals import Reason, Refused
from services.rules.survival import count_off, war
from services.rules.survival.count_off import CountOffRound, CountOffRules
from services.rules.survival.nickname import NicknameRound, NicknameRules
from services.rules.survival.pull_cart import PullCartRound, PullCartRules
from services.rules.survival.war import WarRound, WarRules

CHANCE = ScriptedChance(Script())


def stacks(*texts: str) -> dict[int, list[Card]]:
    """Read one stack a seat."""
    return dict(enumerate(map(parse, texts)))


def fight(rules: WarRules, *texts: str) -> WarRound:
    """Set up a war with these stacks, the button at seat 0, and let the battles begin."""
    held = stacks(*texts)
    round_ = WarRound(at=BEFORE_ALL, carry=dict.fromkeys(held, 100), button=0, rules=rules, stacks=held)
    round_.begin(CHANCE)
    return round_


# -- war


def test_a_tied_seat_without_cards_is_out_of_the_comparison() -> None:
    """Two tie, one of them has no more cards: the other wins without turning [war Play 4, D2]."""
    round_ = fight(WarRules(max_turns=1), "Kh", "5s 6s", "Ks 3s", "2d 4d")
    assert round_.stacks == stacks("", "6s", "3s Kh 5s Ks 2d", "4d")
    assert round_.out == [0]


def test_none_of_the_tied_can_go_on() -> None:
    """Two tie and neither has cards: the one of them that turned first in the battle wins [war Play 4]."""
    round_ = fight(WarRules(max_turns=1), "3h 7h", "Ks", "Kd", "2d 4d")
    assert round_.stacks == stacks("7h", "3h Ks Kd 2d", "", "4d")
    assert round_.out == [2]


def test_three_tie_and_two_can_go_on() -> None:
    """Of three that tie only the two that have cards turn one more; the third's card is won too [war Play 4]."""
    round_ = fight(WarRules(max_turns=1), "Kh", "Ks 4s 9s", "Kd 6d", "2d 4d")
    assert round_.stacks == stacks("", "9s", "Kh Ks Kd 2d 4s 6d", "4d")


def test_seats_go_out_clockwise_from_the_winner() -> None:
    """Seats that run out in the same battle are out in the order in which they sit to the winner's left.

    Source: [war Play 5].
    """
    round_ = fight(WarRules(), "3h", "2s", "Kd", "4d")
    assert round_.out == [3, 0, 1]
    assert round_.outcome is not None
    assert round_.outcome.facts["winner"] == 2


def test_war_by_hand_waits_for_one_flip_at_a_time() -> None:
    """Without auto_flip each seat in turn flips, tied seats again in the same order; a deadline flips.

    Source: [war Play 2, Play 4].
    """
    round_ = fight(WarRules(auto_flip=False), "5h 2h", "Ks 3s 9s", "Kd 6d 8d", "2d 4d")
    for seat in (0, 1, 2, 3, 1):
        waiting = round_.waiting()
        assert waiting is not None
        assert waiting.seats == (seat,)
        round_.act(seat, actions.Flip(), CHANCE)
    happenings = round_.on_timeout(CHANCE)
    assert happenings[0] == Decided(2, actions.Flip())
    assert round_.stacks[2] == parse("8d 5h Ks Kd 2d 3s 6d")
    assert round_.turn == 2


def test_auto_flip_leaves_nothing_to_decide() -> None:
    """With auto_flip the whole round is played at the start and nobody is waited for [war Play 2]."""
    table = Table(chips=dict.fromkeys(range(4), 100))
    round_, happenings = war.GAME.start(WarRules(), table, CHANCE)
    assert round_.outcome is not None
    assert round_.waiting() is None
    fought = [one for one in happenings if isinstance(one, Noted) and one.what == "battle_won"]
    assert len(fought) == round_.outcome.facts["battles"]


# -- pull the cart


def cart(*texts: str, row: str, max_turns: int = 1000, turns: int = 10) -> PullCartRound:
    """Set up a round in its middle, seat 0 on turn."""
    held = stacks(*texts)
    rules = PullCartRules(ante=10, max_turns=max_turns)
    carry = dict.fromkeys(held, 100)
    return PullCartRound(
        at=0, carry=carry, button=len(held) - 1, rules=rules, stacks=held, row=parse(row), turn=0, turns=turns
    )


def test_last_card_without_a_match_is_out_at_once() -> None:
    """A seat whose last card matches nothing is out before the next seat acts [pull_cart Play 5]."""
    round_ = cart("9h", "2s", "3s", row="5s")
    round_.act(0, actions.Flip(), CHANCE)
    assert round_.out == [0]
    assert round_.turn == 1


def test_last_seat_with_cards_wins_the_row() -> None:
    """Of two seats one runs out: the other wins at once and the row is his too [pull_cart Play 5]."""
    round_ = cart("9h", "2s", row="5s 6s")
    round_.act(0, actions.Flip(), CHANCE)
    assert round_.outcome is not None
    assert round_.outcome.facts == {
        "hands": {0: 0, 1: 4},
        "out": [0],
        "line": "",
        "flips": 11,
        "winner": 1,
    }


def test_last_card_with_a_match_is_out_when_the_right_ends() -> None:
    """A last card that matches leaves its seat in until the next card; collecting in time keeps it in.

    Source: [pull_cart Play 5].
    """
    round_ = cart("5h", "2s", "3s", row="5s 6s")
    round_.act(0, actions.Flip(), CHANCE)
    waiting = round_.waiting()
    assert waiting is not None
    assert (waiting.seats, round_.out) == ((0, 1), [])
    happenings = round_.act(1, actions.Flip(), CHANCE)
    assert [one.what for one in happenings if isinstance(one, Noted)] == ["right_lapsed", "out", "out", "winner"]
    assert round_.out == [0, 1]
    assert round_.outcome is not None

    saved = cart("5h", "2s", "3s", row="5s 6s")
    saved.act(0, actions.Flip(), CHANCE)
    saved.act(0, actions.Collect(), CHANCE)
    assert (saved.stacks[0], saved.row, saved.turn, saved.out) == (parse("5s 6s 5h"), [], 0, [])


def test_the_right_ends_before_the_next_card_is_turned() -> None:
    """Where only one seat has cards when a right ends, it wins without turning [pull_cart Play 3, Play 5]."""
    round_ = cart("5h", "2s 7s", row="5s 6s")
    round_.act(0, actions.Flip(), CHANCE)
    round_.on_timeout(CHANCE)
    assert round_.outcome is not None
    assert round_.outcome.facts["flips"] == 11
    assert round_.outcome.facts["hands"] == {0: 0, 1: 5}


def test_after_the_last_card_only_the_right_is_waited_for() -> None:
    """A match with the last permitted card is waited for; when it lapses a seat without cards is out first.

    Source: [pull_cart Play 6].
    """
    round_ = cart("5h", "2s", "3s 4s", row="5s 6s", max_turns=11)
    round_.act(0, actions.Flip(), CHANCE)
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == (0,)
    assert [option.action for option in round_.options(0)] == ["collect"]
    assert round_.options(1) == []
    with pytest.raises(Refused) as refusal:
        round_.verify(1, actions.Flip())
    assert refusal.value.reason == Reason.ILLEGAL_ACTION
    round_.on_timeout(CHANCE)
    assert round_.outcome is not None
    assert round_.outcome.facts["out"] == [0]
    assert round_.outcome.facts["winner"] == 2
    assert round_.outcome.facts["line"] == "5s 6s 5h"


# -- nicknames


def call_round(*texts: str, piles: tuple[str, ...]) -> NicknameRound:
    """Set up an open window."""
    held = stacks(*texts)
    carry = dict.fromkeys(held, 100)
    return NicknameRound(
        at=0, carry=carry, button=0, rules=NicknameRules(ante=10), stacks=held, piles=stacks(*piles), flips=3, clock=3
    )


def test_wrong_call_with_one_card_costs_nothing() -> None:
    """A caller who has only the showing card pays nothing, but his call is used [nickname Play 6]."""
    round_ = call_round("", "2s", "3s", piles=("5s", "6s", "7s"))
    happenings = round_.act(0, actions.CallNickname(1), CHANCE)
    assert happenings == [Noted("wrong_call", 0, {"target": 1, "flip": 3, "cards": 0})]
    assert (round_.stacks, round_.piles) == (stacks("", "2s", "3s"), stacks("5s", "6s", "7s"))
    with pytest.raises(Refused):
        round_.verify(0, actions.CallNickname(2))


def test_wrong_call_turns_the_pile_over_but_for_the_showing_card() -> None:
    """Without face-down cards the caller turns over all but the showing card and pays the first of them.

    Source: [nickname Play 6].
    """
    round_ = call_round("", "2s", "3s", piles=("4s 8s 5s", "6s", "7s"))
    round_.act(0, actions.CallNickname(1), CHANCE)
    assert round_.stacks == stacks("8s", "2s 4s", "3s")
    assert round_.piles == stacks("5s", "6s", "7s")


def test_right_call_takes_the_whole_pile_under_the_stack() -> None:
    """The called seat's pile goes under the stack in its order; without other cards that seat is out at the close."""
    round_ = call_round("2s", "", "3s", piles=("5s", "6s 8s 5h", "7s"))
    round_.act(0, actions.CallNickname(1), CHANCE)
    assert round_.stacks[0] == parse("2s 6s 8s 5h")
    assert round_.out == []
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seats == (2,)
    round_.on_timeout(CHANCE)
    assert round_.out == [1]
    assert round_.options(1) == []
    with pytest.raises(Refused) as refusal:
        round_.verify(1, actions.CallNickname(0))
    assert refusal.value.reason == Reason.ILLEGAL_ACTION


def test_last_seat_left_wins_at_the_close() -> None:
    """When all others are out at the close of the window, the last seat wins before the limit [nickname Play 8]."""
    round_ = call_round("2s", "", "", piles=("5s", "5h", ""))
    round_.out.append(2)
    round_.act(0, actions.CallNickname(1), CHANCE)
    assert round_.outcome is None
    round_.on_timeout(CHANCE)
    assert round_.outcome is not None
    assert round_.outcome.facts["winner"] == 0
    assert round_.outcome.facts["out"] == [2, 1]
    assert round_.outcome.facts["flips"] == 3


def test_nobody_left_to_call_waits_for_time_only() -> None:
    """Where no seat has a call left the window still closes at its deadline, with nobody waited for."""
    round_ = call_round("2s", "3s", "4s", piles=("5s", "6s", "7s"))
    for seat, target in ((0, 1), (1, 2), (2, 0)):
        round_.act(seat, actions.CallNickname(target), CHANCE)
    waiting = round_.waiting()
    assert waiting is not None
    assert (waiting.seats, waiting.clock) == ((), 3)
    round_.on_timeout(CHANCE)
    waiting = round_.waiting()
    assert waiting is not None
    assert (waiting.seats, waiting.clock) == ((0, 1, 2), 4)


# -- counting off


def test_a_match_that_nobody_slaps_lapses() -> None:
    """Counting goes on after a match that nobody slapped; the cards stay on the table [count_off Play 4]."""
    table = Table(chips=dict.fromkeys(range(2), 100))
    deck = parse("2s As")
    round_, _ = count_off.GAME.start(CountOffRules(), table, ScriptedChance(Script(stocks=(tuple(deck),))))
    assert isinstance(round_, CountOffRound)
    assert (round_.table, round_.count, round_.last) == (["As"], 1, 0)
    round_.on_timeout(CHANCE)
    assert (round_.table, round_.count, round_.last) == (["As", "2s"], 2, 1)
    round_.act(0, actions.Slap(2), CHANCE)
    assert round_.stacks[0][-2:] == ["As", "2s"]
    assert (round_.count, round_.last, round_.flips, round_.claimed) == (1, 0, 3, [])


def test_right_slap_may_end_the_round() -> None:
    """A seat whose last card was slapped away is out when the window closes; the last one wins without turning."""
    round_ = CountOffRound(
        at=0,
        carry={0: 100, 1: 100},
        button=0,
        rules=CountOffRules(),
        stacks=stacks("9s", ""),
        table=parse("5s 2s"),
        count=2,
        last=1,
        flips=2,
        clock=2,
    )
    round_.act(0, actions.Slap(), CHANCE)
    assert round_.outcome is not None
    assert round_.outcome.facts["winner"] == 0
    assert round_.outcome.facts["hands"] == {0: 3, 1: 0}
    assert round_.outcome.facts["flips"] == 2


def test_every_game_of_the_family_says_its_phase() -> None:
    """The phase shows turns, windows, and the end of a round."""
    table = Table(chips=dict.fromkeys(range(4), 100))
    for name, phase in (("nickname", "window"), ("pull_cart", "play"), ("war", "ended")):
        played = catalogue.game(name)
        round_, _ = played.start(played.rules_type(), table, CHANCE)
        assert round_.view(None).phase == phase
        assert phase in played.words
