"""Hands that need not be shown: who is asked, for how long, and what nobody learns of a mucked hand [poker 0.17]."""

from random import Random
from typing import Any

import msgspec
import pytest

from services.rules import actions, catalogue
from services.rules.game import Table
from services.rules.happenings import Decided, Happening, Noted, Phase, Shown
from services.rules.poker.engine import PokerRound
from services.rules.refusals import Reason, Refused
from tests.rules.poker.test_random_play import GAMES, copy, with_hidden_cards_swapped
from tests.support.seeded import Seeded

FREE = ("check", "call", "bring_in", "draw", "expose")
"""Actions by which a hand goes on to its showdown with the fewest chips."""


def begun(game_id: str, show: str, *, seed: int, seats: int = 3, **keys: Any) -> tuple[PokerRound, Seeded]:
    """Start a hand of deep stacks."""
    game = catalogue.game(game_id)
    rules = msgspec.convert({"show": show, **keys}, game.rules_type)
    assert game.faults(rules) == []
    chance = Seeded(seed)
    round_, _ = game.start(rules, Table(chips=dict.fromkeys(range(seats), 1000), first_button=0), chance)
    assert isinstance(round_, PokerRound)
    return round_, chance


def played(game_id: str, show: str, *, seed: int) -> tuple[PokerRound, Seeded, list[Happening]]:
    """Play a hand to its showdown without a raise; return what happened at last."""
    round_, chance = begun(game_id, show, seed=seed)
    log: list[Happening] = []
    while (waiting := round_.waiting()) is not None and "muck" not in words(round_, waiting.seats[0]):
        seat = waiting.seats[0]
        name = next(one for one in (*FREE, "bet") if one in words(round_, seat))
        log = round_.act(seat, quiet(round_, seat, name), chance)
    return round_, chance, log


def quiet(round_: PokerRound, seat: int, name: str) -> actions.Action:
    """Return an action with the least that it takes."""
    position = round_.order.index(seat)
    given: dict[str, Any] = {
        "draw": {"discards": ()},
        "expose": {"card": round_.down[position][-1]},
        "bet": {"amount": 10},
    }
    return actions.build(name, given.get(name, {}))


def words(round_: PokerRound, seat: int) -> list[str]:
    """Return the actions that a seat may take."""
    return [option.action for option in round_.options(seat)]


def losing(game_id: str) -> tuple[PokerRound, Seeded, list[Happening]]:
    """Return a hand of three at whose end two seats may muck."""
    for seed in range(20):
        round_, chance, log = played(game_id, "losers", seed=seed)
        if len(round_.to_show) == 2:
            return round_, chance, log
    pytest.fail("no showdown with one winner")


@pytest.mark.parametrize("game_id", GAMES)
def test_losers_are_asked_once_the_winners_are_known(game_id: str) -> None:
    """The winner is shown and every pot named before the question; both losers are asked at once, and no one else."""
    round_, _, log = losing(game_id)
    waiting = round_.waiting()
    assert waiting is not None
    assert len(waiting.seats) == 2
    assert (waiting.seconds, waiting.has_bank) == (5, False)
    assert isinstance(log[-1], Phase)
    assert log[-1].name == round_.view(None).phase == "show_or_muck"
    assert [one.what for one in log if isinstance(one, Noted)] == ["showdown", "pot"]
    [winner] = set(round_.order) - set(waiting.seats)
    assert [one.owner for one in log if isinstance(one, Shown)][-1] == winner
    for seat in waiting.seats:
        assert words(round_, seat) == ["reveal", "muck"]
        with pytest.raises(Refused) as refused:
            round_.verify(seat, actions.Check())
        assert refused.value.reason == Reason.ILLEGAL_ACTION
    with pytest.raises(Refused) as refused:
        round_.verify(winner, actions.Muck())
    assert refused.value.reason == Reason.OUT_OF_TURN


@pytest.mark.parametrize("game_id", GAMES)
def test_by_default_all_hands_of_a_showdown_are_shown_and_nobody_is_asked(game_id: str) -> None:
    """The rule is off by default."""
    assert catalogue.game(game_id).standard_rules().show == "all"  # type: ignore[attr-defined]  # a game of poker
    round_, _, _ = played(game_id, "all", seed=1)
    assert round_.outcome is not None
    assert len(round_.outcome.facts["hands"]) == 3


@pytest.mark.parametrize("game_id", GAMES)
def test_a_mucked_hand_is_hidden_to_the_byte(game_id: str) -> None:
    """One loser shows, one mucks: worlds in which the mucked cards lie elsewhere look alike to everybody else."""
    round_, chance, _ = losing(game_id)
    shows, mucks = (round_.order[position] for position in round_.to_show)
    log = [*round_.act(shows, actions.Reveal(), chance), *round_.act(mucks, actions.Muck(), chance)]
    assert round_.outcome is not None
    assert mucks not in round_.outcome.facts["hands"]
    assert shows in round_.outcome.facts["hands"]
    hidden = set(round_.down[round_.order.index(mucks)])
    assert not [one for one in log if isinstance(one, Shown) and hidden & set(one.cards)]
    assert not any(card in str(msgspec.to_builtins(round_.outcome)) for card in hidden)
    rng = Random(game_id)
    for viewer in (None, *round_.order):
        twin = with_hidden_cards_swapped(copy(round_), viewer, rng)
        assert msgspec.json.encode(twin.view(viewer)) == msgspec.json.encode(round_.view(viewer))
        seen = {card for zone in round_.view(viewer).zones for card in zone.cards}
        assert bool(hidden & seen) == (viewer == mucks)


def test_silence_mucks_every_hand_and_the_result_stands() -> None:
    """The deadline mucks for all that have not answered; pots and chips are those of the showdown."""
    round_, chance, _ = losing("texas_holdem")
    ending = round_.ending
    log = round_.on_timeout(chance)
    assert [one.action for one in log if isinstance(one, Decided)] == [actions.Muck()] * 2
    assert round_.outcome == ending


def test_showing_changes_the_names_of_hands_alone() -> None:
    """Claims, pots and winners of the outcome are the same, with hands shown or mucked."""
    outcomes = []
    for answers in ((actions.Reveal(), actions.Reveal()), (actions.Muck(), actions.Reveal())):
        round_, chance, _ = losing("omaha_hi_lo")
        for seat, answer in zip([round_.order[one] for one in round_.to_show], answers, strict=True):
            round_.act(seat, answer, chance)
        assert round_.outcome is not None
        outcomes.append(round_.outcome)
    shown, some = outcomes
    named = ("hands", "lows")
    assert len(shown.facts["hands"]) == len(some.facts["hands"]) + 1
    assert {**shown.facts, **dict.fromkeys(named)} == {**some.facts, **dict.fromkeys(named)}
    assert msgspec.structs.replace(shown, facts={}) == msgspec.structs.replace(some, facts={})


def test_an_all_in_seat_opens_all_hands() -> None:
    """Once a live seat is all-in nobody may muck, also where the others went on betting [poker D28]."""
    game = catalogue.game("texas_holdem")
    rules = msgspec.convert({"show": "losers"}, game.rules_type)
    chance = Seeded(1)
    round_, _ = game.start(rules, Table(chips={0: 40, 1: 1000, 2: 1000}, first_button=0), chance)
    assert isinstance(round_, PokerRound)
    for seat, action in ((0, actions.AllIn()), (1, actions.Call()), (2, actions.Call())):
        round_.act(seat, action, chance)
    while (waiting := round_.waiting()) is not None:
        round_.act(waiting.seats[0], actions.Check(), chance)
    assert round_.outcome is not None
    assert set(round_.outcome.facts["hands"]) == {0, 1, 2}


@pytest.mark.parametrize("show", ["winner", "losers"])
@pytest.mark.parametrize("answer", [actions.Reveal(), actions.Muck()])
def test_a_winner_whom_nobody_called_may_show(show: str, answer: actions.Action) -> None:
    """It alone is asked; what it shows is seen by all and has no name, what it mucks stays hidden."""
    round_, chance = begun("texas_holdem", show, seed=1)
    round_.act(0, actions.Fold(), chance)
    round_.act(1, actions.Fold(), chance)
    waiting = round_.waiting()
    assert waiting is not None
    assert (waiting.seats, waiting.has_bank) == ((2,), False)
    log = round_.act(2, answer, chance)
    assert round_.outcome is not None
    assert round_.outcome.facts["hands"] == {}
    held = tuple(round_.down[round_.order.index(2)])
    shows = isinstance(answer, actions.Reveal)
    assert [one.cards for one in log if isinstance(one, Shown)] == ([held] if shows else [])
    assert [zone.cards for zone in round_.view(0).zones if zone.owner == 2] == [held if shows else ("??", "??")]
    assert [zone.cards for zone in round_.view(0).zones if zone.owner == 1] == [("??", "??")]


def test_under_winner_losers_of_a_showdown_are_not_asked() -> None:
    """A showdown shows all hands under ``winner``."""
    round_, _, _ = played("texas_holdem", "winner", seed=1)
    assert round_.outcome is not None
    assert len(round_.outcome.facts["hands"]) == 3


def test_a_table_with_a_shorter_turn_gives_no_more_time_for_the_choice() -> None:
    """The time for the choice is ``turn_seconds`` where that is less than five seconds."""
    round_, chance = begun("texas_holdem", "winner", seed=1, turn_seconds=3)
    round_.act(0, actions.Fold(), chance)
    round_.act(1, actions.Fold(), chance)
    waiting = round_.waiting()
    assert waiting is not None
    assert waiting.seconds == 3
